import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Ctx } from '../ctx.ts';
import {
  type Caller,
  callerOf,
  createFairQueue,
  type FairQueueOptions,
  JobAborted,
  SYSTEM_CALLER,
} from './fair-queue.ts';

const limits = { maxWaiting: 100, maxWaitingPerCaller: 100, busyMessage: '人太多', loadFactor: () => 1 };
const caller = (key: string, signal: AbortSignal | null = null): Caller => ({ key, signal });

/** A queue whose jobs end when the test ends them; `started` lists their names in order. */
function createObservedQueue(options: Partial<FairQueueOptions> = {}) {
  const runFairly = createFairQueue({ ...limits, ...options });
  const started: string[] = [];
  const open = new Map<string, PromiseWithResolvers<string>>();
  return {
    started,
    add(from: Caller, name: string): Promise<string> {
      return runFairly(from, (stop) => {
        started.push(name);
        const gate = Promise.withResolvers<string>();
        open.set(name, gate);
        stop.addEventListener('abort', () => gate.reject(new JobAborted('stopped')));
        return gate.promise;
      });
    },
    async end(name: string, error?: Error): Promise<void> {
      if (error === undefined) open.get(name)?.resolve(name);
      else open.get(name)?.reject(error);
      await flushPromises();
    },
  };
}

