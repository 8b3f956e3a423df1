import { CallError } from '@mozhan/contract/errors.ts';
import type { Caller } from '../../../threads/fair-queue.ts';
import { createThreadQueue } from '../../../threads/threads.ts';
import type { ScreeningResult, WordEntry } from './matcher.ts';
import type { Range } from './normalize.ts';
import type { ScreeningJob, ScreenTextJob } from './words-worker.ts';

const inThread = createThreadQueue<ScreeningJob, Range[] | ScreeningResult | null>({
  file: new URL('./words-worker.ts', import.meta.url),
  memoryMb: 256,
  idleMs: 60_000,
  timeoutMs: 10_000,
  maxWaiting: 60,
  maxWaitingPerCaller: 5,
  busyMessage: '提交的人太多，请稍后再试',
});

/** If parsing fails or takes too long, the text is treated as having no code. */
export const findCodeRanges = (caller: Caller, markdown: string): Promise<Range[]> =>
  inThread(caller, { code: markdown }).catch((error: unknown) => {
    if (error instanceof CallError) throw error;
    return [];
  }) as Promise<Range[]>;

/** Sends the word list only if the thread does not have this version. */
export const screenInThread = async (
  caller: Caller,
  job: ScreenTextJob,
  entries: readonly WordEntry[],
): Promise<ScreeningResult> =>
  ((await inThread(caller, job)) ?? (await inThread(caller, { ...job, entries }))) as ScreeningResult;
