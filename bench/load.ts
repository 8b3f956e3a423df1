import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { quantile } from './measure.ts';
import type { Running } from './servers.ts';

const run = promisify(execFile);

/** The server and its database share one core, the load generator has another: neither takes time from the other. */
export const SERVER_CORE = '0';
const LOAD_CORE = String(Math.min(1, availableParallelism() - 1));

export interface Load {
  /** Asked for by turns: what is asked for at once is made once, and would be shared. */
  paths: string[];
  headers?: Record<string, string>;
  connections: number;
  seconds?: number;
}

export interface Measured {
  /** Requests a second. */
  rate: number;
  /** Milliseconds of processor time for each request. */
  nodeMs: number;
  databaseMs: number;
}

/** As many requests as the server answers. */
export async function measureMost(server: Running, load: Load): Promise<Measured> {
  const { paths, headers = {}, connections, seconds = 5 } = load;
  const folder = await mkdtemp(join(tmpdir(), 'mozhan-wrk-'));
  const script = join(folder, 'paths.lua');
  const quoted = paths.map((path) => `  ${JSON.stringify(path)},`).join('\n');
  await writeFile(
    script,
    `local paths = {\n${quoted}\n}\nlocal at = 0\nrequest = function()\n  at = at % #paths + 1\n  return wrk.format("GET", paths[at])\nend\n`,
  );
  const before = await processorTime(server);
  try {
    const { stdout } = await run('taskset', [
      '-c',
      LOAD_CORE,
      'wrk',
      '--threads=1',
      `--connections=${connections}`,
      `--duration=${seconds}s`,
      `--script=${script}`,
      ...Object.entries(headers).flatMap(([name, value]) => ['--header', `${name}: ${value}`]),
      server.url,
    ]);
    const after = await processorTime(server);
    const failed = /Non-2xx or 3xx responses: (\d+)/.exec(stdout);
    if (failed !== null) throw new Error(`${paths[0]}: ${failed[1]} requests were refused`);
    const count = Number(/(\d+) requests in/.exec(stdout)?.[1]);
    return {
      rate: Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]),
      nodeMs: (after.node - before.node) / count,
      databaseMs: (after.database - before.database) / count,
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The time below which 99 of 100 answers stay when requests come at a rate the server can keep up with. */
export async function measureP99(server: Running, load: Load, rate: number): Promise<number> {
  const { paths, headers = {}, connections, seconds = 5 } = load;
  const folder = await mkdtemp(join(tmpdir(), 'mozhan-h2load-'));
  const list = join(folder, 'addresses');
  const log = join(folder, 'log');
  await writeFile(list, paths.map((path) => `${server.url}${path}\n`).join(''));
  try {
    await run('taskset', [
      '-c',
      LOAD_CORE,
      'h2load',
      '--h1',
      `--clients=${connections}`,
      `--rps=${Math.max(1, Math.floor(rate / connections))}`,
      `--duration=${seconds}`,
      `--input-file=${list}`,
      `--log-file=${log}`,
      ...Object.entries(headers).flatMap(([name, value]) => ['--header', `${name}: ${value}`]),
    ]);
    const lines = (await readFile(log, 'utf8')).trim().split('\n');
    // Each line: when it was sent, the status, how long it took in microseconds.
    return quantile(
      lines.map((line) => Number(line.split('\t')[2]) / 1000),
      0.99,
    );
  } finally {
    await rm(folder, { recursive: true });
  }
}

interface Processes {
  /** The server with its workers and helpers. */
  node: string[];
  database: string[];
}

/** A process and all below it, but for `without` and what is below that. */
async function treeOf(id: string, without = ''): Promise<string[]> {
  if (id === without || id === '0') return [];
  const threads = await readdir(`/proc/${id}/task`).catch(() => []);
  const lists = await Promise.all(
    threads.map((thread) => readFile(`/proc/${id}/task/${thread}/children`, 'utf8').catch(() => '')),
  );
  const children = lists.flatMap((list) => list.split(' ').filter((child) => child !== ''));
  const below = await Promise.all(children.map((child) => treeOf(child, without)));
  return [id, ...below.flat()];
}

/** An embedded PostgreSQL is below its server, another one is not. */
async function findProcesses({ pid, databasePid }: Running): Promise<Processes> {
  const database = String(databasePid);
  return { node: await treeOf(String(pid), database), database: await treeOf(database) };
}

async function sumOf(ids: string[], read: (id: string) => Promise<number>): Promise<number> {
  const numbers = await Promise.all(ids.map((id) => read(id).catch(() => 0)));
  return numbers.reduce((sum, number) => sum + number, 0);
}

/** A hundredth of a second, which is what Linux counts in. */
const TICK_MS = 10;

/** Of all its threads, and of the processes below it that have ended, in milliseconds. */
async function timeOf(id: string): Promise<number> {
  const stat = await readFile(`/proc/${id}/stat`, 'utf8');
  // Behind the command's name, which may hold spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ended = (Number(fields[13]) + Number(fields[14])) * TICK_MS;
  const running = await sumOf(await readdir(`/proc/${id}/task`), async (thread) => {
    const text = await readFile(`/proc/${id}/task/${thread}/schedstat`, 'utf8');
    return Number.parseInt(text, 10) / 1e6;
  });
  return running + ended;
}

interface Usage {
  node: number;
  database: number;
}

/** The processor time that the server and its database have used so far, in milliseconds. */
export async function processorTime(server: Running): Promise<Usage> {
  const { node, database } = await findProcesses(server);
  return { node: await sumOf(node, timeOf), database: await sumOf(database, timeOf) };
}

/** In megabytes: what is resident of the server, and of PostgreSQL each process with its part of what they share. */
export async function memoryOf(server: Running): Promise<Usage> {
  const megabytes = (name: string) => async (id: string) => {
    const text = await readFile(`/proc/${id}/smaps_rollup`, 'utf8');
    return Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0) / 1024;
  };
  const { node, database } = await findProcesses(server);
  return {
    node: await sumOf(node, megabytes('Rss')),
    database: await sumOf(database, megabytes('Pss')),
  };
}
