import { expect, test } from 'vitest';
import { toCsv } from './csv.ts';

test('quotes cells that contain commas, quotes or line breaks', () => {
  const csv = toCsv([
    ['昵称', '简介'],
    ['林砚', '写"代码"，\n也写字, 慢慢写'],
  ]);
  expect(csv).toBe('\ufeff昵称,简介\r\n林砚,"写""代码""，\n也写字, 慢慢写"\r\n');
});

test('marks cells that look like formulas as text', () => {
  expect(toCsv([['=1+1', '-2+3', '@a', '+b', '＝1', 'a=b', ' =1']])).toBe(
    "\ufeff'=1+1,'-2+3,'@a,'+b,'＝1,a=b,' =1\r\n",
  );
});

test('leaves negative amounts as numbers', () => {
  expect(toCsv([['-17.91', '-2']])).toBe('\ufeff-17.91,-2\r\n');
});

test('marks numbers that are too long for a spreadsheet as text', () => {
  expect(toCsv([['20261103000000000001', '123456789012345', '19.90']])).toBe(
    "\ufeff'20261103000000000001,123456789012345,19.90\r\n",
  );
});

test('quotes special characters and escapes formulas in a single cell', () => {
  const cells = ['甲, "乙"', '两\n行', '=1+1', '+86', '-2+3', '@SUM(A1)', '＝1', '\t=1', '-5', '3.14'];
  expect(cells.map((cell) => toCsv([[cell]]).slice(1, -2))).toEqual([
    '"甲, ""乙"""',
    '"两\n行"',
    "'=1+1",
    "'+86",
    "'-2+3",
    "'@SUM(A1)",
    "'＝1",
    "'\t=1",
    '-5',
    '3.14',
  ]);
});
