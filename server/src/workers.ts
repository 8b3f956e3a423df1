import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { OpenDatabase } from './db/connect.ts';

interface WorkersOptions {
  workerScript: string;
  count: number;
  database: OpenDatabase;
  printLine: (line: string) => void;
}

/** Argument of the child process that writes demo content. */
export const FIRST_START = 'first-start';

const READY = 'ready';
const RESTART_DELAY_MS = 1000;
/** A little longer than `FORCE_EXIT_MS` of a worker. */
const KILL_MS = 10_000;

/** Runs worker processes on one port and replaces those that exit. SIGTERM or SIGINT stops them, then the database. */
export async function startWorkers({
  workerScript,
  count,
  database,
  printLine,
}: WorkersOptions): Promise<void> {
  let stopping: Promise<never> | undefined;
  // Where workers share one socket, they accept from it themselves.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  cluster.setupPrimary({ exec: workerScript });

  /** Resolves to whether the worker became ready; a ready worker is replaced when it exits. */
  async function add(): Promise<boolean> {
    const added = cluster.fork();
    added.send(database.connection, () => {});
    const isUp = await isReady(added);
    if (isUp) void replace(added);
    return isUp;
  }

  async function replace(worker: Worker): Promise<void> {
    const [code, signal] = await once(worker, 'exit');
    if (stopping !== undefined) return;
    printLine(`工作进程 ${worker.process.pid} 意外退出（${signal ?? code}），重新启动`);
    while (stopping === undefined && !(await add())) await sleep(RESTART_DELAY_MS);
  }

  async function end(exitCode: number): Promise<never> {
    const running = Object.values(cluster.workers ?? {}).flatMap((one) => one ?? []);
    const allExited = Promise.all(running.map((one) => one.isDead() || once(one, 'exit')));
    for (const one of running) one.process.kill('SIGTERM');
    setTimeout(() => {
      for (const one of running) one.process.kill('SIGKILL');
    }, KILL_MS).unref();
    await allExited;
    await database.close().catch(() => {});
    process.exit(exitCode);
  }
  const stop = (exitCode: number): Promise<never> => {
    stopping ??= end(exitCode);
    return stopping;
  };

  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(0));
  // One worker starts first, so that a startup error is reported once.
  for (const size of [1, count - 1]) {
    const started = await Promise.all(Array.from({ length: size }, add));
    await stopping;
    if (started.includes(false)) await stop(1);
  }
}

const isReady = (worker: Worker): Promise<boolean> =>
  Promise.race([
    once(worker, 'message').then(([message]) => message === READY),
    once(worker, 'exit').then(() => false),
  ]).catch(() => false);

export async function receiveConnection(): Promise<pg.PoolConfig> {
  // Keeps the process alive until the message arrives.
  process.channel?.ref();
  const [connection] = await once(process, 'message');
  process.channel?.unref();
  return connection;
}

export function reportReady(): void {
  process.send?.(READY);
}
