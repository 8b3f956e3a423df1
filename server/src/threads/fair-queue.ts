import { availableParallelism, loadavg } from 'node:os';
import { CallError } from '@mozhan/contract/errors.ts';
import { addressGroup } from '../address.ts';
import type { Ctx } from '../ctx.ts';

/** Whom a job is done for. */
export interface Caller {
  /** Jobs of one key take turns with those of others. */
  key: string;
  /** Aborted when nobody waits for the result any more. */
  signal: AbortSignal | null;
}

/** Work that no request asked for, such as imports and scheduled jobs. */
export const SYSTEM: Caller = { key: '', signal: null };

/** An account, or for visitors the network they come from. */
export function callerOf({ viewer, asker, signal }: Ctx): Caller {
  if (asker.address === '') return SYSTEM;
  return { key: viewer?.id ?? addressGroup(asker.address), signal };
}

/** Thrown by work that was ended before it was done; the queue then lets its caller wait. */
export class JobAborted extends Error {}

const MOST_CROWDED = 5;

/** How many times as long work takes here as on a machine that has time for it. */
function machineCrowding(): number {
  const [load = 0] = loadavg();
  return Math.min(MOST_CROWDED, Math.max(1, load / availableParallelism()));
}

export interface FairQueueOptions {
  /** Jobs that run at a time. */
  concurrency?: number;
  /** Jobs that may wait, of everyone and of one caller. */
  maxWaiting: number;
  maxWaitingPerCaller: number;
  /** A job that takes longer is aborted; on a crowded machine it has as much longer. */
  timeoutMs?: number;
  crowding?: () => number;
  /** Its time counts from when it calls `begin`, which must be before this is over. */
  startMs?: number;
  /** What callers are told when too many jobs wait. */
  busyMessage: string;
}

export type FairQueue = <T>(
  caller: Caller,
  work: (stop: AbortSignal, begin: () => void) => Promise<T>,
  /** Other than the queue's. */
  timeoutMs?: number,
) => Promise<T>;

/** A job that nobody waits for may still run this long: ending a thread and starting another costs more. */
const GRACE_MS = 1000;
const MAX_PAUSE_MS = 30_000;

interface Job {
  start: () => Promise<{ isAborted: boolean }>;
  refuse: (reason: unknown) => void;
}

interface Line {
  key: string;
  jobs: Job[];
  isRunning: boolean;
  pausedUntil: number;
}

/**
 * Runs jobs in turn: of each caller one at a time, of several callers by turns, and those of the system when nobody else
 * waits. After an aborted job its caller pauses for as long as it took.
 */
