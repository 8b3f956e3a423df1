import { createCipheriv, createHash, type KeyObject, randomBytes, sign, verify } from 'node:crypto';
import type { WechatPayConfig } from '../config/pay.ts';
import { createCertificate } from './certificate.ts';
import {
  createTrade,
  formatChinaTime,
  formatYuan,
  generateKeys,
  type Keys,
  startTestServer,
  type TestRequest,
  type TestResponse,
  type Trade,
  unknownKeys,
} from './http-server.ts';

export interface Callback {
  headers: Record<string, string>;
  body: string;
}

export interface CallbackChanges {
  content?: object;
  eventType?: string;
  /** Seconds since 1970. */
  timestamp?: number;
  keys?: Keys;
  serial?: string;
  apiKey?: string;
}

/** Imitates WeChat Pay's API v3 by its documentation. */
export interface TestWechatPay {
  /** The configuration of a server that downloads certificates. */
  config: WechatPayConfig;
  /** For a server that is configured with the public key. */
  publicKey: NonNullable<WechatPayConfig['publicKey']>;
  shopKey: KeyObject;
  trades: Map<string, Trade & { kind: string; openid: string }>;
  faults: {
    down: boolean;
    forged: boolean;
    refundIsSlow: boolean;
    /** Refunds that are requested now end in this state. */
    refundEndsAs: '' | 'CLOSED' | 'ABNORMAL';
    billIsMissing: '' | 'NO_STATEMENT_EXIST' | 'STATEMENT_CREATING';
  };
  clock: { now: () => Date };
  pay: (no: string) => void;
  callback: (no: string, changes?: CallbackChanges) => Callback;
  close: () => Promise<void>;
}

const BILL_HEAD =
  '交易时间,公众账号ID,商户号,特约商户号,设备号,微信订单号,商户订单号,用户标识,交易类型,交易状态,付款银行,货币种类,应结订单金额,代金券金额,微信退款单号,商户退款单号,退款金额,充值券退款金额,退款类型,退款状态,商品名称,商户数据包,手续费,费率,订单金额,申请退款金额,费率备注';

function makeBill(trades: Trade[], day: string, appId: string): string {
  const row = (trade: Trade, state: string, at: Date, paid: number, refunded: number): string => {
    const cells: Record<string, string> = {
      交易时间: formatChinaTime(at),
      公众账号ID: appId,
      微信订单号: trade.tradeNo,
      商户订单号: trade.no,
      交易状态: state,
      货币种类: 'CNY',
      应结订单金额: formatYuan(paid),
      退款金额: formatYuan(refunded),
      商品名称: trade.title,
      订单金额: formatYuan(paid),
      申请退款金额: formatYuan(refunded),
    };
    return BILL_HEAD.split(',')
      .map((column) => `\`${cells[column] ?? ''}`)
      .join(',');
  };
  const isOnDay = (at: Date): boolean => formatChinaTime(at).startsWith(day);
  const rows = trades.flatMap((trade) => [
    ...(trade.paidAt !== null && isOnDay(trade.paidAt)
      ? [row(trade, 'SUCCESS', trade.paidAt, trade.amount, 0)]
      : []),
    ...[...trade.refunds.values()]
      .filter(({ at, state }) => isOnDay(at) && state !== 'CLOSED')
      .map(({ amount, at }) => row(trade, 'REFUND', at, 0, amount)),
  ]);
  const sums = '总交易单数,应结订单总金额,退款总金额,充值券退款总金额,手续费总金额,订单总金额,申请退款总金额';
  return `\uFEFF${[BILL_HEAD, ...rows, sums, '`1,`0.00,`0.00,`0.00,`0.00,`0.00,`0.00'].join('\r\n')}\r\n`;
}

