import { buffer } from 'node:stream/consumers';
import { fromBufferPromise } from 'yauzl';
import { toFen } from './money.ts';
import type { StatementLine } from './provider.ts';

type Row = (column: string) => string;

/** Returns the rows after the first line that contains all these columns, up to the first line of another format. */
function parseTable(text: string, columns: string[]): Row[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const head = lines.findIndex((line) => {
    const names = splitLine(line);
    return columns.every((column) => names.includes(column));
  });
  if (head === -1) throw new Error('statement: unknown format');
  const names = splitLine(lines[head] ?? '');
  const rows: Row[] = [];
  for (const line of lines.slice(head + 1)) {
    const cells = splitLine(line);
    if (line.startsWith('#') || cells.length < names.length) break;
    rows.push((column) => cells[names.indexOf(column)] ?? '');
  }
  return rows;
}

/** Removes the tabs (Alipay) and leading backticks (WeChat) that keep spreadsheets from rounding long numbers. */
function splitLine(line: string): string[] {
  const cells = [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
    ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
  );
  return cells.map((cell) => cell.trim().replace(/^`/, ''));
}

/** 业务明细: a zip with details and sums as CSV in GBK. */
export async function parseAlipayStatement(zip: Uint8Array): Promise<StatementLine[]> {
  const columns = ['支付宝交易号', '商户订单号', '业务类型', '订单金额（元）'];
  const decode = new TextDecoder('gbk');
  const archive = await fromBufferPromise(Buffer.from(zip), { decodeStrings: false });
  const files: string[] = [];
  for await (const entry of archive.eachEntry())
    files.push(decode.decode(await buffer(await archive.openReadStreamPromise(entry))));
  const details = files.find((text) => text.includes('支付宝交易号'));
  if (details === undefined) throw new Error('statement: no details');
  return parseTable(details, columns).map((row) => ({
    no: row('商户订单号'),
    tradeNo: row('支付宝交易号'),
    kind: row('业务类型') === '退款' ? 'refund' : 'payment',
    amount: Math.abs(toFen(row('订单金额（元）'))),
  }));
}

/** 交易账单 of type ALL, in which refunds have separate rows. The merchant may have other apps, which are filtered out. */
export function parseWechatStatement(csv: Uint8Array, appId: string): StatementLine[] {
  const columns = ['公众账号ID', '微信订单号', '商户订单号', '交易状态', '订单金额', '申请退款金额'];
  return parseTable(new TextDecoder().decode(csv), columns)
    .filter((row) => row('公众账号ID') === appId && /^(SUCCESS|REFUND)$/.test(row('交易状态')))
    .map((row) => {
      const isRefund = row('交易状态') === 'REFUND';
      return {
        no: row('商户订单号'),
        tradeNo: row('微信订单号'),
        kind: isRefund ? 'refund' : 'payment',
        amount: toFen(row(isRefund ? '申请退款金额' : '订单金额')),
      };
    });
}
