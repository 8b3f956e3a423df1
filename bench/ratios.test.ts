import { expect, test } from 'vitest';
import { findRegressions, table } from './ratios.ts';

test('warns only about lines that lost more than 15 % of their ratio', () => {
  const stored = { page: 0.8, list: 0.8, start: 0.05 };
  const lines = [
    { name: 'page', ratio: 0.67 },
    { name: 'list', ratio: 0.69 },
    { name: 'start', ratio: 0.09 },
    { name: 'new', ratio: 0.01 },
  ];
  expect(findRegressions(stored, lines)).toEqual(['"page" has lost 16 %: 0.67 of bare Node, was 0.80']);
});

test('includes lines with a single value in the table', () => {
  const lines = [
    { name: 'page', ratio: 0.8, figures: { rate: 10_814, nodeMs: 0.09, databaseMs: 0 }, goal: 'ratio 0.8' },
    { name: 'start', ratio: 0.05, value: '1.4 s', goal: '1.0 s' },
  ];
  expect(table(lines).split('\n').slice(2)).toEqual([
    '| page | 10,814 | 0.80 | 0.09 | 0.00 | – | ratio 0.8 |',
    '| start | 1.4 s | 0.050 | – | – | – | 1.0 s |',
  ]);
});
