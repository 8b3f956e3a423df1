import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { quantile } from './measure.ts';
import type { RunningServer } from './servers.ts';

const run = promisify(execFile);

/** Server and database share one core, the load generator uses another, so that they do not compete. */
export const SERVER_CORE = '0';
const LOAD_CORE = String(Math.min(1, availableParallelism() - 1));

export interface Load {
  /** Requested in rotation, because the server shares the result of concurrent identical requests. */
  paths: string[];
  headers?: Record<string, string>;
  connections: number;
  seconds?: number;
}

export interface LoadResult {
  rate: number;
  /** CPU milliseconds per request. */
  nodeMs: number;
  databaseMs: number;
}

export async function measureThroughput(server: RunningServer, load: Load): Promise<LoadResult> {
  const { paths, headers = {}, connections, seconds = 5 } = load;
  const folder = await mkdtemp(join(tmpdir(), 'mozhan-wrk-'));
  const script = join(folder, 'paths.lua');
  const quoted = paths.map((path) => `  ${JSON.stringify(path)},`).join('\n');
  await writeFile(
    script,
    `local paths = {\n${quoted}\n}\nlocal at = 0\nrequest = function()\n  at = at % #paths + 1\n  return wrk.format("GET", paths[at])\nend\n`,
  );
  const before = await cpuTime(server);
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
    const after = await cpuTime(server);
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

/** 99th percentile of the response time at a rate below saturation. */
export async function measureP99(server: RunningServer, load: Load, rate: number): Promise<number> {
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
    // Columns: start time, status, duration in microseconds.
    return quantile(
      lines.map((line) => Number(line.split('\t')[2]) / 1000),
      0.99,
    );
  } finally {
    await rm(folder, { recursive: true });
  }
}

interface Processes {
  /** The server with its worker processes. */
  node: string[];
  database: string[];
}

/** A process and its descendants, except `without` and its descendants. */
async function processTree(id: string, without = ''): Promise<string[]> {
  if (id === without || id === '0') return [];
  const threads = await readdir(`/proc/${id}/task`).catch(() => []);
  const lists = await Promise.all(
    threads.map((thread) => readFile(`/proc/${id}/task/${thread}/children`, 'utf8').catch(() => '')),
  );
  const children = lists.flatMap((list) => list.split(' ').filter((child) => child !== ''));
  const below = await Promise.all(children.map((child) => processTree(child, without)));
  return [id, ...below.flat()];
}

/** An embedded PostgreSQL is a child of the server, an external one is not. */
async function findProcesses({ pid, databasePid }: RunningServer): Promise<Processes> {
  const database = String(databasePid);
  return { node: await processTree(String(pid), database), database: await processTree(database) };
}

async function sumOf(ids: string[], read: (id: string) => Promise<number>): Promise<number> {
  const numbers = await Promise.all(ids.map((id) => read(id).catch(() => 0)));
  return numbers.reduce((sum, number) => sum + number, 0);
}

/** Linux counts CPU time in ticks of 10 ms. */
const TICK_MS = 10;

/** CPU time of all threads and of exited child processes, in milliseconds. */
async function cpuTimeOf(id: string): Promise<number> {
  const stat = await readFile(`/proc/${id}/stat`, 'utf8');
  // The fields follow the command name, which may contain spaces.
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

/** CPU time of the server and its database so far, in milliseconds. */
export async function cpuTime(server: RunningServer): Promise<Usage> {
  const { node, database } = await findProcesses(server);
  return { node: await sumOf(node, cpuTimeOf), database: await sumOf(database, cpuTimeOf) };
}

/** Memory in megabytes: RSS of the server, PSS of the PostgreSQL processes. */
export async function memoryUsage(server: RunningServer): Promise<Usage> {
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
