import { CallError } from '@mozhan/contract/errors.ts';
import type { Caller } from '../../../threads/fair-queue.ts';
import { createThreads } from '../../../threads/threads.ts';
import type { Range } from './fold.ts';
import type { Entry, Screened } from './matcher.ts';
import type { ScreenJob, WordsJob } from './words-worker.ts';

const inThread = createThreads<WordsJob, Range[] | Screened | null>({
  file: new URL('./words-worker.ts', import.meta.url),
  memoryMb: 256,
  idleMs: 60_000,
  timeoutMs: 10_000,
  maxWaiting: 60,
  maxWaitingPerCaller: 5,
  busyMessage: '提交的人太多，请稍后再试',
});

/** A text that is given up has no code. */
export const findCode = (caller: Caller, markdown: string): Promise<Range[]> =>
  inThread(caller, { code: markdown }).catch((error: unknown) => {
    if (error instanceof CallError) throw error;
    return [];
  }) as Promise<Range[]>;

/** The list of words is sent only when the thread does not have it. */
export const screenInThread = async (
  caller: Caller,
  job: ScreenJob,
  entries: readonly Entry[],
): Promise<Screened> =>
  ((await inThread(caller, job)) ?? (await inThread(caller, { ...job, entries }))) as Screened;
