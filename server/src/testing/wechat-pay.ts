import { createCipheriv, createHash, type KeyObject, randomBytes, sign, verify } from 'node:crypto';
import type { WechatPayConfig } from '../config/pay.ts';
import { makeCertificate } from './certificate.ts';
import {
  chinaTime,
  type Keys,
  listen,
  makeKeys,
  makeTrade,
  type Request,
  type Response,
  stranger,
  type Trade,
  yuan,
} from './counterpart.ts';

export interface Callback {
  headers: Record<string, string>;
  body: string;
}

/** How a callback differs from a right one. */
export interface CallbackChanges {
  content?: object;
  eventType?: string;
  /** Seconds since 1970. */
  timestamp?: number;
  keys?: Keys;
  serial?: string;
  apiKey?: string;
}

/** WeChat Pay's API v3 as its documents describe it. */
export interface WechatPay {
  /** For a shop that fetches certificates. */
  config: WechatPayConfig;
  /** For a shop that was given the public key. */
  publicKey: NonNullable<WechatPayConfig['publicKey']>;
  shopKey: KeyObject;
  trades: Map<string, Trade & { kind: string; openid: string }>;
  faults: {
    down: boolean;
    forged: boolean;
    refundIsSlow: boolean;
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
      交易时间: chinaTime(at),
      公众账号ID: appId,
      微信订单号: trade.tradeNo,
      商户订单号: trade.no,
      交易状态: state,
      货币种类: 'CNY',
      应结订单金额: yuan(paid),
      退款金额: yuan(refunded),
      商品名称: trade.title,
      订单金额: yuan(paid),
      申请退款金额: yuan(refunded),
    };
    return BILL_HEAD.split(',')
      .map((column) => `\`${cells[column] ?? ''}`)
      .join(',');
  };
  const isThen = (at: Date): boolean => chinaTime(at).startsWith(day);
  const rows = trades.flatMap((trade) => [
    ...(trade.paidAt !== null && isThen(trade.paidAt)
      ? [row(trade, 'SUCCESS', trade.paidAt, trade.amount, 0)]
      : []),
    ...[...trade.refunds.values()]
      .filter(({ at }) => isThen(at))
      .map(({ amount, at }) => row(trade, 'REFUND', at, 0, amount)),
  ]);
  const sums = '总交易单数,应结订单总金额,退款总金额,充值券退款总金额,手续费总金额,订单总金额,申请退款总金额';
  return `\uFEFF${[BILL_HEAD, ...rows, sums, '`1,`0.00,`0.00,`0.00,`0.00,`0.00,`0.00'].join('\r\n')}\r\n`;
}

