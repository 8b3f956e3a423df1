import { sign, verify } from 'node:crypto';
import { zipSync } from 'fflate';
import type { AlipayConfig } from '../config/pay.ts';
import {
  createTrade,
  formatChinaTime,
  formatYuan,
  generateKeys,
  startTestServer,
  type TestRequest,
  type TestResponse,
  type Trade,
  unknownKeys,
} from './http-server.ts';

/** Imitates Alipay's gateway by its documentation: requests and responses are signed with RSA2 over sorted parameters. */
export interface TestAlipay {
  /** The configuration of the server under test. */
  config: AlipayConfig;
  trades: Map<string, Trade>;
  faults: { down: boolean; forged: boolean; refusesRefunds: boolean; billIsMissing: boolean };
  clock: { now: () => Date };
  openPaymentPage: (url: string) => Promise<Trade>;
  pay: (no: string) => void;
  /** Builds the callback after a payment; `changes` are applied before signing, `forged` after it. */
  callback: (no: string, changes?: Record<string, string>, forged?: Record<string, string>) => string;
  close: () => Promise<void>;
}

const toSortedQuery = (fields: Record<string, string>, without: string[]): string =>
  Object.keys(fields)
    .filter((name) => !without.includes(name) && fields[name] !== '')
    .sort()
    .map((name) => `${name}=${fields[name]}`)
    .join('&');

let gbk: Map<string, number[]> | undefined;

/** Node can decode GBK but not encode it. */
function toGbk(text: string): Uint8Array {
  if (gbk === undefined) {
    gbk = new Map();
    const decoder = new TextDecoder('gbk');
    for (let high = 0x81; high <= 0xfe; high++) {
      for (let low = 0x40; low <= 0xfe; low++) {
        const char = decoder.decode(Uint8Array.of(high, low));
        if ([...char].length === 1) gbk.set(char, [high, low]);
      }
    }
  }
  const table = gbk;
  return Uint8Array.from([...text].flatMap((char) => table.get(char) ?? [char.charCodeAt(0)]));
}

const BILL_HEAD =
  '支付宝交易号,商户订单号,业务类型,商品名称,创建时间,完成时间,门店编号,门店名称,操作员,终端号,对方账户,订单金额（元）,商家实收（元）,备注';

function makeBill(trades: Trade[], day: string): Uint8Array {
  const row = (trade: Trade, type: string, at: Date, amount: string): string =>
    `${trade.tradeNo}\t,${trade.no}\t,${type}\t,${trade.title}\t,${formatChinaTime(at)},${formatChinaTime(at)}\t,\t,\t,\t,\t,读者(rea***@x.test),${amount},${amount},\t`;
  const isOnDay = (at: Date): boolean => formatChinaTime(at).startsWith(day);
  const rows = trades.flatMap((trade) => [
    ...(trade.paidAt !== null && isOnDay(trade.paidAt)
      ? [row(trade, '交易', trade.paidAt, formatYuan(trade.amount))]
      : []),
    ...[...trade.refunds.values()]
      .filter(({ at }) => isOnDay(at))
      .map(({ amount, at }) => row(trade, '退款', at, `-${formatYuan(amount)}`)),
  ]);
  const details = [
    '#支付宝业务明细查询',
    `#起始日期：[${day}]`,
    '#-----------------------------------------业务明细列表----------------------------------------',
    BILL_HEAD,
    ...rows,
    '#-----------------------------------------业务明细列表结束------------------------------------',
    `#交易合计：${rows.length}笔`,
  ];
  return zipSync({
    'summary.csv': toGbk('#支付宝业务汇总查询\r\n门店编号,门店名称,交易订单总笔数\r\n'),
    'details.csv': toGbk(`${details.join('\r\n')}\r\n`),
  });
}

