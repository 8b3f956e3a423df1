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

/** A hundredth of a second, which is what Linux counts in. */
const TICK_MS = 10;

/** What the server and its database have used so far, in milliseconds. */
async function processorTime({ pid, databasePid }: Running): Promise<{ node: number; database: number }> {
  let node = 0;
  let database = 0;
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const stat = await readFile(`/proc/${entry}/stat`, 'utf8').catch(() => null);
    if (stat === null) continue;
    // Behind the command's name, which may hold spaces: state, parent, …
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const used = (Number(fields[11]) + Number(fields[12])) * TICK_MS;
    if (Number(entry) === pid) node += used;
    if (Number(fields[1]) === databasePid) database += used;
  }
  return { node, database };
}

/** In megabytes; of memory that several processes share, each has its part. */
export async function memoryOf({ pid, databasePid }: Running): Promise<{ node: number; database: number }> {
  const megabytes = async (id: number, name: string) => {
    const text = await readFile(`/proc/${id}/smaps_rollup`, 'utf8').catch(() => '');
    return Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0) / 1024;
  };
  const backends: number[] = [];
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const stat = await readFile(`/proc/${entry}/stat`, 'utf8').catch(() => '');
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    if (Number(entry) === databasePid || parent === databasePid) backends.push(Number(entry));
  }
  const parts = await Promise.all(backends.map((id) => megabytes(id, 'Pss')));
  return { node: await megabytes(pid, 'Rss'), database: parts.reduce((sum, part) => sum + part, 0) };
}
