import { randomBytes } from 'node:crypto';
import { CallError } from '@mozhan/contract/errors.ts';
import type { Pay } from '@mozhan/contract/orders.ts';
import { z } from 'zod';
import type { WechatPayConfig } from '../../../../config/pay.ts';
import { readWechatBill } from './bills.ts';
import { toChinaTime } from './china-time.ts';
import { ANSWER_MS, type Ground, outside, Refusal } from './outside.ts';
import type { Bill, Callback, Payer, Payment, Provider, Refund, RefundState } from './provider.ts';
import { createWechatClient, type WechatClient } from './wechat-client.ts';

const AUTHORIZE_PAGE = 'https://open.weixin.qq.com/connect/oauth2/authorize';
/** What WeChat allows, by the stricter of its two ways to count. */
const MAX_TITLE_BYTES = 127;
const MAX_REASON_BYTES = 80;
const REFUND_STATES: Record<string, RefundState> = { SUCCESS: 'done', PROCESSING: 'pending' };

const transaction = z.object({
  appid: z.string(),
  mchid: z.string(),
  out_trade_no: z.string(),
  transaction_id: z.string().default(''),
  trade_state: z.string(),
  success_time: z.iso.datetime({ offset: true }).optional(),
  amount: z.object({ total: z.int().positive(), currency: z.string().default('CNY') }).optional(),
});

interface Shop {
  config: WechatPayConfig;
  ground: Ground;
  client: WechatClient;
}

/** WeChat spells the same code with and without underscores. */
const isRefusal = (error: unknown, ...codes: string[]): boolean =>
  error instanceof Refusal && codes.includes(error.code.replaceAll('_', ''));

function shorten(text: string, max: number): string {
  let bytes = 0;
  const kept = [...text].filter((char) => {
    bytes += Buffer.byteLength(char);
    return bytes <= max;
  });
  return kept.join('');
}

