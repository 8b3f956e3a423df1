import { randomBytes } from 'node:crypto';
import { CallError } from '@mozhan/contract/errors.ts';
import type { PaymentInstructions } from '@mozhan/contract/orders.ts';
import { z } from 'zod';
import type { WechatPayConfig } from '../../../../config/pay.ts';
import { toChinaTime } from './china-time.ts';
import type { Callback, Payer, Payment, PaymentRequest, Provider, Refund, RefundState } from './provider.ts';
import { callProvider, ProviderError, type ProviderServices, RESPONSE_TIMEOUT_MS } from './provider-call.ts';
import { parseWechatStatement } from './statements.ts';
import { createWechatClient, type WechatClient } from './wechat-client.ts';

const AUTHORIZE_PAGE = 'https://open.weixin.qq.com/connect/oauth2/authorize';
/** WeChat's limits, by the stricter of its two ways to count. */
const MAX_TITLE_BYTES = 127;
const MAX_REASON_BYTES = 80;
const REFUND_STATES: Record<string, RefundState> = {
  SUCCESS: 'done',
  PROCESSING: 'pending',
  CLOSED: 'closed',
  ABNORMAL: 'abnormal',
};

const transaction = z.object({
  appid: z.string(),
  mchid: z.string(),
  out_trade_no: z.string(),
  transaction_id: z.string().default(''),
  trade_state: z.string(),
  success_time: z.iso.datetime({ offset: true }).optional(),
  amount: z.object({ total: z.int().positive(), currency: z.string().default('CNY') }).optional(),
});

interface Merchant {
  config: WechatPayConfig;
  services: ProviderServices;
  client: WechatClient;
}

/** WeChat spells the same code with and without underscores. */
const isProviderError = (error: unknown, ...codes: string[]): boolean =>
  error instanceof ProviderError && codes.includes(error.code.replaceAll('_', ''));

function truncate(text: string, max: number): string {
  let bytes = 0;
  const characters = [...text].filter((char) => {
    bytes += Buffer.byteLength(char);
    return bytes <= max;
  });
  return characters.join('');
}

/** Returns null if not paid; throws if the payment is signed for another merchant. */
function toPayment({ config }: Merchant, content: unknown): Payment | null {
  const found = transaction.parse(content);
  if (found.appid !== config.appId || found.mchid !== config.mchId) throw new Error('for another shop');
  if (found.trade_state !== 'SUCCESS') return null;
  const { amount, success_time: paidAt } = found;
  if (amount === undefined || amount.currency !== 'CNY' || paidAt === undefined)
    throw new Error('not a payment in yuan');
  return {
    no: found.out_trade_no,
    tradeNo: found.transaction_id,
    amount: amount.total,
    paidAt: new Date(paidAt),
  };
}

/** Exchanges the one-time code of the authorisation page for the payer's OpenID. */
async function findOpenId({ config }: Merchant, code: string): Promise<string> {
  const query = new URLSearchParams({
    appid: config.appId,
    secret: config.appSecret,
    code,
    grant_type: 'authorization_code',
  });
  const response = await fetch(`${config.apiGateway}/sns/oauth2/access_token?${query}`, {
    signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
  });
  const responseBody = z
    .object({ openid: z.string().optional(), errcode: z.number().optional() })
    .parse(await response.json());
  if (responseBody.openid !== undefined) return responseBody.openid;
  // The code is used or expired, so the payer must be authorised again.
  if (responseBody.errcode === 40029 || responseBody.errcode === 40163 || responseBody.errcode === 41008)
    throw new CallError('WECHAT_CODE_REQUIRED');
  throw new ProviderError(String(responseBody.errcode), 'openid');
}

async function start(
  merchant: Merchant,
  request: PaymentRequest,
  payer: Payer,
): Promise<PaymentInstructions> {
  const { config, services, client } = merchant;
  const order = {
    appid: config.appId,
    mchid: config.mchId,
    description: truncate(request.title, MAX_TITLE_BYTES),
    out_trade_no: request.no,
    time_expire: `${toChinaTime(request.expiresAt).replace(' ', 'T')}+08:00`,
    notify_url: `${services.config.siteUrl}/api/core/fina/notify/wechat`,
    amount: { total: request.amount, currency: 'CNY' },
  };
  const createTransaction = async (kind: string, more: object = {}): Promise<unknown> => {
    try {
      return await client.call('POST', `/v3/pay/transactions/${kind}`, { ...order, ...more });
    } catch (error) {
      if (!isProviderError(error, 'OUTTRADENOUSED')) throw error;
      throw new CallError('PAY_FAILED', { message: '这张订单已用另一种方式发起付款，请取消后重新下单' });
    }
  };

  if (payer.device === 'desktop') {
    const { code_url } = z.object({ code_url: z.string() }).parse(await createTransaction('native'));
    return { qr: code_url };
  }
  if (payer.device === 'phone') {
    const scene = { scene_info: { payer_client_ip: payer.address, h5_info: { type: 'Wap' } } };
    const { h5_url } = z.object({ h5_url: z.url() }).parse(await createTransaction('h5', scene));
    return { url: `${h5_url}&redirect_url=${encodeURIComponent(payer.returnUrl)}` };
  }
  if (payer.wechatCode === undefined) throw new CallError('WECHAT_CODE_REQUIRED');
  const openid = await findOpenId(merchant, payer.wechatCode);
  const { prepay_id } = z
    .object({ prepay_id: z.string() })
    .parse(await createTransaction('jsapi', { payer: { openid } }));
  const timeStamp = String(Math.floor(services.clock().getTime() / 1000));
  const nonceStr = randomBytes(16).toString('hex');
  const packed = `prepay_id=${prepay_id}`;
  return {
    jsapi: {
      appId: config.appId,
      timeStamp,
      nonceStr,
      package: packed,
      signType: 'RSA',
      paySign: client.signLines([config.appId, timeStamp, nonceStr, packed]),
    },
  };
}

