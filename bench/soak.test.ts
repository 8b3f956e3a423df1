import { expect, test } from 'vitest';
import { describeTrends } from './soak.ts';

const windows = (numbers: number[]) => numbers.map((number) => ({ node: number, database: 80, p99: number }));

test('reports stable memory and p99 after the first window', () => {
  expect(describeTrends(windows([120, 200, 205, 199, 204, 202, 201]))).toEqual([
    'memory of the server is flat: 205 → 202 MB',
    'memory of PostgreSQL is flat: 80 → 80 MB',
    'p99 does not drift: 205 → 202 ms',
  ]);
});

test('reports growing memory and drifting p99', () => {
  expect(describeTrends(windows([120, 200, 230, 260, 290, 320, 350]))).toEqual([
    'memory of the server GROWS: 230 → 350 MB',
    'memory of PostgreSQL is flat: 80 → 80 MB',
    'p99 DRIFTS: 230 → 350 ms',
  ]);
});
