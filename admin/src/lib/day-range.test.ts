import { expect, test } from 'vitest';
import { withEnd, withStart } from './day-range.ts';

const TODAY = '2026-03-10';
const range = { from: '2026-03-01', to: '2026-03-07' };

test('moving one end keeps the other when possible', () => {
  expect(withStart(range, '2026-02-20', TODAY)).toEqual({ from: '2026-02-20', to: '2026-03-07' });
  expect(withStart(range, '2026-03-09', TODAY)).toEqual({ from: '2026-03-09', to: '2026-03-09' });
  expect(withEnd(range, '2026-03-10', TODAY)).toEqual({ from: '2026-03-01', to: '2026-03-10' });
  expect(withEnd(range, '2026-02-10', TODAY)).toEqual({ from: '2026-02-10', to: '2026-02-10' });
});

test('never ends after today or exceeds a year', () => {
  expect(withStart(range, '2026-05-01', TODAY)).toEqual({ from: TODAY, to: TODAY });
  expect(withEnd(range, '2026-05-01', TODAY)).toEqual({ from: '2026-03-01', to: TODAY });
  expect(withStart(range, '2024-01-01', TODAY)).toEqual({ from: '2024-01-01', to: '2024-12-31' });
  expect(withEnd({ from: '2024-01-01', to: '2024-06-01' }, TODAY, TODAY)).toEqual({
    from: '2025-03-10',
    to: TODAY,
  });
});
