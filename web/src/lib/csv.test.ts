import { expect, test } from 'vitest';
import { toCsv } from './csv.ts';

test('has the mark of UTF-8 and a line for each row', () => {
  expect(
    toCsv([
      ['标题', '收益（元）'],
      ['纸上的墨', '-9.90'],
    ]),
  ).toBe('\ufeff标题,收益（元）\r\n纸上的墨,-9.90\r\n');
});

test('quotes what would break a line, and disarms what would be run', () => {
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
