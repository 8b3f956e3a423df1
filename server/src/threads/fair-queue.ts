import { availableParallelism, loadavg } from 'node:os';
import { CallError } from '@mozhan/contract/errors.ts';
import { addressGroup } from '../address.ts';
import { TIME_LIMIT_FACTOR } from '../config/time-limits.ts';
import type { Ctx } from '../ctx.ts';

export interface Caller {
  key: string;
  /** Aborted when the result is no longer needed. */
  signal: AbortSignal | null;
}

/** For work outside a request, such as imports and scheduled jobs. */
export const SYSTEM_CALLER: Caller = { key: '', signal: null };

/** Identifies users by account and visitors by network. */
export function callerOf({ viewer, requester, signal }: Ctx): Caller {
  if (requester.address === '') return SYSTEM_CALLER;
  return { key: viewer?.id ?? addressGroup(requester.address), signal };
}

/** Thrown by work that was aborted; the queue then pauses its caller. */
export class JobAborted extends Error {}

const MAX_LOAD_FACTOR = 5;

/** How many times longer work may take under the current load than on an idle machine of usual speed. */
function machineLoadFactor(): number {
  const [load = 0] = loadavg();
  return TIME_LIMIT_FACTOR * Math.min(MAX_LOAD_FACTOR, Math.max(1, load / availableParallelism()));
}

export interface FairQueueOptions {
  concurrency?: number;
  /** Maximum number of waiting jobs in total and per caller. */
  maxWaiting: number;
  maxWaitingPerCaller: number;
  /** A job that takes longer is aborted. Multiplied by the load factor. */
  timeoutMs?: number;
  loadFactor?: () => number;
  /** If set, the timeout starts when the job calls `begin`, which it must do within this time. */
  startMs?: number;
  busyMessage: string;
}

export type FairQueue = <T>(
  caller: Caller,
  work: (stop: AbortSignal, begin: () => void) => Promise<T>,
  timeoutMs?: number,
) => Promise<T>;

/** A job whose request has ended may run this long in total, because restarting a thread costs more. */
const GRACE_MS = 1000;
const MAX_PAUSE_MS = 30_000;

interface Job {
  start: () => Promise<{ isAborted: boolean }>;
  reject: (reason: unknown) => void;
}

interface CallerLine {
  key: string;
  jobs: Job[];
  isRunning: boolean;
  pausedUntil: number;
}

/**
 * Runs one job per caller at a time and alternates between callers; system jobs run when no other job is waiting. After an
 * aborted job its caller is paused for as long as the job took.
 */
export function createFairQueue({
  concurrency = 1,
  maxWaiting,
  maxWaitingPerCaller,
  timeoutMs: usualTimeoutMs,
  startMs,
  loadFactor = machineLoadFactor,
  busyMessage,
}: FairQueueOptions): FairQueue {
  const lines = new Map<string, CallerLine>();
  let running = 0;
  let waiting = 0;
  let resumeTimer: NodeJS.Timeout | undefined;

  function lineOf(key: string): CallerLine {
    const known = lines.get(key);
    if (known !== undefined) return known;
    const line = { key, jobs: [], isRunning: false, pausedUntil: 0 };
    lines.set(key, line);
    return line;
  }

  function moveToEnd(line: CallerLine): void {
    lines.delete(line.key);
    lines.set(line.key, line);
  }

  /** Returns the next line with a job to run; removes lines that are empty and not paused. */
  function pick(now: number): CallerLine | null {
    let system: CallerLine | null = null;
    for (const line of lines.values()) {
      if (line.isRunning || line.pausedUntil > now) continue;
      if (line.jobs.length === 0) lines.delete(line.key);
      else if (line.key === SYSTEM_CALLER.key) system = line;
      else return line;
    }
    return system;
  }

  function startNext(): void {
    clearTimeout(resumeTimer);
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
      resumeTimer = setTimeout(startNext, Math.min(...paused.map((line) => line.pausedUntil)) - now);
  }

  async function runJob(line: CallerLine, job: Job): Promise<void> {
    running += 1;
    line.isRunning = true;
    const since = performance.now();
    const { isAborted } = await job.start();
    const now = performance.now();
    running -= 1;
    line.isRunning = false;
    moveToEnd(line);
    // System jobs have the lowest priority anyway.
    if (isAborted && line.key !== SYSTEM_CALLER.key)
      line.pausedUntil = now + Math.min(now - since, MAX_PAUSE_MS);
    startNext();
  }

  /** Makes room for a job of `line` by rejecting a job of the longest line; throws if that is `line` itself. */
  function makeRoom(line: CallerLine): void {
    if (line.jobs.length >= maxWaitingPerCaller && line.key !== SYSTEM_CALLER.key) {
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
    last.reject(busy());
  }

  return (caller, work, timeoutMs = usualTimeoutMs) =>
    new Promise((resolve, reject) => {
      const { signal } = caller;
      signal?.throwIfAborted();
      const line = lineOf(caller.key);
      makeRoom(line);
      const onRequestEnd = (): void => {
        line.jobs.splice(line.jobs.indexOf(job), 1);
        waiting -= 1;
        reject(signal?.reason);
      };
      const job: Job = {
        async start() {
          signal?.removeEventListener('abort', onRequestEnd);
          const factor = loadFactor();
          const limit = startLimit(signal, {
            timeoutMs: timeoutMs && timeoutMs * factor,
            startMs: startMs && startMs * factor,
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
        reject(reason) {
          signal?.removeEventListener('abort', onRequestEnd);
          reject(reason);
        },
      };
      signal?.addEventListener('abort', onRequestEnd, { once: true });
      line.jobs.push(job);
      waiting += 1;
      startNext();
    });
}

/** Creates a signal that aborts a running job after its timeout or when its request has ended. */
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
  const onRequestEnd = (): void => {
    grace = setTimeout(abort, Math.max(0, since + GRACE_MS - performance.now()));
  };
  signal?.addEventListener('abort', onRequestEnd, { once: true });
  return {
    stop: controller.signal,
    begin(): void {
      clearTimeout(timeout);
      timeout = abortAfter(timeoutMs);
    },
    end(): void {
      clearTimeout(timeout);
      clearTimeout(grace);
      signal?.removeEventListener('abort', onRequestEnd);
    },
  };
}