export async function startWechatPay(): Promise<WechatPay> {
  const shop = makeKeys();
  const platform = makeKeys();
  const serial = '5157F09EFDC096DE15EBE81A47057A72';
  const publicKey = { id: 'PUB_KEY_ID_0119000000012026', key: platform.publicKey };
  const names = { appId: 'wx8888888888888888', mchId: '1900000001', serial: 'AB12CD34EF' };
  const apiKey = 'an api v3 key has thirty-two ch.';
  const certificate = makeCertificate(platform, serial);
  const trades: WechatPay['trades'] = new Map();
  const faults: WechatPay['faults'] = { down: false, forged: false, refundIsSlow: false, billIsMissing: '' };
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

  function isFromShop({ method, url, headers, body }: Request): boolean {
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
      verify('RSA-SHA256', Buffer.from(lines), shop.publicKey, Buffer.from(fields.signature ?? '', 'base64'))
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
          success_time: `${chinaTime(trade.paidAt).replace(' ', 'T')}+08:00`,
          payer: { openid: 'o1' },
        }),
    trade_type: 'NATIVE',
    trade_state:
      trade.refunds.size > 0
        ? 'REFUND'
        : { waiting: 'NOTPAY', paid: 'SUCCESS', closed: 'CLOSED' }[trade.state],
    amount: { total: trade.amount, payer_total: trade.amount, currency: 'CNY' },
  });

  type Said = { status: number; json: object | null };
  const ok = (json: object): Said => ({ status: 200, json });
  const refused = (status: number, code: string): Said => ({ status, json: { code, message: '不行' } });

  function place(kind: string, asked: Record<string, unknown>): Said {
    const no = String(asked.out_trade_no);
    const known = trades.get(no);
    if (known !== undefined && known.kind !== kind) return refused(403, 'OUT_TRADE_NO_USED');
    const { amount, scene_info, payer } = asked as {
      amount: { total: number };
      scene_info?: { payer_client_ip?: string };
      payer?: { openid?: string };
    };
    if (asked.appid !== names.appId || asked.mchid !== names.mchId)
      return refused(400, 'APPID_MCHID_NOT_MATCH');
    if (!Number.isInteger(amount.total) || Buffer.byteLength(String(asked.description)) > 127)
      return refused(400, 'PARAM_ERROR');
    if (kind === 'h5' && !scene_info?.payer_client_ip) return refused(400, 'PARAM_ERROR');
    if (kind === 'jsapi' && payer?.openid === undefined) return refused(400, 'PARAM_ERROR');
    const made = makeTrade({
      no,
      amount: amount.total,
      title: String(asked.description),
      notifyUrl: String(asked.notify_url),
      expiresAt: new Date(String(asked.time_expire)),
    });
    if (known === undefined) trades.set(no, { ...made, kind, openid: payer?.openid ?? '' });
    if (kind === 'native') return ok({ code_url: `weixin://wxpay/bizpayurl?pr=${no}` });
    if (kind === 'h5')
      return ok({ h5_url: `https://wx.tenpay.com/cgi-bin/mmpayweb-bin/checkmweb?prepay_id=${no}` });
    return ok({ prepay_id: `wx${no}` });
  }

  function actOnTrade(trade: Trade | undefined, action: string): Said {
    if (trade === undefined) return refused(404, 'ORDER_NOT_EXIST');
    if (action === '') return ok(transaction(trade));
    if (trade.state === 'paid') return refused(400, 'ORDERPAID');
    trade.state = 'closed';
    return { status: 204, json: null };
  }

  function refund(asked: {
    out_trade_no: string;
    out_refund_no: string;
    amount: { refund: number; total: number };
  }): Said {
    const trade = trades.get(asked.out_trade_no);
    if (trade?.state !== 'paid') return refused(404, 'RESOURCE_NOT_EXISTS');
    if (asked.amount.refund !== trade.amount || asked.amount.total !== trade.amount)
      return refused(400, 'PARAM_ERROR');
    if (!trade.refunds.has(asked.out_refund_no) && trade.refunds.size > 0)
      return refused(400, 'INVALID_REQUEST');
    trade.refunds.set(asked.out_refund_no, { amount: trade.amount, at: clock.now() });
    return findRefund(asked.out_refund_no);
  }

  function findRefund(refundNo: string): Said {
    const trade = [...trades.values()].find(({ refunds }) => refunds.has(refundNo));
    if (trade === undefined) return refused(404, 'RESOURCE_NOT_EXISTS');
    return ok({
      out_refund_no: refundNo,
      out_trade_no: trade.no,
      status: faults.refundIsSlow ? 'PROCESSING' : 'SUCCESS',
    });
  }

  function act({ method, url, body }: Request): Said {
    const [, kind, no = '', action = ''] =
      /^\/v3\/pay\/transactions\/(native|h5|jsapi|out-trade-no)(?:\/(\w+))?(?:\/(close))?$/.exec(
        url.pathname,
      ) ?? [];
    if (kind === 'out-trade-no') return actOnTrade(trades.get(no), action);
    if (kind !== undefined) return place(kind, JSON.parse(body));
    const [, refundNo] = /^\/v3\/refund\/domestic\/refunds\/(\w+)$/.exec(url.pathname) ?? [];
    if (refundNo !== undefined) return findRefund(refundNo);
    if (method === 'POST' && url.pathname === '/v3/refund/domestic/refunds') return refund(JSON.parse(body));
    if (url.pathname === '/v3/certificates')
      return ok({
        data: [{ serial_no: serial, encrypt_certificate: encrypt(certificate, 'certificate') }],
      });
    if (url.pathname === '/v3/bill/tradebill') {
      if (faults.billIsMissing !== '') return refused(400, faults.billIsMissing);
      bill = makeBill([...trades.values()], url.searchParams.get('bill_date') ?? '', names.appId);
      return ok({
        hash_type: 'SHA1',
        hash_value: createHash('sha1').update(bill).digest('hex'),
        download_url: `${machine.url}/v3/billdownload/file?token=t`,
      });
    }
    return refused(404, 'NOT_FOUND');
  }

  function answer(request: Request): Response {
    if (faults.down) return { status: 502, body: 'bad gateway' };
    if (request.url.pathname === '/sns/oauth2/access_token') {
      const isRight = request.url.searchParams.get('code') === 'good-code';
      return {
        status: 200,
        body: JSON.stringify(isRight ? { openid: 'o1' } : { errcode: 40029, errmsg: 'invalid code' }),
      };
    }
    if (!isFromShop(request))
      return { status: 401, body: JSON.stringify({ code: 'SIGN_ERROR', message: '签名错误' }) };
    if (request.url.pathname === '/v3/billdownload/file') return { status: 200, body: bill };
    const { status, json } = act(request);
    const body = json === null ? '' : JSON.stringify(json);
    const given = request.headers['wechatpay-serial'];
    const by = typeof given === 'string' ? given : serial;
    return {
      status,
      headers: signedHeaders(body, { by, ...(faults.forged ? { keys: stranger } : {}) }),
      body,
    };
  }

  const machine = await listen(answer);
  return {
    config: {
      ...names,
      appSecret: 'the secret of the app',
      privateKey: shop.privateKey,
      key: apiKey,
      publicKey: null,
      gateway: machine.url,
      apiGateway: machine.url,
    },
    publicKey,
    shopKey: shop.publicKey,
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
        create_time: `${chinaTime(clock.now()).replace(' ', 'T')}+08:00`,
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
    close: machine.close,
  };
}
