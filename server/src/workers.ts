import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { OpenDatabase } from './db/open.ts';

interface WorkersOptions {
  /** The script each of them runs. */
  worker: string;
  count: number;
  database: OpenDatabase;
  say: (line: string) => void;
}

const READY = 'ready';
const PAUSE_MS = 1000;
/** A little longer than a process takes to end by itself. */
const KILL_MS = 10_000;

/** Several processes on one port; those that die are replaced. Stops them, then the database, on SIGTERM or SIGINT. */
export async function startWorkers({ worker, count, database, say }: WorkersOptions): Promise<void> {
  let stopping: Promise<never> | undefined;
  // Where they share one socket they take from it themselves.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  cluster.setupPrimary({ exec: worker });

  /** Answers whether it came up; from then on it is replaced when it dies. */
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
    say(`工作进程 ${worker.process.pid} 意外退出（${signal ?? code}），重新启动`);
    while (stopping === undefined && !(await add())) await sleep(PAUSE_MS);
  }

  async function end(exitCode: number): Promise<never> {
    const running = Object.values(cluster.workers ?? {}).flatMap((one) => one ?? []);
    const gone = Promise.all(running.map((one) => one.isDead() || once(one, 'exit')));
    for (const one of running) one.process.kill('SIGTERM');
    setTimeout(() => {
      for (const one of running) one.process.kill('SIGKILL');
    }, KILL_MS).unref();
    await gone;
    await database.close().catch(() => {});
    process.exit(exitCode);
  }
  const stop = (exitCode: number): Promise<never> => {
    stopping ??= end(exitCode);
    return stopping;
  };

  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(0));
  // What is in the way of the first is said once.
  for (const size of [1, count - 1]) {
    const started = await Promise.all(Array.from({ length: size }, add));
    await stopping;
    if (started.includes(false)) await stop(1);
  }
}

/** False when it ended before it was, or could not even begin. */
const isReady = (worker: Worker): Promise<boolean> =>
  Promise.race([
    once(worker, 'message').then(([word]) => word === READY),
    once(worker, 'exit').then(() => false),
  ]).catch(() => false);

/** In a worker: which database to use. */
export async function receiveConnection(): Promise<pg.PoolConfig> {
  // Else nothing would keep the process waiting.
  process.channel?.ref();
  const [connection] = await once(process, 'message');
  process.channel?.unref();
  return connection;
}

export function reportReady(): void {
  process.send?.(READY);
}
