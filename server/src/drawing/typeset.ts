import type { Caller } from '../threads/fair-queue.ts';
import { createThreadQueue } from '../threads/threads.ts';
import type { TextBlock, TypesetBlock } from './typeset-worker.ts';

export type { TextBlock, TypesetBlock } from './typeset-worker.ts';

const inThread = createThreadQueue<readonly TextBlock[], TypesetBlock[]>({
  file: new URL('./typeset-worker.ts', import.meta.url),
  // Loading the fonts of all characters would take several hundred megabytes.
  memoryMb: 256,
  // The thread is stopped when idle, which releases the memory of its fonts.
  idleMs: 60_000,
  timeoutMs: 10_000,
  maxWaiting: 30,
  maxWaitingPerCaller: 15,
  busyMessage: '正在生成的图片太多，请稍后再试',
});

/** Converts text to outlines with Chinese line breaking, in a separate thread because fonts are large. */
export const typeset = (caller: Caller, blocks: readonly TextBlock[]): Promise<TypesetBlock[]> =>
  inThread(caller, blocks);
