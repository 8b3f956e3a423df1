/**
 * `npm run bench`: measures the throughput on one core, including the database, compared with a bare Node server that
 * sends the same bytes. Warns about regressions against `bench/ratios.json`; `--keep` writes the new ratios there and
 * the table into `bench/results.md`, `--only TEXT` filters lines by name, `--quick` runs one short round of each. Needs
 * `wrk` and `h2load` (Debian: `apt install wrk nghttp2-client`).
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  cpuTime,
  type Load,
  type LoadResult,
  measureP99,
  measureThroughput,
  memoryUsage,
  SERVER_CORE,
} from './load.ts';
import { median, rawFetch } from './measure.ts';
import { type ResultLine, readRegressions, storeLines, table } from './ratios.ts';
import {
  openClient,
  type RunningServer,
  startBare,
  startDatabase,
  startMozhan,
  startUncached,
  temporaryFolder,
} from './servers.ts';
import { allPurchases, buyAll, createPaidEssays, topUp } from './shopping.ts';
import { createUsers, signInAdmin } from './users.ts';

const { values: options } = parseArgs({
  options: { keep: { type: 'boolean' }, quick: { type: 'boolean' }, only: { type: 'string', default: '' } },
});
const ROUNDS = options.quick ? 1 : 5;
const SECONDS = options.quick ? 1 : 5;
const BROTLI = { 'accept-encoding': 'br' };
const BUYERS = 100;
const SOLD = options.quick ? 10 : 50;
const PRICE = 990;

/** Compared by requests per second when sending dominates, otherwise by CPU time per request. */
type Compared = 'rate' | 'time';

const lines: ResultLine[] = [];
const isSelected = (name: string) => name.includes(options.only);
const total = ({ nodeMs, databaseMs }: LoadResult) => nodeMs + databaseMs;

async function measure(
  name: string,
  server: RunningServer,
  baseLoad: Omit<Load, 'seconds'>,
  { by, goal = '–' }: { by: Compared; goal?: string },
): Promise<void> {
  if (!isSelected(name)) return;
  console.error(name);
  const load = { ...baseLoad, seconds: SECONDS };
  await measureThroughput(server, load);
  const bare = await startBare(await rawFetch(server.url + load.paths[0], load.headers ?? {}), SERVER_CORE);
  const rounds: (LoadResult & { ratio: number })[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const ours = await measureThroughput(server, load);
    const theirs = await measureThroughput(bare, load);
    const ratio = by === 'rate' ? ours.rate / theirs.rate : total(theirs) / total(ours);
    rounds.push({ ...ours, ratio });
  }
  await bare.stop();
  const middle = (read: (round: (typeof rounds)[number]) => number) => median(rounds.map(read));
  const rate = middle((round) => round.rate);
  lines.push({
    name,
    ratio: middle((round) => round.ratio),
    figures: {
      rate,
      nodeMs: middle((round) => round.nodeMs),
      databaseMs: middle((round) => round.databaseMs),
      p99: await measureP99(server, load, rate / 2),
    },
    goal,
  });
}

interface Site {
  pages: string[];
  essays: string[];
  searches: string[];
  /** Scripts and styles of the home page. */
  assets: string[];
  pictures: string[];
}

async function readSite(server: RunningServer): Promise<Site> {
  const response = await fetch(`${server.url}/api/core/essay/?pageSize=100`);
  const { data } = (await response.json()) as { data: { list: { id: string; title: string }[] } };
  const home = await (await fetch(`${server.url}/home`)).text();
  const listPaths = (pattern: RegExp) => [...new Set(home.match(pattern) ?? [])];
  const words = data.list.flatMap(({ title }) => title.match(/[\u4e00-\u9fff]{2}|[A-Za-z]{3,}/g) ?? []);
  return {
    pages: data.list.map(({ id }) => `/essay/detail/${id}.html`),
    essays: data.list.map(({ id }) => `/api/core/essay/${id}`),
    searches: words.map((word) => `/api/core/essay/?keyword=${encodeURIComponent(word)}`),
    assets: listPaths(/\/assets\/[\w.-]+\.(?:js|css)/g),
    pictures: listPaths(/\/files\/\w+\/\w+\.webp/g),
  };
}

/** A list that is not cached, because the request is signed in. */
const signedIn = async (server: RunningServer): Promise<Omit<Load, 'seconds'>> => ({
  paths: ['/api/core/essay/'],
  headers: { token: await signInAdmin(server.url) },
  connections: 16,
});

const cachedPage = ({ pages }: Site) => ({ paths: pages.slice(0, 1), headers: BROTLI, connections: 50 });

async function measureDefault(dataDir: string): Promise<Site> {
  const server = await startMozhan(dataDir, {}, SERVER_CORE);
  const site = await readSite(server);
  const list = { paths: ['/api/core/essay/'], connections: 50 };
  const essay = { paths: site.essays, connections: 50 };
  await measure('cached essay page (brotli)', server, cachedPage(site), { by: 'rate', goal: 'ratio 0.8' });
  await measure('JSON list of ten', server, list, { by: 'rate', goal: '6,000' });
  await measure('JSON essay', server, essay, { by: 'rate', goal: '4,000' });
  const assets = { paths: site.assets, headers: BROTLI, connections: 16 };
  await measure('scripts and styles of the home page (brotli)', server, assets, { by: 'rate' });
  await measure(
    'pictures of the home page',
    server,
    { paths: site.pictures, connections: 16 },
    { by: 'rate' },
  );
  await measure('JSON list of ten, signed in', server, await signedIn(server), { by: 'time' });
  await measureMemory('memory after that, Node and PostgreSQL', server, '–');
  await server.stop();
  return site;
}

