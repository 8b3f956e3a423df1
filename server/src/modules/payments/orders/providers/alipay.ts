import { CallError } from '@mozhan/contract/errors.ts';
import { z } from 'zod';
import type { AlipayConfig } from '../../../../config/pay.ts';
import { type AlipayClient, createAlipayClient } from './alipay-client.ts';
import { fromChinaTime, toChinaTime } from './china-time.ts';
import { toFen, toYuan } from './money.ts';
import type { Callback, Payer, Payment, PaymentRequest, Provider, Refund, RefundState } from './provider.ts';
import { callProvider, downloadFile, ProviderError, type ProviderServices } from './provider-call.ts';
import { parseAlipayStatement } from './statements.ts';

/** Hour of the following day at which a statement is certainly available. */
const STATEMENT_HOUR = 10;

interface Merchant {
  config: AlipayConfig;
  services: ProviderServices;
  client: AlipayClient;
}

const common = z.object({
  code: z.string(),
  sub_code: z.string().default(''),
  sub_msg: z.string().default(''),
});

const isPaid = (status: string): boolean => status === 'TRADE_SUCCESS' || status === 'TRADE_FINISHED';

const isProviderError = (error: unknown, ...codes: string[]): boolean =>
  error instanceof ProviderError && codes.includes(error.code);

async function call({ client }: Merchant, method: string, content: object): Promise<unknown> {
  const response = await client.call(method, content);
  const { code, sub_code, sub_msg } = common.parse(response);
  if (code !== '10000') throw new ProviderError(sub_code === '' ? code : sub_code, sub_msg);
  return response;
}

/** Returns a gateway URL; Alipay creates the trade when the payer opens it. */
function start({ services, client }: Merchant, request: PaymentRequest, payer: Payer): { url: string } {
  const isDesktop = payer.device === 'desktop';
  const url = client.pageUrl(
    isDesktop ? 'alipay.trade.page.pay' : 'alipay.trade.wap.pay',
    {
      out_trade_no: request.no,
      total_amount: toYuan(request.amount),
      // Alipay rejects these characters in a title.
      subject: request.title.replaceAll(/[/=&]/g, ' '),
      product_code: isDesktop ? 'FAST_INSTANT_TRADE_PAY' : 'QUICK_WAP_WAY',
      time_expire: toChinaTime(request.expiresAt),
    },
    {
      notify_url: `${services.config.siteUrl}/api/core/fina/notify/alipay`,
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

async function query(merchant: Merchant, no: string): Promise<Payment | null> {
  try {
    const found = trade.parse(await call(merchant, 'alipay.trade.query', { out_trade_no: no }));
    if (found.out_trade_no !== no) throw new Error('another order');
    if (!isPaid(found.trade_status)) return null;
    return {
      no,
      tradeNo: found.trade_no,
      amount: toFen(found.total_amount),
      paidAt:
        found.send_pay_date === undefined ? merchant.services.clock() : fromChinaTime(found.send_pay_date),
    };
  } catch (error) {
    // The payer has not opened the page yet.
    if (isProviderError(error, 'ACQ.TRADE_NOT_EXIST')) return null;
    throw error;
  }
}

async function close(merchant: Merchant, no: string): Promise<void> {
  try {
    await call(merchant, 'alipay.trade.close', { out_trade_no: no });
  } catch (error) {
    // An unopened page has no trade yet; its URL expires.
    if (!isProviderError(error, 'ACQ.TRADE_NOT_EXIST', 'ACQ.TRADE_STATUS_ERROR')) throw error;
  }
}

async function refund(merchant: Merchant, { no, refundNo, amount, reason }: Refund): Promise<RefundState> {
  const ids = { out_trade_no: no, out_request_no: refundNo };
  try {
    const response = z.object({ fund_change: z.string().optional() }).parse(
      await call(merchant, 'alipay.trade.refund', {
        ...ids,
        refund_amount: toYuan(amount),
        refund_reason: reason,
      }),
    );
    if (response.fund_change === 'Y') return 'done';
    // The refund was requested before or is still in progress.
    const known = z
      .object({ refund_status: z.string().optional() })
      .parse(await call(merchant, 'alipay.trade.fastpay.refund.query', ids));
    return known.refund_status === 'REFUND_SUCCESS' ? 'done' : 'pending';
  } catch (error) {
    if (!(error instanceof ProviderError) || /SYSTEM_ERROR|^isp\.|^20000$/.test(error.code)) throw error;
    merchant.services.log.warn(
      { provider: 'alipay', what: 'refund', no, code: error.code },
      'payment provider',
    );
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

async function parseCallback(
  { config, services, client }: Merchant,
  { body }: Callback,
): ReturnType<Provider['parseCallback']> {
  const fields = Object.fromEntries(new URLSearchParams(body));
  const parsed = notice.safeParse(fields);
  if (!parsed.success) throw new CallError('MALFORMED', { message: '通知的内容不完整' });
  if (!client.isSigned(fields)) throw new CallError('MALFORMED', { message: '签名不对' });
  const notification = parsed.data;
  if (notification.app_id !== config.appId) throw new CallError('MALFORMED', { message: '不是给本站的通知' });
  return {
    // Callbacks of refunds also carry the trade status, but are not payments.
    payment: !isPaid(notification.trade_status)
      ? null
      : {
          no: notification.out_trade_no,
          tradeNo: notification.trade_no,
          amount: toFen(notification.total_amount),
          paidAt:
            notification.gmt_payment === undefined
              ? services.clock()
              : fromChinaTime(notification.gmt_payment),
        },
    reply: { status: 200, type: 'text/plain; charset=utf-8', body: 'success' },
  };
}

async function listStatement(merchant: Merchant, day: string): ReturnType<Provider['listStatement']> {
  try {
    const { bill_download_url } = z.object({ bill_download_url: z.url() }).parse(
      await call(merchant, 'alipay.data.dataservice.bill.downloadurl.query', {
        bill_type: 'trade',
        bill_date: day,
      }),
    );
    return await parseAlipayStatement(await downloadFile(bill_download_url));
  } catch (error) {
    // Alipay returns the same error for a day without trades and for a statement that is not ready.
    if (!isProviderError(error, 'isp.bill_not_exist', 'BILL_NOT_EXIST')) throw error;
    const ready = fromChinaTime(`${day} 00:00:00`).getTime() + (24 + STATEMENT_HOUR) * 3_600_000;
    return merchant.services.clock().getTime() < ready ? null : [];
  }
}

export function createAlipay(services: ProviderServices, config: AlipayConfig): Provider {
  const merchant: Merchant = { config, services, client: createAlipayClient(config, services.clock) };
  const guard = <T>(what: string, work: () => Promise<T>) => callProvider(services, 'alipay', what, work);
  return {
    start: (request, payer) => guard('start', async () => start(merchant, request, payer)),
    query: (no) => guard('query', () => query(merchant, no)),
    close: (no) => guard('close', () => close(merchant, no)),
    refund: (params) => guard('refund', () => refund(merchant, params)),
    parseCallback: (callback) => guard('callback', () => parseCallback(merchant, callback)),
    listStatement: (day) => guard('bill', () => listStatement(merchant, day)),
  };
}
