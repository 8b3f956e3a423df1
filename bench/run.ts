/**
 * `npm run bench`: what the product answers on one core, its database included, and how that compares with a bare Node
 * server that sends the same bytes. Needs `wrk` and `h2load` (Debian: `apt install wrk nghttp2-client`).
 */
import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import { type Load, type Measured, measureMost, measureP99, memoryOf, SERVER_CORE } from './load.ts';
import { median, rawFetch } from './measure.ts';
import { type Running, startBare, startMozhan, startUncached, temporaryFolder } from './servers.ts';

const run = promisify(execFile);
const ROUNDS = 5;
const BROTLI = { 'accept-encoding': 'br' };

/** All its threads, and those of its database. */
async function pin({ pid, databasePid }: Running): Promise<void> {
  const { stdout } = await run('ps', ['-o', 'pid=', '--ppid', String(databasePid)]).catch(() => ({
    stdout: '',
  }));
  const pids = [pid, databasePid, ...stdout.trim().split(/\s+/).map(Number)].filter((id) => id > 0);
  for (const id of pids) await run('taskset', ['-a', '-c', '-p', SERVER_CORE, String(id)]).catch(() => {});
}

interface Line {
  name: string;
  rate: number;
  /** To a bare server that sends the bytes of the first path. */
  ratio?: number;
  nodeMs: number;
  databaseMs: number;
  p99: number;
  goal: string;
}

async function measure(
  name: string,
  server: Running,
  load: Load,
  { goal, isCompared = false }: { goal: string; isCompared?: boolean },
): Promise<Line> {
  console.error(name);
  await measureMost(server, { ...load, seconds: 2 });
  const bare = isCompared
    ? await startBare(await rawFetch(server.url + load.paths[0], load.headers ?? {}))
    : null;
  if (bare !== null) await pin(bare);
  const rounds: (Measured & { ratio: number })[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const ours = await measureMost(server, load);
    const theirs = bare === null ? null : await measureMost(bare, load);
    rounds.push({ ...ours, ratio: theirs === null ? 0 : ours.rate / theirs.rate });
  }
  await bare?.stop();
  const middle = (read: (round: (typeof rounds)[number]) => number) => median(rounds.map(read));
  const rate = middle((round) => round.rate);
  return {
    name,
    rate,
    ...(isCompared && { ratio: middle((round) => round.ratio) }),
    nodeMs: middle((round) => round.nodeMs),
    databaseMs: middle((round) => round.databaseMs),
    p99: await measureP99(server, load, rate / 2),
    goal,
  };
}

async function listEssays(server: Running): Promise<{ id: string; title: string }[]> {
  const response = await fetch(`${server.url}/api/core/essay/?pageSize=100`);
  const { data } = (await response.json()) as { data: { list: { id: string; title: string }[] } };
  return data.list;
}

function report(lines: Line[]): void {
  console.log(
    '| on one core | requests/s | of bare Node | ms of Node | ms of PostgreSQL | p99 at half the rate, ms | goal |\n|---|---:|---:|---:|---:|---:|---:|',
  );
  for (const { name, rate, ratio, nodeMs, databaseMs, p99, goal } of lines) {
    const figures = [
      Math.round(rate).toLocaleString('en'),
      ratio?.toFixed(2) ?? '–',
      nodeMs.toFixed(2),
      databaseMs.toFixed(2),
      p99.toFixed(1),
    ];
    console.log(`| ${name} | ${figures.join(' | ')} | ${goal} |`);
  }
}

const dataDir = await temporaryFolder();
const lines: Line[] = [];
try {
  const ours = await startMozhan(dataDir);
  await pin(ours);
  const essays = await listEssays(ours);
  const pages = essays.map(({ id }) => `/essay/detail/${id}.html`);
  const [page = ''] = pages;
  const words = essays.flatMap(({ title }) => title.match(/[\u4e00-\u9fff]{2}|[A-Za-z]{3,}/g) ?? []);
  const searches = words.map((word) => `/api/core/essay/?keyword=${encodeURIComponent(word)}`);
  lines.push(
    await measure(
      'cached essay page (brotli)',
      ours,
      { paths: [page], headers: BROTLI, connections: 50 },
      {
        goal: 'ratio 0.8',
        isCompared: true,
      },
    ),
    await measure(
      'JSON list of ten',
      ours,
      { paths: ['/api/core/essay/'], connections: 50 },
      {
        goal: '6,000',
        isCompared: true,
      },
    ),
    await measure(
      'JSON essay',
      ours,
      { paths: essays.map(({ id }) => `/api/core/essay/${id}`), connections: 50 },
      { goal: '4,000', isCompared: true },
    ),
  );
  const memory = await memoryOf(ours);
  await ours.stop();
  const uncached = await startUncached(dataDir);
  await pin(uncached);
  lines.push(
    await measure(
      'essay page rendered anew',
      uncached,
      { paths: pages, headers: BROTLI, connections: 8 },
      {
        goal: '800',
      },
    ),
    await measure(
      'home rendered anew',
      uncached,
      { paths: ['/home'], headers: BROTLI, connections: 1 },
      {
        goal: '500',
      },
    ),
    await measure('search of one word', uncached, { paths: searches, connections: 16 }, { goal: '1,000' }),
  );
  await uncached.stop();
  report(lines);
  console.log(
    `\nmemory after that: ${memory.node.toFixed(0)} MB of Node (resident), ${memory.database.toFixed(0)} MB of PostgreSQL (its part)`,
  );
} finally {
  await rm(dataDir, { recursive: true, force: true });
}
