import type { Caller } from '../threads/fair-queue.ts';
import { createThreads } from '../threads/threads.ts';
import type { Block, SetBlock } from './typeset-worker.ts';

export type { Block, SetBlock } from './typeset-worker.ts';

const inThread = createThreads<readonly Block[], SetBlock[]>({
  file: new URL('./typeset-worker.ts', import.meta.url),
  // Fonts of every character there is would take some hundred megabytes.
  memoryMb: 256,
  // Kept a little for the next words, then gone with all its fonts.
  idleMs: 60_000,
  timeoutMs: 10_000,
  maxWaiting: 30,
  maxWaitingPerCaller: 15,
  busyMessage: '正在生成的图片太多，请稍后再试',
});

/** Words as outlines, with the line breaks of Chinese. Made in a thread of its own: fonts are large. */
export const typeset = (caller: Caller, blocks: readonly Block[]): Promise<SetBlock[]> =>
  inThread(caller, blocks);
