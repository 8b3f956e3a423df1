import { expect, test } from 'vitest';
import { beginAt, endAt } from './day-range.ts';

const TODAY = '2026-03-10';
const range = { from: '2026-03-01', to: '2026-03-07' };

test('one end moves, the other stays where it can', () => {
  expect(beginAt(range, '2026-02-20', TODAY)).toEqual({ from: '2026-02-20', to: '2026-03-07' });
  expect(beginAt(range, '2026-03-09', TODAY)).toEqual({ from: '2026-03-09', to: '2026-03-09' });
  expect(endAt(range, '2026-03-10', TODAY)).toEqual({ from: '2026-03-01', to: '2026-03-10' });
  expect(endAt(range, '2026-02-10', TODAY)).toEqual({ from: '2026-02-10', to: '2026-02-10' });
});

test('never after today, never more than a year', () => {
  expect(beginAt(range, '2026-05-01', TODAY)).toEqual({ from: TODAY, to: TODAY });
  expect(endAt(range, '2026-05-01', TODAY)).toEqual({ from: '2026-03-01', to: TODAY });
  expect(beginAt(range, '2024-01-01', TODAY)).toEqual({ from: '2024-01-01', to: '2024-12-31' });
  expect(endAt({ from: '2024-01-01', to: '2024-06-01' }, TODAY, TODAY)).toEqual({
    from: '2025-03-10',
    to: TODAY,
  });
});