export async function startTestWechatPay(): Promise<TestWechatPay> {
  const shopKeys = generateKeys();
  const platform = generateKeys();
  const serial = '5157F09EFDC096DE15EBE81A47057A72';
  const publicKey = { id: 'PUB_KEY_ID_0119000000012026', key: platform.publicKey };
  const names = { appId: 'wx8888888888888888', mchId: '1900000001', serial: 'AB12CD34EF' };
  const apiKey = 'an api v3 key has thirty-two ch.';
  const certificate = createCertificate(platform, serial);
  const trades: TestWechatPay['trades'] = new Map();
  const faults: TestWechatPay['faults'] = {
    down: false,
    forged: false,
    refundIsSlow: false,
    refundEndsAs: '',
    billIsMissing: '',
  };
  const clock = { now: () => new Date() };
  let bill = '';

  function encrypt(text: string, aad: string, key = apiKey) {
    const nonce = randomBytes(6).toString('hex');
    const cipher = createCipheriv('aes-256-gcm', key, nonce);
    cipher.setAAD(Buffer.from(aad));
    const bytes = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return {
      algorithm: 'AEAD_AES_256_GCM',
      ciphertext: bytes.toString('base64'),
      nonce,
      associated_data: aad,
    };
  }

  function signedHeaders(
    body: string,
    { keys = platform, by = serial, timestamp = Math.floor(clock.now().getTime() / 1000) } = {},
  ): Record<string, string> {
    const nonce = randomBytes(16).toString('hex');
    const lines = Buffer.from(`${timestamp}\n${nonce}\n${body}\n`);
    return {
      'wechatpay-serial': by,
      'wechatpay-nonce': nonce,
      'wechatpay-timestamp': String(timestamp),
      'wechatpay-signature': sign('RSA-SHA256', lines, keys.privateKey).toString('base64'),
      'wechatpay-signature-type': 'WECHATPAY2-SHA256-RSA2048',
    };
  }

  function isFromShop({ method, url, headers, body }: TestRequest): boolean {
    const fields = Object.fromEntries(
      [...(headers.authorization ?? '').matchAll(/\b(\w+)="([^"]*)"/g)].map(([, name, value]) => [
        name,
        value,
      ]),
    );
    const lines = `${method}\n${url.pathname}${url.search}\n${fields.timestamp}\n${fields.nonce_str}\n${body}\n`;
    return (
      headers.authorization?.startsWith('WECHATPAY2-SHA256-RSA2048 ') === true &&
      fields.mchid === names.mchId &&
      fields.serial_no === names.serial &&
      Math.abs(Number(fields.timestamp) * 1000 - clock.now().getTime()) < 300_000 &&
      verify(
        'RSA-SHA256',
        Buffer.from(lines),
        shopKeys.publicKey,
        Buffer.from(fields.signature ?? '', 'base64'),
      )
    );
  }

  const transaction = (trade: Trade) => ({
    appid: names.appId,
    mchid: names.mchId,
    out_trade_no: trade.no,
    ...(trade.paidAt === null
      ? {}
      : {
          transaction_id: trade.tradeNo,
          success_time: `${formatChinaTime(trade.paidAt).replace(' ', 'T')}+08:00`,
          payer: { openid: 'o1' },
        }),
    trade_type: 'NATIVE',
    trade_state:
      trade.refunds.size > 0
        ? 'REFUND'
        : { waiting: 'NOTPAY', paid: 'SUCCESS', closed: 'CLOSED' }[trade.state],
    amount: { total: trade.amount, payer_total: trade.amount, currency: 'CNY' },
  });

  type ApiResult = { status: number; json: object | null };
  const ok = (json: object): ApiResult => ({ status: 200, json });
  const failure = (status: number, code: string): ApiResult => ({ status, json: { code, message: '不行' } });

  function createPayment(kind: string, request: Record<string, unknown>): ApiResult {
    const no = String(request.out_trade_no);
    const existing = trades.get(no);
    if (existing !== undefined && existing.kind !== kind) return failure(403, 'OUT_TRADE_NO_USED');
    const { amount, scene_info, payer } = request as {
      amount: { total: number };
      scene_info?: { payer_client_ip?: string };
      payer?: { openid?: string };
    };
    if (request.appid !== names.appId || request.mchid !== names.mchId)
      return failure(400, 'APPID_MCHID_NOT_MATCH');
    if (!Number.isInteger(amount.total) || Buffer.byteLength(String(request.description)) > 127)
      return failure(400, 'PARAM_ERROR');
    if (kind === 'h5' && !scene_info?.payer_client_ip) return failure(400, 'PARAM_ERROR');
    if (kind === 'jsapi' && payer?.openid === undefined) return failure(400, 'PARAM_ERROR');
    const created = createTrade({
      no,
      amount: amount.total,
      title: String(request.description),
      notifyUrl: String(request.notify_url),
      expiresAt: new Date(String(request.time_expire)),
    });
    if (existing === undefined) trades.set(no, { ...created, kind, openid: payer?.openid ?? '' });
    if (kind === 'native') return ok({ code_url: `weixin://wxpay/bizpayurl?pr=${no}` });
    if (kind === 'h5')
      return ok({ h5_url: `https://wx.tenpay.com/cgi-bin/mmpayweb-bin/checkmweb?prepay_id=${no}` });
    return ok({ prepay_id: `wx${no}` });
  }

  function actOnTrade(trade: Trade | undefined, action: string): ApiResult {
    if (trade === undefined) return failure(404, 'ORDER_NOT_EXIST');
    if (action === '') return ok(transaction(trade));
    if (trade.state === 'paid') return failure(400, 'ORDERPAID');
    trade.state = 'closed';
    return { status: 204, json: null };
  }

  function refund(request: {
    out_trade_no: string;
    out_refund_no: string;
    amount: { refund: number; total: number };
  }): ApiResult {
    const trade = trades.get(request.out_trade_no);
    if (trade?.state !== 'paid') return failure(404, 'RESOURCE_NOT_EXISTS');
    if (request.amount.refund !== trade.amount || request.amount.total !== trade.amount)
      return failure(400, 'PARAM_ERROR');
    // The money of a closed refund is still the merchant's; that of an abnormal one is not.
    const open = [...trade.refunds].filter(
      ([no, each]) => no !== request.out_refund_no && each.state !== 'CLOSED',
    );
    if (open.length > 0) return failure(400, 'INVALID_REQUEST');
    if (!trade.refunds.has(request.out_refund_no))
      trade.refunds.set(request.out_refund_no, {
        amount: trade.amount,
        at: clock.now(),
        ...(faults.refundEndsAs !== '' && { state: faults.refundEndsAs }),
      });
    return findRefund(request.out_refund_no);
  }

  function findRefund(refundNo: string): ApiResult {
    const trade = [...trades.values()].find(({ refunds }) => refunds.has(refundNo));
    if (trade === undefined) return failure(404, 'RESOURCE_NOT_EXISTS');
    return ok({
      refund_id: `50${refundNo}`,
      out_refund_no: refundNo,
      out_trade_no: trade.no,
      status: trade.refunds.get(refundNo)?.state ?? (faults.refundIsSlow ? 'PROCESSING' : 'SUCCESS'),
    });
  }

  function applyAbnormalRefund(
    refundId: string,
    request: { out_refund_no: string; type: string },
  ): ApiResult {
    const refundNo = request.out_refund_no;
    const found = [...trades.values()].map(({ refunds }) => refunds.get(refundNo)).find(Boolean);
    if (found?.state !== 'ABNORMAL' || refundId !== `50${refundNo}`) return failure(400, 'INVALID_REQUEST');
    if (request.type !== 'MERCHANT_BANK_CARD') return failure(400, 'PARAM_ERROR');
    found.state = 'SUCCESS';
    return findRefund(refundNo);
  }

  function handleCall({ method, url, body }: TestRequest): ApiResult {
    const [, kind, no = '', action = ''] =
      /^\/v3\/pay\/transactions\/(native|h5|jsapi|out-trade-no)(?:\/(\w+))?(?:\/(close))?$/.exec(
        url.pathname,
      ) ?? [];
    if (kind === 'out-trade-no') return actOnTrade(trades.get(no), action);
    if (kind !== undefined) return createPayment(kind, JSON.parse(body));
    const [, refundId] =
      /^\/v3\/refund\/domestic\/refunds\/(\w+)\/apply-abnormal-refund$/.exec(url.pathname) ?? [];
    if (refundId !== undefined) return applyAbnormalRefund(refundId, JSON.parse(body));
    const [, refundNo] = /^\/v3\/refund\/domestic\/refunds\/(\w+)$/.exec(url.pathname) ?? [];
    if (refundNo !== undefined) return findRefund(refundNo);
    if (method === 'POST' && url.pathname === '/v3/refund/domestic/refunds') return refund(JSON.parse(body));
    if (url.pathname === '/v3/certificates')
      return ok({
        data: [{ serial_no: serial, encrypt_certificate: encrypt(certificate, 'certificate') }],
      });
    if (url.pathname === '/v3/bill/tradebill') {
      if (faults.billIsMissing !== '') return failure(400, faults.billIsMissing);
      bill = makeBill([...trades.values()], url.searchParams.get('bill_date') ?? '', names.appId);
      return ok({
        hash_type: 'SHA1',
        hash_value: createHash('sha1').update(bill).digest('hex'),
        download_url: `${server.url}/v3/billdownload/file?token=t`,
      });
    }
    return failure(404, 'NOT_FOUND');
  }

  function handleRequest(request: TestRequest): TestResponse {
    if (faults.down) return { status: 502, body: 'bad gateway' };
    if (request.url.pathname === '/sns/oauth2/access_token') {
      const isValid = request.url.searchParams.get('code') === 'good-code';
      return {
        status: 200,
        body: JSON.stringify(isValid ? { openid: 'o1' } : { errcode: 40029, errmsg: 'invalid code' }),
      };
    }
    if (!isFromShop(request))
      return { status: 401, body: JSON.stringify({ code: 'SIGN_ERROR', message: '签名错误' }) };
    if (request.url.pathname === '/v3/billdownload/file') return { status: 200, body: bill };
    const { status, json } = handleCall(request);
    const body = json === null ? '' : JSON.stringify(json);
    const given = request.headers['wechatpay-serial'];
    const by = typeof given === 'string' ? given : serial;
    return {
      status,
      headers: signedHeaders(body, { by, ...(faults.forged ? { keys: unknownKeys } : {}) }),
      body,
    };
  }

  const server = await startTestServer(handleRequest);
  return {
    config: {
      ...names,
      appSecret: 'the secret of the app',
      privateKey: shopKeys.privateKey,
      key: apiKey,
      publicKey: null,
      gateway: server.url,
      apiGateway: server.url,
    },
    publicKey,
    shopKey: shopKeys.publicKey,
    trades,
    faults,
    clock,
    pay(no) {
      const trade = trades.get(no);
      if (trade?.state !== 'waiting' || trade.expiresAt < clock.now()) throw new Error('nothing to pay');
      trade.state = 'paid';
      trade.paidAt = clock.now();
    },
    callback(no, changes = {}) {
      const trade = trades.get(no);
      if (trade === undefined) throw new Error('no such trade');
      const content = { ...transaction(trade), ...changes.content };
      const body = JSON.stringify({
        id: randomBytes(16).toString('hex'),
        create_time: `${formatChinaTime(clock.now()).replace(' ', 'T')}+08:00`,
        resource_type: 'encrypt-resource',
        event_type: changes.eventType ?? 'TRANSACTION.SUCCESS',
        summary: '支付成功',
        resource: {
          original_type: 'transaction',
          ...encrypt(JSON.stringify(content), 'transaction', changes.apiKey),
        },
      });
      const { keys = platform, serial: by = serial } = changes;
      const timestamp = changes.timestamp ?? Math.floor(clock.now().getTime() / 1000);
      return { headers: signedHeaders(body, { keys, by, timestamp }), body };
    },
    close: server.close,
  };
}
