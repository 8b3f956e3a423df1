import { expect, test } from 'vitest';
import { findLosses, table } from './ratios.ts';

test('warns of a line that lost more than 15 % of its ratio, and of no other', () => {
  const kept = { page: 0.8, list: 0.8, start: 0.05 };
  const lines = [
    { name: 'page', ratio: 0.67 },
    { name: 'list', ratio: 0.69 },
    { name: 'start', ratio: 0.09 },
    { name: 'new', ratio: 0.01 },
  ];
  expect(findLosses(kept, lines)).toEqual(['"page" has lost 16 %: 0.67 of bare Node, was 0.80']);
});

test('shows lines with one figure in the same table', () => {
  const lines = [
    { name: 'page', ratio: 0.8, figures: { rate: 10_814, nodeMs: 0.09, databaseMs: 0 }, goal: 'ratio 0.8' },
    { name: 'start', ratio: 0.05, value: '1.4 s', goal: '1.0 s' },
  ];
  expect(table(lines).split('\n').slice(2)).toEqual([
    '| page | 10,814 | 0.80 | 0.09 | 0.00 | – | ratio 0.8 |',
    '| start | 1.4 s | 0.050 | – | – | – | 1.0 s |',
  ]);
});