export async function startTestAlipay(): Promise<TestAlipay> {
  const shopKeys = generateKeys();
  const alipayKeys = generateKeys();
  const appId = '2021000000000001';
  const trades: TestAlipay['trades'] = new Map();
  const faults: TestAlipay['faults'] = {
    down: false,
    forged: false,
    refusesRefunds: false,
    billIsMissing: false,
  };
  const clock = { now: () => new Date() };
  const signText = (text: string, keys = alipayKeys): string =>
    sign('RSA-SHA256', Buffer.from(text), keys.privateKey).toString('base64');

  function isFromShop(fields: Record<string, string>): boolean {
    const age = Math.abs(Date.parse(`${fields.timestamp?.replace(' ', 'T')}+08:00`) - clock.now().getTime());
    return (
      fields.app_id === appId &&
      fields.sign_type === 'RSA2' &&
      age < 60_000 &&
      verify(
        'RSA-SHA256',
        Buffer.from(toSortedQuery(fields, ['sign'])),
        shopKeys.publicKey,
        Buffer.from(fields.sign ?? '', 'base64'),
      )
    );
  }

  const success = { code: '10000', msg: 'Success' };
  const failure = (code: string) => ({
    code: '40004',
    msg: 'Business Failed',
    sub_code: code,
    sub_msg: '不行',
  });

  function handleMethod(method: string, biz: Record<string, string>): object {
    const trade = trades.get(biz.out_trade_no ?? '');
    if (method === 'alipay.data.dataservice.bill.downloadurl.query')
      return faults.billIsMissing
        ? failure('isp.bill_not_exist')
        : { ...success, bill_download_url: `${server.url}/bill?day=${biz.bill_date}` };
    if (trade === undefined) return failure('ACQ.TRADE_NOT_EXIST');
    const names = { ...success, out_trade_no: trade.no, trade_no: trade.tradeNo };
    if (method === 'alipay.trade.query') {
      const status = { waiting: 'WAIT_BUYER_PAY', paid: 'TRADE_SUCCESS', closed: 'TRADE_CLOSED' }[
        trade.state
      ];
      const paid = trade.paidAt === null ? {} : { send_pay_date: formatChinaTime(trade.paidAt) };
      return { ...names, trade_status: status, total_amount: formatYuan(trade.amount), ...paid };
    }
    if (method === 'alipay.trade.close') {
      if (trade.state !== 'waiting') return failure('ACQ.TRADE_STATUS_ERROR');
      trade.state = 'closed';
      return names;
    }
    const refundNo = biz.out_request_no ?? '';
    if (method === 'alipay.trade.refund') {
      if (faults.refusesRefunds) return failure('ACQ.SELLER_BALANCE_NOT_ENOUGH');
      if (trade.paidAt === null) return failure('ACQ.TRADE_STATUS_ERROR');
      const isNew = !trade.refunds.has(refundNo);
      if (isNew && formatYuan(trade.amount) !== biz.refund_amount)
        return failure('ACQ.REFUND_AMT_NOT_EQUAL_TOTAL');
      if (isNew) trade.refunds.set(refundNo, { amount: trade.amount, at: clock.now() });
      trade.state = 'closed';
      return { ...names, fund_change: isNew ? 'Y' : 'N' };
    }
    if (method === 'alipay.trade.fastpay.refund.query')
      return trade.refunds.has(refundNo) ? { ...names, refund_status: 'REFUND_SUCCESS' } : success;
    return failure('isv.invalid-method');
  }

  function openPage(fields: Record<string, string>): TestResponse {
    const biz = JSON.parse(fields.biz_content ?? '{}') as Record<string, string>;
    if (!isFromShop(fields)) return { status: 403, body: 'ILLEGAL_SIGN' };
    if (new Date(`${biz.time_expire?.replace(' ', 'T')}+08:00`) < clock.now())
      return { status: 410, body: '' };
    const no = biz.out_trade_no ?? '';
    const existing = trades.get(no);
    if (existing === undefined)
      trades.set(
        no,
        createTrade({
          no,
          amount: Math.round(Number(biz.total_amount) * 100),
          title: biz.subject ?? '',
          notifyUrl: fields.notify_url ?? '',
          expiresAt: new Date(`${biz.time_expire?.replace(' ', 'T')}+08:00`),
        }),
      );
    return { status: 200, body: `${fields.method} ${no}` };
  }

  function handleRequest({ method, url, body }: TestRequest): TestResponse {
    if (faults.down) return { status: 502, body: 'bad gateway' };
    if (url.pathname === '/bill')
      return { status: 200, body: makeBill([...trades.values()], url.searchParams.get('day') ?? '') };
    const fields = Object.fromEntries([...url.searchParams, ...new URLSearchParams(body)]);
    if (method === 'GET') return openPage(fields);
    const result = isFromShop(fields)
      ? handleMethod(fields.method ?? '', JSON.parse(fields.biz_content ?? '{}'))
      : { code: '40002', msg: 'Invalid Arguments', sub_code: 'isv.invalid-signature', sub_msg: '验签出错' };
    const text = JSON.stringify(result);
    const key = `${fields.method?.replaceAll('.', '_')}_response`;
    const signature = signText(text, faults.forged ? unknownKeys : alipayKeys);
    return { status: 200, body: `{"${key}":${text},"sign":"${signature}"}` };
  }

  const server = await startTestServer(handleRequest);
  return {
    config: {
      appId,
      privateKey: shopKeys.privateKey,
      publicKey: alipayKeys.publicKey,
      gateway: `${server.url}/gateway.do`,
    },
    trades,
    faults,
    clock,
    async openPaymentPage(url) {
      const response = await fetch(url);
      const [, no = ''] = (await response.text()).split(' ');
      const trade = trades.get(no);
      if (trade === undefined) throw new Error(`the payment page returned status ${response.status}`);
      return trade;
    },
    pay(no) {
      const trade = trades.get(no);
      if (trade?.state !== 'waiting') throw new Error('nothing to pay');
      trade.state = 'paid';
      trade.paidAt = clock.now();
    },
    callback(no, changes = {}, forged = {}) {
      const trade = trades.get(no);
      if (trade === undefined) throw new Error('no such trade');
      const fields: Record<string, string> = {
        app_id: appId,
        auth_app_id: appId,
        charset: 'utf-8',
        version: '1.0',
        notify_type: 'trade_status_sync',
        notify_id: `n${trade.tradeNo}`,
        notify_time: formatChinaTime(clock.now()),
        out_trade_no: trade.no,
        trade_no: trade.tradeNo,
        subject: trade.title,
        trade_status: 'TRADE_SUCCESS',
        total_amount: formatYuan(trade.amount),
        gmt_payment: formatChinaTime(trade.paidAt ?? clock.now()),
        ...changes,
      };
      const signature = signText(toSortedQuery(fields, []));
      return new URLSearchParams({ ...fields, sign_type: 'RSA2', sign: signature, ...forged }).toString();
    },
    close: server.close,
  };
}