async function measureUncached(dataDir: string, { pages, searches }: Site): Promise<void> {
  const server = await startUncached(dataDir, SERVER_CORE);
  const essay = { paths: pages, headers: BROTLI, connections: 8 };
  const home = { paths: ['/home'], headers: BROTLI, connections: 1 };
  const search = { paths: searches, connections: 16 };
  await measure('essay page rendered anew', server, essay, { by: 'time', goal: '800' });
  await measure('home rendered anew', server, home, { by: 'time', goal: '500' });
  await measure('search of one word', server, search, { by: 'time', goal: '1,000' });
  await server.stop();
  for (const changed of ['counters', 'everything']) {
    const changing = await startUncached(dataDir, SERVER_CORE, changed);
    await measure(`essay page rendered anew, ${changed} changed`, changing, essay, { by: 'time' });
    await changing.stop();
  }
}

/** Two processes share both cores with the load generator. */
async function measureWorkers(dataDir: string, site: Site): Promise<void> {
  const server = await startMozhan(dataDir, { WORKERS: '2' });
  await measure('WORKERS=2: cached essay page', server, cachedPage(site), { by: 'time' });
  await measure('WORKERS=2: JSON list, signed in', server, await signedIn(server), { by: 'time' });
  await server.stop();
}

async function measureExternal(dataDir: string): Promise<void> {
  const database = await startDatabase(dataDir, { core: SERVER_CORE });
  const env = { DATABASE_URL: database.url, SECRET_KEY: join(dataDir, 'secret.key') };
  const server = await startMozhan(dataDir, env, SERVER_CORE);
  const list = await signedIn(server);
  await measure('external PostgreSQL: JSON list, signed in', server, list, { by: 'time' });
  await server.stop();
  await database.stop();
}

const smallResponse = () => new Response('{"success":true}');

async function measurePurchases(name: string, dataDir: string): Promise<void> {
  if (!isSelected(name)) return;
  console.error(name);
  const server = await startMozhan(dataDir);
  const shop = { url: () => server.url };
  const client = await openClient(dataDir);
  const tokens = await createUsers(client, BUYERS);
  const essayIds = await createPaidEssays(client, SOLD, PRICE);
  await client.end();
  await topUp(shop, tokens, SOLD * PRICE);
  const purchases = allPurchases(BUYERS, essayIds);
  const warmUp = purchases.splice(0, purchases.length / 5);
  await buyAll(shop, tokens, warmUp);
  const before = await cpuTime(server);
  const since = performance.now();
  await buyAll(shop, tokens, purchases);
  const rate = (purchases.length * 1000) / (performance.now() - since);
  const after = await cpuTime(server);
  await server.stop();
  const bare = await startBare(smallResponse(), SERVER_CORE);
  const least = await measureThroughput(bare, { paths: ['/'], connections: 50, seconds: SECONDS });
  await bare.stop();
  const nodeMs = (after.node - before.node) / purchases.length;
  const databaseMs = (after.database - before.database) / purchases.length;
  const ratio = total(least) / (nodeMs + databaseMs);
  lines.push({ name, ratio, figures: { rate, nodeMs, databaseMs }, goal: '500' });
}

async function timeStart(start: () => Promise<RunningServer>, path: string): Promise<number> {
  const since = performance.now();
  const server = await start();
  await (await fetch(server.url + path)).arrayBuffer();
  const duration = performance.now() - since;
  await server.stop();
  return duration;
}

async function measureStart(name: string, dataDir: string): Promise<void> {
  if (!isSelected(name)) return;
  console.error(name);
  const rounds: { ours: number; bare: number }[] = [];
  for (let round = 0; round < ROUNDS; round++)
    rounds.push({
      ours: await timeStart(() => startMozhan(dataDir, {}, SERVER_CORE), '/home'),
      bare: await timeStart(() => startBare(smallResponse(), SERVER_CORE), '/'),
    });
  const ms = median(rounds.map(({ ours }) => ours));
  const ratio = median(rounds.map(({ ours, bare }) => bare / ours));
  lines.push({ name, ratio, value: `${(ms / 1000).toFixed(1)} s`, goal: '1.0 s' });
}

async function measureMemory(name: string, server: RunningServer, goal: string): Promise<void> {
  if (!isSelected(name)) return;
  const bare = await startBare(smallResponse());
  const { node, database } = await memoryUsage(server);
  const least = await memoryUsage(bare);
  await bare.stop();
  const value = `${node.toFixed(0)} + ${database.toFixed(0)} MB`;
  lines.push({ name, ratio: least.node / (node + database), value, goal });
}

async function measureIdle(name: string, dataDir: string): Promise<void> {
  if (!isSelected(name)) return;
  const server = await startMozhan(dataDir);
  await fetch(`${server.url}/home`);
  await new Promise((resolve) => setTimeout(resolve, 10_000));
  await measureMemory(name, server, '180 MB of Node');
  await server.stop();
}

const dataDir = await temporaryFolder();
try {
  const site = await measureDefault(dataDir);
  await measureUncached(dataDir, site);
  await measureWorkers(dataDir, site);
  await measureExternal(dataDir);
  await measurePurchases('purchases, both cores', dataDir);
  await measureStart('second start to the first page', dataDir);
  await measureIdle('memory, idle after a second start', dataDir);
} finally {
  await rm(dataDir, { recursive: true, force: true });
}
console.log(table(lines));
for (const warning of await readRegressions(lines)) console.warn(`\nWARNING: ${warning}`);
if (options.keep) await storeLines(lines);
process.exit();
