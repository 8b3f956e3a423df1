import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import { type Caller, createFairQueue, type FairQueueOptions, JobAborted } from './fair-queue.ts';

interface PoolOptions {
  file: URL;
  /** Memory limit per thread; a thread that exceeds it is terminated. */
  memoryMb: number;
  /** Idle threads end after this time. */
  idleMs: number;
  threads?: number;
}

const START_MS = 60_000;

const pools = new Set<Piscina>();

/** On Linux priority applies per thread; elsewhere it would slow down the entire process. */
const NICE = process.platform === 'linux' ? 5 : 0;

/** Creates a pool whose threads start with the first job. */
export function createThreadPool<Job, Result>({
  file,
  memoryMb,
  idleMs,
  threads = 1,
}: PoolOptions): Piscina<Job, Result> {
  const pool: Piscina<Job, Result> = new Piscina({
    filename: fileURLToPath(file),
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: idleMs,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    niceIncrement: NICE,
    recordTiming: false,
  });
  // A thread may fail while idle; the next job starts another thread.
  pool.on('error', () => {});
  pools.add(pool);
  return pool;
}

/** Terminates all threads of this process; a later job starts new ones. */
export async function closeThreads(): Promise<void> {
  await Promise.all([...pools].map((pool) => pool.destroy()));
}

/** Whether the thread was terminated during the job by its timeout or memory limit. */
export const isThreadTerminated = (error: unknown, stop: AbortSignal): boolean =>
  stop.aborted || (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY');

/** Runs jobs in a thread pool behind a fair queue. Throws `JobAborted` for a job that exceeds its time or memory limit. */
export function createThreadQueue<Job, Result>(
  options: PoolOptions & Omit<FairQueueOptions, 'concurrency' | 'startMs'>,
): (caller: Caller, job: Job) => Promise<Result> {
  const { threads = 1 } = options;
  const runFairly = createFairQueue({ ...options, concurrency: threads, startMs: START_MS });
  let pool: Piscina<Job, Result> | undefined;
  return (caller, job) =>
    runFairly(caller, async (stop, begin) => {
      pool ??= createThreadPool<Job, Result>(options);
      // Starting a thread does not count towards the job's timeout.
      if (pool.idleThreads > 0) begin();
      else pool.once('workerCreate', begin);
      try {
        return await pool.run(job, { signal: stop });
      } catch (error) {
        throw isThreadTerminated(error, stop) ? new JobAborted('job aborted', { cause: error }) : error;
      } finally {
        pool.off('workerCreate', begin);
      }
    });
}