async function query(merchant: Merchant, no: string): Promise<Payment | null> {
  const path = `/v3/pay/transactions/out-trade-no/${no}?mchid=${merchant.config.mchId}`;
  try {
    const payment = toPayment(merchant, await merchant.client.call('GET', path));
    if (payment !== null && payment.no !== no) throw new Error('another order');
    return payment;
  } catch (error) {
    if (isProviderError(error, 'ORDERNOTEXIST')) return null;
    throw error;
  }
}

async function close({ client, config }: Merchant, no: string): Promise<void> {
  try {
    await client.call('POST', `/v3/pay/transactions/out-trade-no/${no}/close`, { mchid: config.mchId });
  } catch (error) {
    if (!isProviderError(error, 'ORDERPAID', 'ORDERCLOSED', 'ORDERNOTEXIST')) throw error;
  }
}

const refundResponse = z.object({
  status: z.string(),
  out_refund_no: z.string(),
  refund_id: z.string().default(''),
});

async function findRefund({ client }: Merchant, refundNo: string): Promise<unknown> {
  try {
    return await client.call('GET', `/v3/refund/domestic/refunds/${refundNo}`);
  } catch (error) {
    if (isProviderError(error, 'RESOURCENOTEXISTS')) return null;
    throw error;
  }
}

async function refund(merchant: Merchant, { no, refundNo, amount, reason }: Refund): Promise<RefundState> {
  try {
    const known =
      (await findRefund(merchant, refundNo)) ??
      (await merchant.client.call('POST', '/v3/refund/domestic/refunds', {
        out_trade_no: no,
        out_refund_no: refundNo,
        reason: truncate(reason, MAX_REASON_BYTES),
        amount: { refund: amount, total: amount, currency: 'CNY' },
      }));
    const { status, out_refund_no } = refundResponse.parse(known);
    if (out_refund_no !== refundNo) throw new Error('another refund');
    return REFUND_STATES[status] ?? 'failed';
  } catch (error) {
    if (!(error instanceof ProviderError) || isProviderError(error, 'SYSTEMERROR', 'FREQUENCYLIMITED'))
      throw error;
    merchant.services.log.warn(
      { provider: 'wechat', what: 'refund', no, code: error.code },
      'payment provider',
    );
    return 'failed';
  }
}

async function refundToShop(merchant: Merchant, refundNo: string): Promise<void> {
  const { status, refund_id } = refundResponse.parse(await findRefund(merchant, refundNo));
  // The request may have been made before.
  if (status !== 'ABNORMAL') return;
  await merchant.client.call('POST', `/v3/refund/domestic/refunds/${refund_id}/apply-abnormal-refund`, {
    out_refund_no: refundNo,
    type: 'MERCHANT_BANK_CARD',
  });
}

async function listStatement(
  { client, config }: Merchant,
  day: string,
): ReturnType<Provider['listStatement']> {
  try {
    const file = z
      .object({ hash_type: z.literal('SHA1'), hash_value: z.string(), download_url: z.url() })
      .parse(await client.call('GET', `/v3/bill/tradebill?bill_date=${day}&bill_type=ALL`));
    return parseWechatStatement(await client.fetchFile(file.download_url, file.hash_value), config.appId);
  } catch (error) {
    if (isProviderError(error, 'STATEMENTCREATING')) return null;
    if (isProviderError(error, 'NOSTATEMENTEXIST')) return [];
    throw error;
  }
}

async function parseCallback(
  merchant: Merchant,
  { headers, body }: Callback,
): ReturnType<Provider['parseCallback']> {
  const { type, content } = await merchant.client.openCallback(headers, body);
  const reply = { status: 204, type: 'application/json', body: '' };
  if (type !== 'TRANSACTION.SUCCESS') return { payment: null, reply };
  try {
    return { payment: toPayment(merchant, content), reply };
  } catch (error) {
    throw new CallError('MALFORMED', { message: '不是给本站的通知', cause: error });
  }
}

export function createWechat(services: ProviderServices, config: WechatPayConfig): Provider {
  const merchant: Merchant = { config, services, client: createWechatClient(config, services.clock) };
  const guard = <T>(what: string, work: () => Promise<T>) => callProvider(services, 'wechat', what, work);
  return {
    start: (request, payer) => guard('start', () => start(merchant, request, payer)),
    authorize(backUrl) {
      const params = new URLSearchParams({
        appid: config.appId,
        redirect_uri: backUrl,
        response_type: 'code',
        scope: 'snsapi_base',
        state: 'pay',
      });
      return `${AUTHORIZE_PAGE}?${params}#wechat_redirect`;
    },
    query: (no) => guard('query', () => query(merchant, no)),
    close: (no) => guard('close', () => close(merchant, no)),
    refund: (params) => guard('refund', () => refund(merchant, params)),
    refundToShop: (refundNo) => guard('refund', () => refundToShop(merchant, refundNo)),
    parseCallback: (callback) => guard('callback', () => parseCallback(merchant, callback)),
    listStatement: (day) => guard('bill', () => listStatement(merchant, day)),
  };
}
