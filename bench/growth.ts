import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fill } from './fill.ts';
import { cpuTime } from './load.ts';
import { measureTimes, median, quantile } from './measure.ts';
import { findRequests, type Request, readSample, type Sample } from './requests.ts';
import { openClient, type RunningServer, startUncached, temporaryFolder } from './servers.ts';
import { signIn, signInAdmin } from './users.ts';

const ROUNDS = 3;
const REQUESTS = 20;
/** Slow requests are repeated less often. */
const ROUND_MS = 250;
const MAX_RATIO = 1.1;
const ESSAYS_OF_A_WRITER = 20;

interface Site {
  server: RunningServer;
  tokens: Record<Request['role'], string>;
  sample: Sample;
}

interface Cost {
  nodeMs: number;
  databaseMs: number;
  p50: number;
  bytes: number;
}

export interface GrowthResult {
  name: string;
  ratio: number;
  small: Cost;
  large: Cost;
}

/** Waits for jobs triggered by new rows, and for the word statistics of searches, as on a site that has run for a while. */
async function waitForJobs(dataDir: string): Promise<void> {
  const client = await openClient(dataDir);
  await client.query("select graphile_worker.add_job('search-refresh')");
  for (let waiting = 1; waiting > 0; ) {
    await sleep(1000);
    const { rows } = await client.query<{ count: string }>(
      `select (select count(*) from unindexed_people)
         + (select count(*) from graphile_worker.jobs where task_identifier = 'search-refresh') as count`,
    );
    waiting = Number(rows[0]?.count);
  }
  await client.query('vacuum analyze');
  await client.end();
}

async function open(dataDir: string): Promise<Site> {
  const server = await startUncached(dataDir);
  await waitForJobs(dataDir);
  const client = await openClient(dataDir);
  const sample = await readSample(client);
  const user = await signIn(client, sample.userId ?? '');
  await client.end();
  return { server, tokens: { visitor: '', user, staff: await signInAdmin(server.url) }, sample };
}

async function sendRequest({ server, tokens, sample }: Site, { role, path }: Request): Promise<number> {
  const token = tokens[role];
  const response = await fetch(server.url + path(sample), {
    headers: token === '' ? {} : { token },
    redirect: 'manual',
  });
  const { byteLength } = await response.arrayBuffer();
  if (response.status >= 400) throw new Error(`answers ${response.status}`);
  return byteLength;
}

async function measure(site: Site, request: Request, count: number): Promise<Cost> {
  let bytes = 0;
  const before = await cpuTime(site.server);
  const durations = await measureTimes(count, async () => {
    bytes = await sendRequest(site, request);
  });
  const after = await cpuTime(site.server);
  return {
    nodeMs: (after.node - before.node) / count,
    databaseMs: (after.database - before.database) / count,
    p50: quantile(durations, 0.5),
    bytes,
  };
}

/** Minimum of all rounds, because other load only adds to the cost. */
const minimumOf = (costs: Cost[]): Cost => ({
  nodeMs: Math.min(...costs.map((cost) => cost.nodeMs)),
  databaseMs: Math.min(...costs.map((cost) => cost.databaseMs)),
  p50: Math.min(...costs.map((cost) => cost.p50)),
  bytes: median(costs.map((cost) => cost.bytes)),
});

const total = ({ nodeMs, databaseMs }: Cost) => nodeMs + databaseMs;

async function compare(small: Site, large: Site, request: Request): Promise<GrowthResult> {
  const costs: { small: Cost[]; large: Cost[] } = { small: [], large: [] };
  for (const site of [small, large]) await measure(site, request, 3);
  const { p50 } = await measure(large, request, 3);
  const count = Math.max(2, Math.min(REQUESTS, Math.round(ROUND_MS / p50)));
  for (let round = 0; round < ROUNDS; round++) {
    costs.small.push(await measure(small, request, count));
    costs.large.push(await measure(large, request, count));
  }
  const cost = { small: minimumOf(costs.small), large: minimumOf(costs.large) };
  return { name: request.name, ratio: total(cost.large) / total(cost.small), ...cost };
}

function report(results: GrowthResult[], failed: string[]): void {
  const worst = results.filter(({ ratio }) => ratio > MAX_RATIO).toSorted((a, b) => b.ratio - a.ratio);
  console.log(
    `${results.length} requests measured, ${worst.length} cost more than ${MAX_RATIO} × on the larger site`,
  );
  if (worst.length > 0)
    console.log(
      '\n| request | × | ms of Node | ms of PostgreSQL | p50, ms | bytes |\n|---|---:|---:|---:|---:|---:|',
    );
  for (const { name, ratio, small, large } of worst) {
    const change = (read: (cost: Cost) => number, digits: number) =>
      `${read(small).toFixed(digits)} → ${read(large).toFixed(digits)}`;
    const cells = [
      ratio.toFixed(2),
      change((cost) => cost.nodeMs, 2),
      change((cost) => cost.databaseMs, 2),
      change((cost) => cost.p50, 1),
      change((cost) => cost.bytes, 0),
    ];
    console.log(`| ${name} | ${cells.join(' | ')} |`);
  }
  if (failed.length > 0) console.log(`\nnot measured:\n${failed.map((line) => `- ${line}`).join('\n')}`);
}

/** Compares the cost of every GET call, public page and list on a small and a large site, with sequential requests. */
export async function growth(sizes: [number, number], only: string, givenFolder?: string): Promise<void> {
  const folder = givenFolder ?? (await temporaryFolder());
  const sites: Site[] = [];
  try {
    for (const total of sizes) {
      const dataDir = join(folder, String(total));
      if (!existsSync(dataDir))
        await fill(dataDir, { total, writers: Math.ceil(total / ESSAYS_OF_A_WRITER), isSearched: true });
      sites.push(await open(dataDir));
    }
    const [small, large] = sites;
    if (small === undefined || large === undefined) throw new Error('two sizes are needed');
    const { requests, unknown } = findRequests();
    const results: GrowthResult[] = [];
    const failed = unknown;
    const selected = requests.filter(({ name }) => name.includes(only));
    for (const [at, request] of selected.entries()) {
      const progress = `${at + 1} of ${selected.length}: ${request.name}`;
      try {
        const one = await compare(small, large, request);
        results.push(one);
        console.error(`${progress}: ${one.ratio.toFixed(2)} ×`);
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        failed.push(`${request.name}: ${reason}`);
        console.error(`${progress}: ${reason}`);
      }
    }
    report(results, failed);
  } finally {
    for (const { server } of sites) await server.stop();
    if (givenFolder === undefined) await rm(folder, { recursive: true, force: true });
  }
}
