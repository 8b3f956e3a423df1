import { sign, verify } from 'node:crypto';
import { zipSync } from 'fflate';
import type { AlipayConfig } from '../config/pay.ts';
import {
  chinaTime,
  listen,
  makeKeys,
  makeTrade,
  type Request,
  type Response,
  stranger,
  type Trade,
  yuan,
} from './counterpart.ts';

/** Alipay's gateway as its documents describe it: RSA2 over sorted parameters, in both directions. */
export interface Alipay {
  /** For the shop. */
  config: AlipayConfig;
  trades: Map<string, Trade>;
  faults: { down: boolean; forged: boolean; refusesRefunds: boolean; billIsMissing: boolean };
  clock: { now: () => Date };
  /** The payer opens the page. */
  visit: (url: string) => Promise<Trade>;
  pay: (no: string) => void;
  /** What Alipay sends after a payment; `changes` before, `forged` after it is signed. */
  callback: (no: string, changes?: Record<string, string>, forged?: Record<string, string>) => string;
  close: () => Promise<void>;
}

const sorted = (fields: Record<string, string>, without: string[]): string =>
  Object.keys(fields)
    .filter((name) => !without.includes(name) && fields[name] !== '')
    .sort()
    .map((name) => `${name}=${fields[name]}`)
    .join('&');

let gbk: Map<string, number[]> | undefined;