async function flushPromises(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('alternates between callers, however many jobs one of them has', async () => {
  const queue = createObservedQueue();
  for (const name of ['a1', 'a2', 'a3']) void queue.add(caller('a'), name);
  for (const name of ['b1', 'b2']) void queue.add(caller('b'), name);
  void queue.add(caller('c'), 'c1');
  for (const name of ['a1', 'b1', 'c1', 'a2', 'b2', 'a3']) await queue.end(name);
  expect(queue.started).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
});

test('runs one job per caller at a time, even if a slot is free', async () => {
  const queue = createObservedQueue({ concurrency: 2 });
  for (const name of ['a1', 'a2']) void queue.add(caller('a'), name);
  expect(queue.started).toEqual(['a1']);
  void queue.add(caller('b'), 'b1');
  expect(queue.started).toEqual(['a1', 'b1']);
  void queue.add(caller('c'), 'c1');
  expect(queue.started).toEqual(['a1', 'b1']);
  await queue.end('b1');
  expect(queue.started).toEqual(['a1', 'b1', 'c1']);
});

test('runs system jobs only when no other job is waiting', async () => {
  const queue = createObservedQueue();
  void queue.add(SYSTEM_CALLER, 's1');
  void queue.add(SYSTEM_CALLER, 's2');
  for (const name of ['a1', 'a2']) void queue.add(caller('a'), name);
  for (const name of ['s1', 'a1', 'a2', 's2']) await queue.end(name);
  expect(queue.started).toEqual(['s1', 'a1', 'a2', 's2']);
});

test('returns each caller their own result or error, and continues after an error', async () => {
  const queue = createObservedQueue();
  const first = queue.add(caller('a'), 'a1');
  const second = queue.add(caller('a'), 'a2');
  const thrown = expect(first).rejects.toThrow('broken');
  await queue.end('a1', new Error('broken'));
  await queue.end('a2');
  await thrown;
  expect(await second).toBe('a2');
});

test('rejects only a caller who has too many waiting jobs', async () => {
  const queue = createObservedQueue({ maxWaitingPerCaller: 2 });
  for (const name of ['a1', 'a2', 'a3']) void queue.add(caller('a'), name);
  await expect(queue.add(caller('a'), 'a4')).rejects.toMatchObject({
    code: 'TOO_MANY_REQUESTS',
    retryAfter: 5,
  });
  const other = queue.add(caller('b'), 'b1');
  await queue.end('a1');
  await queue.end('b1');
  expect(await other).toBe('b1');
});

test('a full queue rejects the newest job of the caller with the most jobs, then any new job', async () => {
  const queue = createObservedQueue({ maxWaiting: 3 });
  const busy = { code: 'UNAVAILABLE', message: '人太多', retryAfter: 10 };
  const greedy = ['a1', 'a2', 'a3', 'a4'].map((name) => queue.add(caller('a'), name));
  const refused = Promise.all(greedy.slice(2).map((each) => expect(each).rejects.toMatchObject(busy)));
  await expect(queue.add(caller('a'), 'a5')).rejects.toMatchObject(busy);
  void queue.add(caller('b'), 'b1');
  void queue.add(caller('c'), 'c1');
  await refused;
  await expect(queue.add(caller('d'), 'd1')).rejects.toMatchObject(busy);
  for (const name of ['a1', 'b1', 'c1', 'a2']) await queue.end(name);
  expect(queue.started).toEqual(['a1', 'b1', 'c1', 'a2']);
});

test('aborts a job after the timeout and pauses its caller for the same time', async () => {
  const queue = createObservedQueue({ timeoutMs: 5000 });
  const slow = expect(queue.add(caller('a'), 'a1')).rejects.toThrow(JobAborted);
  void queue.add(caller('a'), 'a2');
  await vi.advanceTimersByTimeAsync(5000);
  await slow;
  expect(queue.started).toEqual(['a1']);
  void queue.add(caller('b'), 'b1');
  expect(queue.started).toEqual(['a1', 'b1']);
  await queue.end('b1');
  await vi.advanceTimersByTimeAsync(4900);
  expect(queue.started).toEqual(['a1', 'b1']);
  await vi.advanceTimersByTimeAsync(200);
  expect(queue.started).toEqual(['a1', 'b1', 'a2']);
});

test('extends the timeout by the load factor of the machine', async () => {
  const queue = createObservedQueue({ timeoutMs: 5000, loadFactor: () => 3 });
  let isAborted = false;
  const slow = queue.add(caller('a'), 'a1').catch(() => {
    isAborted = true;
  });
  await vi.advanceTimersByTimeAsync(14_900);
  expect(isAborted).toBe(false);
  await vi.advanceTimersByTimeAsync(200);
  await slow;
  expect(isAborted).toBe(true);
});

test('the timeout starts when the job calls begin', async () => {
  const runFairly = createFairQueue({ ...limits, timeoutMs: 5000, startMs: 60_000 });
  const gate = Promise.withResolvers<() => void>();
  const job = runFairly(
    caller('a'),
    (stop, begin) =>
      new Promise((_resolve, reject) => {
        gate.resolve(begin);
        stop.addEventListener('abort', () => reject(new JobAborted('stopped')));
      }),
  ).catch(() => 'aborted');
  await vi.advanceTimersByTimeAsync(50_000);
  (await gate.promise)();
  await vi.advanceTimersByTimeAsync(4900);
  expect(await Promise.race([job, 'running'])).toBe('running');
  await vi.advanceTimersByTimeAsync(200);
  expect(await Promise.race([job, 'running'])).toBe('aborted');
});

test('pauses a caller after a job that ran out of memory, but not after an error', async () => {
  const queue = createObservedQueue();
  const lost = expect(queue.add(caller('a'), 'a1')).rejects.toThrow(JobAborted);
  await vi.advanceTimersByTimeAsync(3000);
  await queue.end('a1', new JobAborted('no memory'));
  await lost;
  void queue.add(caller('a'), 'a2');
  expect(queue.started).toEqual(['a1']);

  const failed = expect(queue.add(caller('b'), 'b1')).rejects.toThrow('broken');
  await vi.advanceTimersByTimeAsync(1000);
  await queue.end('b1', new Error('broken'));
  await failed;
  void queue.add(caller('b'), 'b2');
  expect(queue.started).toEqual(['a1', 'b1', 'b2']);
  await queue.end('b2');
  await vi.advanceTimersByTimeAsync(2000);
  expect(queue.started.at(-1)).toBe('a2');
});

test('removes a waiting job whose request has ended', async () => {
  const queue = createObservedQueue();
  void queue.add(caller('a'), 'a1');
  const request = new AbortController();
  const dropped = expect(queue.add(caller('b', request.signal), 'b1')).rejects.toThrow('gone');
  void queue.add(caller('b'), 'b2');
  request.abort(new Error('gone'));
  await dropped;
  await queue.end('a1');
  await queue.end('b2');
  expect(queue.started).toEqual(['a1', 'b2']);
  await expect(queue.add(caller('b', request.signal), 'b3')).rejects.toThrow('gone');
  expect(queue.started).toEqual(['a1', 'b2']);
});

test('aborts a running job one second after its request has ended', async () => {
  const queue = createObservedQueue();
  const request = new AbortController();
  const lost = expect(queue.add(caller('a', request.signal), 'a1')).rejects.toThrow(JobAborted);
  void queue.add(caller('b'), 'b1');
  await vi.advanceTimersByTimeAsync(400);
  request.abort();
  await vi.advanceTimersByTimeAsync(500);
  expect(queue.started).toEqual(['a1']);
  await vi.advanceTimersByTimeAsync(100);
  await lost;
  expect(queue.started).toEqual(['a1', 'b1']);
});

test("identifies a caller by account, by a visitor's network, or as the system", () => {
  const ctx = (id: string | null, address: string) =>
    ({ viewer: id === null ? null : { id }, requester: { address }, signal: null }) as Ctx;
  expect(callerOf(ctx('u1', '192.0.2.1')).key).toBe('u1');
  expect(callerOf(ctx('u1', '192.0.2.2')).key).toBe('u1');
  expect(callerOf(ctx(null, '192.0.2.1')).key).toBe('192.0.2.1');
  expect(callerOf(ctx(null, '2001:db8::1')).key).toBe(callerOf(ctx(null, '2001:db8::2')).key);
  // An import runs as its authors, but without a request.
  expect(callerOf(ctx('u1', ''))).toEqual(SYSTEM_CALLER);
});