export function createFairQueue({
  concurrency = 1,
  maxWaiting,
  maxWaitingPerCaller,
  timeoutMs: usualTimeoutMs,
  startMs,
  crowding = machineCrowding,
  busyMessage,
}: FairQueueOptions): FairQueue {
  /** In the order of their next turns. */
  const lines = new Map<string, Line>();
  let running = 0;
  let waiting = 0;
  let wakeUp: NodeJS.Timeout | undefined;

  function lineOf(key: string): Line {
    const known = lines.get(key);
    if (known !== undefined) return known;
    const line = { key, jobs: [], isRunning: false, pausedUntil: 0 };
    lines.set(key, line);
    return line;
  }

  function toLast(line: Line): void {
    lines.delete(line.key);
    lines.set(line.key, line);
  }

  /** The line whose turn it is. Lines that are empty and not paused are dropped on the way. */
  function pick(now: number): Line | null {
    let system: Line | null = null;
    for (const line of lines.values()) {
      if (line.isRunning || line.pausedUntil > now) continue;
      if (line.jobs.length === 0) lines.delete(line.key);
      else if (line.key === SYSTEM.key) system = line;
      else return line;
    }
    return system;
  }

  function startNext(): void {
    clearTimeout(wakeUp);
    const now = performance.now();
    while (running < concurrency) {
      const line = pick(now);
      const job = line?.jobs.shift();
      if (line === null || job === undefined) break;
      waiting -= 1;
      void runJob(line, job);
    }
    const paused = [...lines.values()].filter((line) => line.jobs.length > 0 && line.pausedUntil > now);
    if (running < concurrency && paused.length > 0)
      wakeUp = setTimeout(startNext, Math.min(...paused.map((line) => line.pausedUntil)) - now);
  }

  async function runJob(line: Line, job: Job): Promise<void> {
    running += 1;
    line.isRunning = true;
    const since = performance.now();
    const { isAborted } = await job.start();
    const now = performance.now();
    running -= 1;
    line.isRunning = false;
    toLast(line);
    // The system's own jobs come last anyway.
    if (isAborted && line.key !== SYSTEM.key) line.pausedUntil = now + Math.min(now - since, MAX_PAUSE_MS);
    startNext();
  }

  /** Makes room for a job of `line`, at the cost of whoever has the most waiting; throws when that is `line` itself. */
  function makeRoom(line: Line): void {
    if (line.jobs.length >= maxWaitingPerCaller && line.key !== SYSTEM.key) {
      const seconds = Math.ceil((line.pausedUntil - performance.now()) / 1000);
      throw new CallError('TOO_MANY_REQUESTS', {
        message: '你前面提交的还没有处理完，请稍后再试',
        retryAfter: Math.max(5, seconds),
      });
    }
    if (waiting < maxWaiting) return;
    const busy = () => new CallError('UNAVAILABLE', { message: busyMessage, retryAfter: 10 });
    let longest = line;
    for (const each of lines.values()) if (each.jobs.length > longest.jobs.length) longest = each;
    const last = longest.jobs.length > line.jobs.length + 1 ? longest.jobs.pop() : undefined;
    if (last === undefined) throw busy();
    waiting -= 1;
    last.refuse(busy());
  }

  return (caller, work, timeoutMs = usualTimeoutMs) =>
    new Promise((resolve, reject) => {
      const { signal } = caller;
      signal?.throwIfAborted();
      const line = lineOf(caller.key);
      makeRoom(line);
      const leave = (): void => {
        line.jobs.splice(line.jobs.indexOf(job), 1);
        waiting -= 1;
        reject(signal?.reason);
      };
      const job: Job = {
        async start() {
          signal?.removeEventListener('abort', leave);
          const times = crowding();
          const limit = startLimit(signal, {
            timeoutMs: timeoutMs && timeoutMs * times,
            startMs: startMs && startMs * times,
          });
          try {
            resolve(await work(limit.stop, limit.begin));
            return { isAborted: false };
          } catch (error) {
            reject(error);
            return { isAborted: limit.stop.aborted || error instanceof JobAborted };
          } finally {
            limit.end();
          }
        },
        refuse(reason) {
          signal?.removeEventListener('abort', leave);
          reject(reason);
        },
      };
      signal?.addEventListener('abort', leave, { once: true });
      line.jobs.push(job);
      waiting += 1;
      startNext();
    });
}

/** A signal that aborts a running job when it takes too long or nobody waits for it. */
function startLimit(
  signal: AbortSignal | null,
  { timeoutMs, startMs }: Pick<FairQueueOptions, 'timeoutMs' | 'startMs'>,
) {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  const since = performance.now();
  const abortAfter = (ms: number | undefined) => (ms === undefined ? undefined : setTimeout(abort, ms));
  let timeout = abortAfter(startMs ?? timeoutMs);
  let grace: NodeJS.Timeout | undefined;
  const leave = (): void => {
    grace = setTimeout(abort, Math.max(0, since + GRACE_MS - performance.now()));
  };
  signal?.addEventListener('abort', leave, { once: true });
  return {
    stop: controller.signal,
    begin(): void {
      clearTimeout(timeout);
      timeout = abortAfter(timeoutMs);
    },
    end(): void {
      clearTimeout(timeout);
      clearTimeout(grace);
      signal?.removeEventListener('abort', leave);
    },
  };
}
