import { Piscina } from 'piscina';
import { expect, test, vi } from 'vitest';
import { SYSTEM } from '../../../threads/fair-queue.ts';
import { listUnscreened } from './code.ts';

test('a thread that fails once takes no later text with it', async () => {
  const run = vi.spyOn(Piscina.prototype, 'run').mockRejectedValueOnce(new Error('no thread'));
  expect(await listUnscreened(SYSTEM, '甲 `乙` 丙')).toEqual([]);
  run.mockRestore();
  expect(await listUnscreened(SYSTEM, '甲 `乙` 丙')).toEqual([[2, 5]]);
});