/** Node reads GBK but does not write it. */
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
    `${trade.tradeNo}\t,${trade.no}\t,${type}\t,${trade.title}\t,${chinaTime(at)},${chinaTime(at)}\t,\t,\t,\t,\t,读者(rea***@x.test),${amount},${amount},\t`;
  const isThen = (at: Date): boolean => chinaTime(at).startsWith(day);
  const rows = trades.flatMap((trade) => [
    ...(trade.paidAt !== null && isThen(trade.paidAt)
      ? [row(trade, '交易', trade.paidAt, yuan(trade.amount))]
      : []),
    ...[...trade.refunds.values()]
      .filter(({ at }) => isThen(at))
      .map(({ amount, at }) => row(trade, '退款', at, `-${yuan(amount)}`)),
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

export async function startAlipay(): Promise<Alipay> {
  const shop = makeKeys();
  const own = makeKeys();
  const appId = '2021000000000001';
  const trades: Alipay['trades'] = new Map();
  const faults: Alipay['faults'] = {
    down: false,
    forged: false,
    refusesRefunds: false,
    billIsMissing: false,
  };
  const clock = { now: () => new Date() };
  const signed = (text: string, keys = own): string =>
    sign('RSA-SHA256', Buffer.from(text), keys.privateKey).toString('base64');

  function isFromShop(fields: Record<string, string>): boolean {
    const age = Math.abs(Date.parse(`${fields.timestamp?.replace(' ', 'T')}+08:00`) - clock.now().getTime());
    return (
      fields.app_id === appId &&
      fields.sign_type === 'RSA2' &&
      age < 60_000 &&
      verify(
        'RSA-SHA256',
        Buffer.from(sorted(fields, ['sign'])),
        shop.publicKey,
        Buffer.from(fields.sign ?? '', 'base64'),
      )
    );
  }

  const done = { code: '10000', msg: 'Success' };
  const refused = (code: string) => ({
    code: '40004',
    msg: 'Business Failed',
    sub_code: code,
    sub_msg: '不行',
  });

  function act(method: string, biz: Record<string, string>): object {
    const trade = trades.get(biz.out_trade_no ?? '');
    if (method === 'alipay.data.dataservice.bill.downloadurl.query')
      return faults.billIsMissing
        ? refused('isp.bill_not_exist')
        : { ...done, bill_download_url: `${machine.url}/bill?day=${biz.bill_date}` };
    if (trade === undefined) return refused('ACQ.TRADE_NOT_EXIST');
    const names = { ...done, out_trade_no: trade.no, trade_no: trade.tradeNo };
    if (method === 'alipay.trade.query') {
      const status = { waiting: 'WAIT_BUYER_PAY', paid: 'TRADE_SUCCESS', closed: 'TRADE_CLOSED' }[
        trade.state
      ];
      const paid = trade.paidAt === null ? {} : { send_pay_date: chinaTime(trade.paidAt) };
      return { ...names, trade_status: status, total_amount: yuan(trade.amount), ...paid };
    }
    if (method === 'alipay.trade.close') {
      if (trade.state !== 'waiting') return refused('ACQ.TRADE_STATUS_ERROR');
      trade.state = 'closed';
      return names;
    }
    const refundNo = biz.out_request_no ?? '';
    if (method === 'alipay.trade.refund') {
      if (faults.refusesRefunds) return refused('ACQ.SELLER_BALANCE_NOT_ENOUGH');
      if (trade.paidAt === null) return refused('ACQ.TRADE_STATUS_ERROR');
      const isNew = !trade.refunds.has(refundNo);
      if (isNew && yuan(trade.amount) !== biz.refund_amount) return refused('ACQ.REFUND_AMT_NOT_EQUAL_TOTAL');
      if (isNew) trade.refunds.set(refundNo, { amount: trade.amount, at: clock.now() });
      trade.state = 'closed';
      return { ...names, fund_change: isNew ? 'Y' : 'N' };
    }
    if (method === 'alipay.trade.fastpay.refund.query')
      return trade.refunds.has(refundNo) ? { ...names, refund_status: 'REFUND_SUCCESS' } : done;
    return refused('isv.invalid-method');
  }

  /** Opening the page makes the trade. */
  function open(fields: Record<string, string>): Response {
    const biz = JSON.parse(fields.biz_content ?? '{}') as Record<string, string>;
    if (!isFromShop(fields)) return { status: 403, body: 'ILLEGAL_SIGN' };
    if (new Date(`${biz.time_expire?.replace(' ', 'T')}+08:00`) < clock.now())
      return { status: 410, body: '' };
    const no = biz.out_trade_no ?? '';
    const known = trades.get(no);
    if (known === undefined)
      trades.set(
        no,
        makeTrade({
          no,
          amount: Math.round(Number(biz.total_amount) * 100),
          title: biz.subject ?? '',
          notifyUrl: fields.notify_url ?? '',
          expiresAt: new Date(`${biz.time_expire?.replace(' ', 'T')}+08:00`),
        }),
      );
    return { status: 200, body: `${fields.method} ${no}` };
  }

  function answer({ method, url, body }: Request): Response {
    if (faults.down) return { status: 502, body: 'bad gateway' };
    if (url.pathname === '/bill')
      return { status: 200, body: makeBill([...trades.values()], url.searchParams.get('day') ?? '') };
    const fields = Object.fromEntries([...url.searchParams, ...new URLSearchParams(body)]);
    if (method === 'GET') return open(fields);
    const said = isFromShop(fields)
      ? act(fields.method ?? '', JSON.parse(fields.biz_content ?? '{}'))
      : { code: '40002', msg: 'Invalid Arguments', sub_code: 'isv.invalid-signature', sub_msg: '验签出错' };
    const text = JSON.stringify(said);
    const key = `${fields.method?.replaceAll('.', '_')}_response`;
    const signature = signed(text, faults.forged ? stranger : own);
    return { status: 200, body: `{"${key}":${text},"sign":"${signature}"}` };
  }

  const machine = await listen(answer);
  return {
    config: {
      appId,
      privateKey: shop.privateKey,
      publicKey: own.publicKey,
      gateway: `${machine.url}/gateway.do`,
    },
    trades,
    faults,
    clock,
    async visit(url) {
      const response = await fetch(url);
      const [, no = ''] = (await response.text()).split(' ');
      const trade = trades.get(no);
      if (trade === undefined) throw new Error(`the page answers ${response.status}`);
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
        notify_time: chinaTime(clock.now()),
        out_trade_no: trade.no,
        trade_no: trade.tradeNo,
        subject: trade.title,
        trade_status: 'TRADE_SUCCESS',
        total_amount: yuan(trade.amount),
        gmt_payment: chinaTime(trade.paidAt ?? clock.now()),
        ...changes,
      };
      const signature = signed(sorted(fields, []));
      return new URLSearchParams({ ...fields, sign_type: 'RSA2', sign: signature, ...forged }).toString();
    },
    close: machine.close,
  };
}
