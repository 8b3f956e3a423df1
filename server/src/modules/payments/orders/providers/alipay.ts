import { CallError } from '@mozhan/contract/errors.ts';
import { z } from 'zod';
import type { AlipayConfig } from '../../../../config/pay.ts';
import { type AlipayClient, createAlipayClient } from './alipay-client.ts';
import { readAlipayBill } from './bills.ts';
import { fromChinaTime, toChinaTime } from './china-time.ts';
import { toFen, toYuan } from './money.ts';
import { download, type Ground, outside, Refusal } from './outside.ts';
import type { Bill, Callback, Payer, Payment, Provider, Refund, RefundState } from './provider.ts';

/** Of the day after, when the bills of a day are surely made. */
const BILLS_HOUR = 10;

interface Shop {
  config: AlipayConfig;
  ground: Ground;
  client: AlipayClient;
}

const common = z.object({
  code: z.string(),
  sub_code: z.string().default(''),
  sub_msg: z.string().default(''),
});

const isPaid = (status: string): boolean => status === 'TRADE_SUCCESS' || status === 'TRADE_FINISHED';

const isRefusal = (error: unknown, ...codes: string[]): boolean =>
  error instanceof Refusal && codes.includes(error.code);

async function call({ client }: Shop, method: string, content: object): Promise<unknown> {
  const response = await client.call(method, content);
  const { code, sub_code, sub_msg } = common.parse(response);
  if (code !== '10000') throw new Refusal(sub_code === '' ? code : sub_code, sub_msg);
  return response;
}

/** An address of the gateway that makes the trade once the payer opens it. */
function start({ ground, client }: Shop, bill: Bill, payer: Payer): { url: string } {
  const isDesktop = payer.device === 'desktop';
  const url = client.pageUrl(
    isDesktop ? 'alipay.trade.page.pay' : 'alipay.trade.wap.pay',
    {
      out_trade_no: bill.no,
      total_amount: toYuan(bill.amount),
      // Alipay refuses these in a title.
      subject: bill.title.replaceAll(/[/=&]/g, ' '),
      product_code: isDesktop ? 'FAST_INSTANT_TRADE_PAY' : 'QUICK_WAP_WAY',
      time_expire: toChinaTime(bill.expiresAt),
    },
    {
      notify_url: `${ground.config.siteUrl}/api/core/fina/notify/alipay`,
      return_url: payer.returnUrl,
    },
  );
  return { url };
}

const trade = z.object({
  out_trade_no: z.string(),
  trade_no: z.string(),
  trade_status: z.string(),
  total_amount: z.coerce.string(),
  send_pay_date: z.string().optional(),
});

async function query(shop: Shop, no: string): Promise<Payment | null> {
  try {
    const found = trade.parse(await call(shop, 'alipay.trade.query', { out_trade_no: no }));
    if (found.out_trade_no !== no) throw new Error('another order');
    if (!isPaid(found.trade_status)) return null;
    return {
      no,
      tradeNo: found.trade_no,
      amount: toFen(found.total_amount),
      paidAt: found.send_pay_date === undefined ? shop.ground.clock() : fromChinaTime(found.send_pay_date),
    };
  } catch (error) {
    // Nobody has opened the page yet.
    if (isRefusal(error, 'ACQ.TRADE_NOT_EXIST')) return null;
    throw error;
  }
}

async function close(shop: Shop, no: string): Promise<void> {
  try {
    await call(shop, 'alipay.trade.close', { out_trade_no: no });
  } catch (error) {
    // A page that nobody has opened has no trade; it ends with its time.
    if (!isRefusal(error, 'ACQ.TRADE_NOT_EXIST', 'ACQ.TRADE_STATUS_ERROR')) throw error;
  }
}

async function refund(shop: Shop, { no, refundNo, amount, reason }: Refund): Promise<RefundState> {
  const ids = { out_trade_no: no, out_request_no: refundNo };
  try {
    const response = z.object({ fund_change: z.string().optional() }).parse(
      await call(shop, 'alipay.trade.refund', {
        ...ids,
        refund_amount: toYuan(amount),
        refund_reason: reason,
      }),
    );
    if (response.fund_change === 'Y') return 'done';
    // Asked for before, or not through yet.
    const known = z
      .object({ refund_status: z.string().optional() })
      .parse(await call(shop, 'alipay.trade.fastpay.refund.query', ids));
    return known.refund_status === 'REFUND_SUCCESS' ? 'done' : 'pending';
  } catch (error) {
    if (!(error instanceof Refusal) || /SYSTEM_ERROR|^isp\.|^20000$/.test(error.code)) throw error;
    shop.ground.log.warn({ provider: 'alipay', what: 'refund', no, code: error.code }, 'payment provider');
    return 'failed';
  }
}

const notice = z.object({
  app_id: z.string(),
  sign_type: z.literal('RSA2'),
  out_trade_no: z.string(),
  trade_no: z.string(),
  trade_status: z.string(),
  total_amount: z.string(),
  gmt_payment: z.string().optional(),
});

async function read({ config, ground, client }: Shop, { body }: Callback): ReturnType<Provider['read']> {
  const fields = Object.fromEntries(new URLSearchParams(body));
  const parsed = notice.safeParse(fields);
  if (!parsed.success) throw new CallError('MALFORMED', { message: '通知的内容不完整' });
  if (!client.isSigned(fields)) throw new CallError('MALFORMED', { message: '签名不对' });
  const told = parsed.data;
  if (told.app_id !== config.appId) throw new CallError('MALFORMED', { message: '不是给本站的通知' });
  return {
    // What follows a refund carries the state of the trade too, and is no payment.
    payment: !isPaid(told.trade_status)
      ? null
      : {
          no: told.out_trade_no,
          tradeNo: told.trade_no,
          amount: toFen(told.total_amount),
          paidAt: told.gmt_payment === undefined ? ground.clock() : fromChinaTime(told.gmt_payment),
        },
    reply: { status: 200, type: 'text/plain; charset=utf-8', body: 'success' },
  };
}

async function listStatement(shop: Shop, day: string): ReturnType<Provider['listStatement']> {
  try {
    const { bill_download_url } = z.object({ bill_download_url: z.url() }).parse(
      await call(shop, 'alipay.data.dataservice.bill.downloadurl.query', {
        bill_type: 'trade',
        bill_date: day,
      }),
    );
    return await readAlipayBill(await download(bill_download_url));
  } catch (error) {
    // The same answer for a day without trades and for one whose bill is still to be made.
    if (!isRefusal(error, 'isp.bill_not_exist', 'BILL_NOT_EXIST')) throw error;
    const ready = fromChinaTime(`${day} 00:00:00`).getTime() + (24 + BILLS_HOUR) * 3_600_000;
    return shop.ground.clock().getTime() < ready ? null : [];
  }
}

export function createAlipay(ground: Ground, config: AlipayConfig): Provider {
  const shop: Shop = { config, ground, client: createAlipayClient(config, ground.clock) };
  const guarded = <T>(what: string, work: () => Promise<T>) => outside(ground, 'alipay', what, work);
  return {
    start: (bill, payer) => guarded('start', async () => start(shop, bill, payer)),
    query: (no) => guarded('query', () => query(shop, no)),
    close: (no) => guarded('close', () => close(shop, no)),
    refund: (asked) => guarded('refund', () => refund(shop, asked)),
    read: (callback) => guarded('callback', () => read(shop, callback)),
    listStatement: (day) => guarded('bill', () => listStatement(shop, day)),
  };
}
