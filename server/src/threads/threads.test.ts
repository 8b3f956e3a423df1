import { Piscina } from 'piscina';
import { afterAll, expect, test, vi } from 'vitest';
import { type Caller, JobAborted, SYSTEM } from './fair-queue.ts';
import { closeThreads, createThreads } from './threads.ts';
import type { FixtureJob } from './threads-fixture.ts';

const create = (more: { timeoutMs?: number; idleMs?: number } = {}) =>
  createThreads<FixtureJob, string>({
    file: new URL('./threads-fixture.ts', import.meta.url),
    memoryMb: 32,
    idleMs: 60_000,
    maxWaiting: 10,
    maxWaitingPerCaller: 10,
    busyMessage: '人太多',
    ...more,
  });
afterAll(closeThreads);

test('a job that hangs, fills the memory, fails or ends its thread fails alone', async () => {
  const ask = create({ timeoutMs: 3000 });
  const echo = () => ask(SYSTEM, { echo: '好' });
  expect(await echo()).toBe('好');
  await expect(ask(SYSTEM, { hang: true })).rejects.toThrow(JobAborted);
  expect(await echo()).toBe('好');
  await expect(ask(SYSTEM, { fill: true })).rejects.toThrow(JobAborted);
  expect(await echo()).toBe('好');
  await expect(ask(SYSTEM, { fail: '坏了' })).rejects.toThrow('坏了');
  expect(await echo()).toBe('好');
  await expect(ask(SYSTEM, { exit: true })).rejects.toThrow();
  expect(await echo()).toBe('好');
});

test('a caller with one job is served after the running job of another, not after all of theirs', async () => {
  const ask = create();
  const gate = new Int32Array(new SharedArrayBuffer(4));
  const order: string[] = [];
  const add = (caller: Caller, name: string, job: FixtureJob) =>
    ask(caller, job).then(() => order.push(name));
  const [first, second] = [
    { key: 'a', signal: null },
    { key: 'b', signal: null },
  ];
  const jobs = [
    add(first, 'a1', { wait: gate }),
    ...['a2', 'a3', 'a4'].map((name) => add(first, name, { echo: name })),
    add(second, 'b1', { echo: 'b1' }),
  ];
  Atomics.store(gate, 0, 1);
  Atomics.notify(gate, 0);
  await Promise.all(jobs);
  expect(order).toEqual(['a1', 'b1', 'a2', 'a3', 'a4']);
});

test('starts no thread before the first job, and ends those that are idle', async () => {
  const pools = new Set<Piscina>();
  const { run } = Piscina.prototype;
  vi.spyOn(Piscina.prototype, 'run').mockImplementation(function (this: Piscina, ...job) {
    pools.add(this);
    return run.apply(this, job);
  });
  const ask = create({ idleMs: 0 });
  await ask(SYSTEM, { echo: '好' });
  const [pool] = pools;
  vi.mocked(Piscina.prototype.run).mockRestore();
  await vi.waitFor(() => expect(pool?.threads).toEqual([]), { timeout: 10_000 });
  expect(await ask(SYSTEM, { echo: '又' })).toBe('又');
});

test('after closing, the next job starts a new thread', async () => {
  const ask = create();
  expect(await ask(SYSTEM, { echo: '一' })).toBe('一');
  await closeThreads();
  expect(await ask(SYSTEM, { echo: '二' })).toBe('二');
});
