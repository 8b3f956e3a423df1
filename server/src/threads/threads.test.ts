import { Piscina } from 'piscina';
import { afterAll, expect, test, vi } from 'vitest';
import { type Caller, JobAborted, SYSTEM_CALLER } from './fair-queue.ts';
import { closeThreads, createThreadQueue } from './threads.ts';
import type { FixtureJob } from './threads-fixture.ts';

const create = (overrides: { timeoutMs?: number; idleMs?: number } = {}) =>
  createThreadQueue<FixtureJob, string>({
    file: new URL('./threads-fixture.ts', import.meta.url),
    memoryMb: 32,
    idleMs: 60_000,
    maxWaiting: 10,
    maxWaitingPerCaller: 10,
    busyMessage: '人太多',
    ...overrides,
  });
afterAll(closeThreads);

test('a job that hangs, exhausts memory, throws or exits does not affect the next job', async () => {
  const runJob = create({ timeoutMs: 500 });
  const echo = () => runJob(SYSTEM_CALLER, { echo: '好' });
  expect(await echo()).toBe('好');
  await expect(runJob(SYSTEM_CALLER, { hang: true })).rejects.toThrow(JobAborted);
  expect(await echo()).toBe('好');
  await expect(runJob(SYSTEM_CALLER, { fill: true })).rejects.toThrow(JobAborted);
  expect(await echo()).toBe('好');
  await expect(runJob(SYSTEM_CALLER, { fail: '坏了' })).rejects.toThrow('坏了');
  expect(await echo()).toBe('好');
  await expect(runJob(SYSTEM_CALLER, { exit: true })).rejects.toThrow();
  expect(await echo()).toBe('好');
});

test('a caller with one job waits only for the running job of another caller', async () => {
  const runJob = create();
  const gate = new Int32Array(new SharedArrayBuffer(4));
  const order: string[] = [];
  const add = (caller: Caller, name: string, job: FixtureJob) =>
    runJob(caller, job).then(() => order.push(name));
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

test('starts no thread before the first job and terminates idle threads', async () => {
  const pools = new Set<Piscina>();
  const { run } = Piscina.prototype;
  vi.spyOn(Piscina.prototype, 'run').mockImplementation(function (this: Piscina, ...job) {
    pools.add(this);
    return run.apply(this, job);
  });
  const runJob = create({ idleMs: 0 });
  await runJob(SYSTEM_CALLER, { echo: '好' });
  const [pool] = pools;
  vi.mocked(Piscina.prototype.run).mockRestore();
  await expect.poll(() => pool?.threads).toEqual([]);
  expect(await runJob(SYSTEM_CALLER, { echo: '又' })).toBe('又');
});

test('after closing, the next job starts a new thread', async () => {
  const runJob = create();
  expect(await runJob(SYSTEM_CALLER, { echo: '一' })).toBe('一');
  await closeThreads();
  expect(await runJob(SYSTEM_CALLER, { echo: '二' })).toBe('二');
});
