import { CallError } from '@mozhan/contract/errors.ts';
import { AlipaySdk } from 'alipay-sdk';
import { z } from 'zod';
import type { AlipayConfig } from '../../../../config/pay.ts';
import { readAlipayBill } from './bills.ts';
import { fromChinaTime, toChinaTime } from './china-time.ts';
import { toFen, toYuan } from './money.ts';
import { ANSWER_MS, download, type Ground, outside, Refusal } from './outside.ts';
import type { Bill, Callback, Payer, Payment, Provider, Refund, RefundState } from './provider.ts';

/** Of the day after, when the bills of a day are surely made. */
const BILLS_HOUR = 10;

interface Shop {
  config: AlipayConfig;
  ground: Ground;
  sdk: AlipaySdk;
}

const common = z.object({ code: z.string(), subCode: z.string().optional(), subMsg: z.string().optional() });

const isPaid = (status: string): boolean => status === 'TRADE_SUCCESS' || status === 'TRADE_FINISHED';

const isRefusal = (error: unknown, ...codes: string[]): boolean =>
  error instanceof Refusal && codes.includes(error.code);

/** Asks the gateway, whose answer is signed. */
async function ask(shop: Shop, method: string, bizContent: object): Promise<unknown> {
  const timestamp = toChinaTime(shop.ground.clock());
  const answer = await shop.sdk.exec(method, { timestamp, bizContent }, { validateSign: true });
  const { code, subCode = '', subMsg = '' } = common.parse(answer);
  if (code !== '10000') throw new Refusal(subCode === '' ? code : subCode, subMsg);
  return answer;
}

/** An address of the gateway that makes the trade once the payer opens it. */
function start({ ground, sdk }: Shop, bill: Bill, payer: Payer): { url: string } {
  const isDesktop = payer.device === 'desktop';
  const url = sdk.pageExecute(isDesktop ? 'alipay.trade.page.pay' : 'alipay.trade.wap.pay', 'GET', {
    timestamp: toChinaTime(ground.clock()),
    notifyUrl: `${ground.config.siteUrl}/api/core/fina/notify/alipay`,
    returnUrl: payer.returnUrl,
    bizContent: {
      outTradeNo: bill.no,
      totalAmount: toYuan(bill.amount),
      // Alipay refuses these in a title.
      subject: bill.title.replaceAll(/[/=&]/g, ' '),
      productCode: isDesktop ? 'FAST_INSTANT_TRADE_PAY' : 'QUICK_WAP_WAY',
      timeExpire: toChinaTime(bill.expiresAt),
    },
  });
  return { url };
}

const trade = z.object({
  outTradeNo: z.string(),
  tradeNo: z.string(),
  tradeStatus: z.string(),
  totalAmount: z.coerce.string(),
  sendPayDate: z.string().optional(),
});

async function query(shop: Shop, no: string): Promise<Payment | null> {
  try {
    const found = trade.parse(await ask(shop, 'alipay.trade.query', { outTradeNo: no }));
    if (found.outTradeNo !== no) throw new Error('another order');
    if (!isPaid(found.tradeStatus)) return null;
    return {
      no,
      tradeNo: found.tradeNo,
      amount: toFen(found.totalAmount),
      paidAt: found.sendPayDate === undefined ? shop.ground.clock() : fromChinaTime(found.sendPayDate),
    };
  } catch (error) {
    // Nobody has opened the page yet.
    if (isRefusal(error, 'ACQ.TRADE_NOT_EXIST')) return null;
    throw error;
  }
}

async function close(shop: Shop, no: string): Promise<void> {
  try {
    await ask(shop, 'alipay.trade.close', { outTradeNo: no });
  } catch (error) {
    // A page that nobody has opened has no trade; it ends with its time.
    if (!isRefusal(error, 'ACQ.TRADE_NOT_EXIST', 'ACQ.TRADE_STATUS_ERROR')) throw error;
  }
}

async function refund(shop: Shop, { no, refundNo, amount, reason }: Refund): Promise<RefundState> {
  const asked = { outTradeNo: no, outRequestNo: refundNo };
  try {
    const answer = z.object({ fundChange: z.string().optional() }).parse(
      await ask(shop, 'alipay.trade.refund', {
        ...asked,
        refundAmount: toYuan(amount),
        refundReason: reason,
      }),
    );
    if (answer.fundChange === 'Y') return 'done';
    // Asked for before, or not through yet.
    const known = z
      .object({ refundStatus: z.string().optional() })
      .parse(await ask(shop, 'alipay.trade.fastpay.refund.query', asked));
    return known.refundStatus === 'REFUND_SUCCESS' ? 'done' : 'pending';
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

async function read({ config, ground, sdk }: Shop, { body }: Callback): ReturnType<Provider['read']> {
  const fields = Object.fromEntries(new URLSearchParams(body));
  const parsed = notice.safeParse(fields);
  if (!parsed.success) throw new CallError('MALFORMED', { message: '通知的内容不完整' });
  if (!sdk.checkNotifySignV2(fields)) throw new CallError('MALFORMED', { message: '签名不对' });
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
    const { billDownloadUrl } = z.object({ billDownloadUrl: z.url() }).parse(
      await ask(shop, 'alipay.data.dataservice.bill.downloadurl.query', {
        billType: 'trade',
        billDate: day,
      }),
    );
    return await readAlipayBill(await download(billDownloadUrl));
  } catch (error) {
    // The same answer for a day without trades and for one whose bill is still to be made.
    if (!isRefusal(error, 'isp.bill_not_exist', 'BILL_NOT_EXIST')) throw error;
    const ready = fromChinaTime(`${day} 00:00:00`).getTime() + (24 + BILLS_HOUR) * 3_600_000;
    return shop.ground.clock().getTime() < ready ? null : [];
  }
}

export function createAlipay(ground: Ground, config: AlipayConfig): Provider {
  const sdk = new AlipaySdk({
    appId: config.appId,
    privateKey: config.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString().trim(),
    keyType: 'PKCS8',
    alipayPublicKey: config.publicKey.export({ type: 'spki', format: 'pem' }).toString().trim(),
    gateway: config.gateway,
    timeout: ANSWER_MS,
  });
  const shop: Shop = { config, ground, sdk };
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