/** Null: not paid; throws at what is signed but not for this shop. */
function toPayment({ config }: Shop, content: unknown): Payment | null {
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

/** The code of the authorisation page, once, for who it was. */
async function findOpenId({ config }: Shop, code: string): Promise<string> {
  const query = new URLSearchParams({
    appid: config.appId,
    secret: config.appSecret,
    code,
    grant_type: 'authorization_code',
  });
  const response = await fetch(`${config.apiGateway}/sns/oauth2/access_token?${query}`, {
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  const answer = z
    .object({ openid: z.string().optional(), errcode: z.number().optional() })
    .parse(await response.json());
  if (answer.openid !== undefined) return answer.openid;
  // Used or too old: another round through the page helps.
  if (answer.errcode === 40029 || answer.errcode === 40163 || answer.errcode === 41008)
    throw new CallError('WECHAT_CODE_REQUIRED');
  throw new Refusal(String(answer.errcode), 'openid');
}

async function start(shop: Shop, bill: Bill, payer: Payer): Promise<Pay> {
  const { config, ground, client } = shop;
  const order = {
    appid: config.appId,
    mchid: config.mchId,
    description: shorten(bill.title, MAX_TITLE_BYTES),
    out_trade_no: bill.no,
    time_expire: `${toChinaTime(bill.expiresAt).replace(' ', 'T')}+08:00`,
    notify_url: `${ground.config.siteUrl}/api/core/fina/notify/wechat`,
    amount: { total: bill.amount, currency: 'CNY' },
  };
  const place = async (kind: string, more: object = {}): Promise<unknown> => {
    try {
      return await client.call('POST', `/v3/pay/transactions/${kind}`, { ...order, ...more });
    } catch (error) {
      if (!isRefusal(error, 'OUTTRADENOUSED')) throw error;
      throw new CallError('PAY_FAILED', { message: '这张订单已用另一种方式发起付款，请取消后重新下单' });
    }
  };

  if (payer.device === 'desktop') {
    const { code_url } = z.object({ code_url: z.string() }).parse(await place('native'));
    return { qr: code_url };
  }
  if (payer.device === 'phone') {
    const scene = { scene_info: { payer_client_ip: payer.address, h5_info: { type: 'Wap' } } };
    const { h5_url } = z.object({ h5_url: z.url() }).parse(await place('h5', scene));
    return { url: `${h5_url}&redirect_url=${encodeURIComponent(payer.returnUrl)}` };
  }
  if (payer.wechatCode === undefined) throw new CallError('WECHAT_CODE_REQUIRED');
  const openid = await findOpenId(shop, payer.wechatCode);
  const { prepay_id } = z
    .object({ prepay_id: z.string() })
    .parse(await place('jsapi', { payer: { openid } }));
  const timeStamp = String(Math.floor(ground.clock().getTime() / 1000));
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

async function query(shop: Shop, no: string): Promise<Payment | null> {
  const path = `/v3/pay/transactions/out-trade-no/${no}?mchid=${shop.config.mchId}`;
  try {
    const payment = toPayment(shop, await shop.client.call('GET', path));
    if (payment !== null && payment.no !== no) throw new Error('another order');
    return payment;
  } catch (error) {
    if (isRefusal(error, 'ORDERNOTEXIST')) return null;
    throw error;
  }
}

async function close({ client, config }: Shop, no: string): Promise<void> {
  try {
    await client.call('POST', `/v3/pay/transactions/out-trade-no/${no}/close`, { mchid: config.mchId });
  } catch (error) {
    if (!isRefusal(error, 'ORDERPAID', 'ORDERCLOSED', 'ORDERNOTEXIST')) throw error;
  }
}

const refundAnswer = z.object({ status: z.string(), out_refund_no: z.string() });

async function findRefund({ client }: Shop, refundNo: string): Promise<unknown> {
  try {
    return await client.call('GET', `/v3/refund/domestic/refunds/${refundNo}`);
  } catch (error) {
    if (isRefusal(error, 'RESOURCENOTEXISTS')) return null;
    throw error;
  }
}

async function refund(shop: Shop, { no, refundNo, amount, reason }: Refund): Promise<RefundState> {
  try {
    const known =
      (await findRefund(shop, refundNo)) ??
      (await shop.client.call('POST', '/v3/refund/domestic/refunds', {
        out_trade_no: no,
        out_refund_no: refundNo,
        reason: shorten(reason, MAX_REASON_BYTES),
        amount: { refund: amount, total: amount, currency: 'CNY' },
      }));
    const { status, out_refund_no } = refundAnswer.parse(known);
    if (out_refund_no !== refundNo) throw new Error('another refund');
    return REFUND_STATES[status] ?? 'failed';
  } catch (error) {
    if (!(error instanceof Refusal) || isRefusal(error, 'SYSTEMERROR', 'FREQUENCYLIMITED')) throw error;
    shop.ground.log.warn({ provider: 'wechat', what: 'refund', no, code: error.code }, 'payment provider');
    return 'failed';
  }
}

async function listStatement({ client, config }: Shop, day: string): ReturnType<Provider['listStatement']> {
  try {
    const bill = z
      .object({ hash_type: z.literal('SHA1'), hash_value: z.string(), download_url: z.url() })
      .parse(await client.call('GET', `/v3/bill/tradebill?bill_date=${day}&bill_type=ALL`));
    return readWechatBill(await client.fetchFile(bill.download_url, bill.hash_value), config.appId);
  } catch (error) {
    if (isRefusal(error, 'STATEMENTCREATING')) return null;
    if (isRefusal(error, 'NOSTATEMENTEXIST')) return [];
    throw error;
  }
}

async function read(shop: Shop, { headers, body }: Callback): ReturnType<Provider['read']> {
  const { type, content } = await shop.client.open(headers, body);
  const reply = { status: 204, type: 'application/json', body: '' };
  if (type !== 'TRANSACTION.SUCCESS') return { payment: null, reply };
  try {
    return { payment: toPayment(shop, content), reply };
  } catch (error) {
    throw new CallError('MALFORMED', { message: '不是给本站的通知', cause: error });
  }
}

export function createWechat(ground: Ground, config: WechatPayConfig): Provider {
  const shop: Shop = { config, ground, client: createWechatClient(config, ground.clock) };
  const guarded = <T>(what: string, work: () => Promise<T>) => outside(ground, 'wechat', what, work);
  return {
    start: (bill, payer) => guarded('start', () => start(shop, bill, payer)),
    authorize(backUrl) {
      const asked = new URLSearchParams({
        appid: config.appId,
        redirect_uri: backUrl,
        response_type: 'code',
        scope: 'snsapi_base',
        state: 'pay',
      });
      return `${AUTHORIZE_PAGE}?${asked}#wechat_redirect`;
    },
    query: (no) => guarded('query', () => query(shop, no)),
    close: (no) => guarded('close', () => close(shop, no)),
    refund: (asked) => guarded('refund', () => refund(shop, asked)),
    read: (callback) => guarded('callback', () => read(shop, callback)),
    listStatement: (day) => guarded('bill', () => listStatement(shop, day)),
  };
}
