import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import { type Caller, createFairQueue, type FairQueueOptions, JobAborted } from './fair-queue.ts';

interface PoolOptions {
  /** Exports by default the function that does a job. */
  file: URL;
  /** Of each thread; one that needs more is ended. */
  memoryMb: number;
  /** Idle threads end after this time. */
  idleMs: number;
  threads?: number;
}

/** Until a thread is there. */
const START_MS = 60_000;

const pools = new Set<Piscina>();

/** On Linux a thread has a priority of its own; elsewhere this would slow down the whole process. */
const NICE = process.platform === 'linux' ? 5 : 0;

/** Threads that start with the first job. */
export function createPool<Job, Result>({
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
  // A thread may fail between two jobs. Nothing is lost: the next job starts another thread.
  pool.on('error', () => {});
  pools.add(pool);
  return pool;
}

/** Ends every thread of this process; a later job starts new ones. */
export async function closeThreads(): Promise<void> {
  await Promise.all([...pools].map((pool) => pool.destroy()));
}

/** Whether the thread was ended during the job, because it took too long or too much memory. */
export const isLost = (error: unknown, stop: AbortSignal): boolean =>
  stop.aborted || (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY');

/** A pool behind a fair queue. Throws `JobAborted` for a job that took too long or too much memory. */
export function createThreads<Job, Result>(
  options: PoolOptions & Omit<FairQueueOptions, 'concurrency' | 'startMs'>,
): (caller: Caller, job: Job) => Promise<Result> {
  const { threads = 1 } = options;
  const inTurn = createFairQueue({ ...options, concurrency: threads, startMs: START_MS });
  let pool: Piscina<Job, Result> | undefined;
  return (caller, job) =>
    inTurn(caller, async (stop, begin) => {
      pool ??= createPool<Job, Result>(options);
      // On a busy machine a thread may take longer to start than any job.
      if (pool.idleThreads > 0) begin();
      else pool.once('workerCreate', begin);
      try {
        return await pool.run(job, { signal: stop });
      } catch (error) {
        throw isLost(error, stop) ? new JobAborted('job aborted', { cause: error }) : error;
      } finally {
        pool.off('workerCreate', begin);
      }
    });
}
