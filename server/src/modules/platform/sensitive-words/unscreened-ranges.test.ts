import { Piscina } from 'piscina';
import { expect, test, vi } from 'vitest';
import { SYSTEM_CALLER } from '../../../threads/fair-queue.ts';
import { listUnscreenedRanges } from './unscreened-ranges.ts';

test('a failed thread does not affect later texts', async () => {
  const run = vi.spyOn(Piscina.prototype, 'run').mockRejectedValueOnce(new Error('no thread'));
  expect(await listUnscreenedRanges(SYSTEM_CALLER, '甲 `乙` 丙')).toEqual([]);
  run.mockRestore();
  expect(await listUnscreenedRanges(SYSTEM_CALLER, '甲 `乙` 丙')).toEqual([[2, 5]]);
});
