/**
 * `node bench/search.ts [essays] [folder]`: measures search among many essays by word frequency. Essays consist of
 * dictionary words with a natural frequency distribution. A given folder is not removed and used again.
 */
import { globSync, mkdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded } from '@mozhan/postgres';
import { createPool } from '@mozhan/server/db/client.ts';
import { newId } from '@mozhan/server/db/id.ts';
import { migrate } from '@mozhan/server/db/migrate.ts';
import { systemCtx } from '@mozhan/server/jobs.ts';
import { indexEssay, searchEssays, toSearchCtx } from '@mozhan/server/modules/platform/search/index.ts';
import { jobs } from '@mozhan/server/modules/platform/search/jobs.ts';
import { freshnessOf } from '@mozhan/server/modules/platform/search/rules/query-plan.ts';
import {
  loadDictionary,
  readJiebaDictionary,
  segment,
} from '@mozhan/server/modules/platform/search/rules/segment.ts';
import {
  categoryToken,
  padTokens,
  parseQueryUnits,
  plainToken,
  strongToken,
  titleToken,
} from '@mozhan/server/modules/platform/search/rules/tokens.ts';
import pg from 'pg';
import { createSearchServices } from './search-services.ts';

const ESSAYS = Number(process.argv[2] ?? 100_000);
const GIVEN_FOLDER = process.argv[3];
const VOCABULARY = 100_000;
const MEAN_WORD_COUNT = 560;
const ROUNDS = 3;
const QUERIES_PER_CLASS = 40;
const CATEGORIES = Array.from({ length: 8 }, (_, index) => `0${index}`.repeat(16));
const YEARS = 6;

let seed = 20_261_115;
function random(): number {
  seed = (seed + 0x6d2b79f5) | 0;
  let value = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  value ^= value + Math.imul(value ^ (value >>> 7), 61 | value);
  return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
}
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;

const dictionary = await loadDictionary();

/** Shuffled two-character words that a query treats as one unit. */
async function readVocabulary(): Promise<string[]> {
  return (await readJiebaDictionary())
    .map((line) => line.split(' ')[0] ?? '')
    .filter((word) => /^[\u4e00-\u9fff]{2}$/.test(word) && segment(dictionary, word).bounds.length === 2)
    .filter((word) => parseQueryUnits(dictionary, word)[0]?.term === word)
    .map((word) => ({ word, at: random() }))
    .sort((a, b) => a.at - b.at)
    .slice(0, VOCABULARY)
    .map(({ word }) => word);
}

/** Share of essays that contain the word of this rank: half for the most common, 1 % for the 4000th. */
const share = (rank: number): number => Math.min(0.5, 40 / (rank + 1));

const vocabulary = await readVocabulary();
const tokens = vocabulary.map((word) => [plainToken(word), strongToken(word), titleToken(word)] as const);

function createRankGenerator(): () => number {
  const sums: number[] = [];
  let sum = 0;
  for (let rank = 0; rank < vocabulary.length; rank++) {
    // Weight that results in the desired share.
    sum += -Math.log(1 - share(rank));
    sums.push(sum);
  }
  const table = new Uint32Array(1 << 22);
  for (let at = 0, rank = 0; at < table.length; at++) {
    while ((sums[rank] ?? sum) < ((at + 0.5) / table.length) * sum) rank += 1;
    table[at] = rank;
  }
  return () => table[Math.floor(random() * table.length)] ?? 0;
}
const drawRank = createRankGenerator();

function makeRow(): unknown[] {
  const counts = new Map<number, number>();
  const drawn = Math.round(MEAN_WORD_COUNT * (0.4 + random() * 1.2));
  for (let times = 0; times < drawn; times++) {
    const rank = drawRank();
    counts.set(rank, (counts.get(rank) ?? 0) + 1);
  }
  const words = [...counts].map(([rank, count]) => {
    const impact = (count + random() * 2) / (count + 3);
    return { rank, impact: Math.max(1, Math.round(255 * impact)), worth: impact * -Math.log(share(rank)) };
  });
  const strong = words.toSorted((a, b) => b.worth - a.worth).slice(0, 20);
  const title = [pick(strong), pick(strong), pick(strong), pick(words), pick(words), pick(words)];
  const text = title.map(({ rank }) => vocabulary[rank]).join('');
  const fresh = freshnessOf(new Date(Date.now() - random() * YEARS * 365 * 86_400_000));
  const all = [
    ...words.map(({ rank }) => tokens[rank]?.[0] ?? 0),
    categoryToken(pick(CATEGORIES)),
    ...strong.map(({ rank }) => tokens[rank]?.[1] ?? 0),
    ...title.map(({ rank }) => tokens[rank]?.[2] ?? 0),
  ];
  return [
    newId(),
    text,
    text,
    fresh,
    fresh + Math.log(1 + random() ** 8 * 100_000) / 8,
    `{${padTokens(all).join()}}`,
    Buffer.from(words.map(({ impact }) => impact)),
  ];
}

const BATCH_SIZE = 400;
const COLUMNS = 7;
/** Number of distinct essays; the others are copies with another rank. */
const DISTINCT_ESSAYS = Math.min(ESSAYS, 50_000);

async function fill(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ indexdef: string }>(
    `select indexdef from pg_indexes where tablename = 'search_essays' and indexname <> 'search_essays_pkey'`,
  );
  await client.query('drop index search_essays_tokens, search_essays_title');
  await client.query('set synchronous_commit = off');
  const values = Array.from(
    { length: BATCH_SIZE },
    (_, row) => `(${Array.from({ length: COLUMNS }, (_, at) => `$${row * COLUMNS + at + 1}`).join()})`,
  ).join();
  for (let done = 0; done < DISTINCT_ESSAYS; done += BATCH_SIZE) {
    await client.query({
      name: 'fill',
      text: `insert into search_essays (id, title, folded_title, fresh, stat, tokens, impacts) values ${values}`,
      values: Array.from({ length: BATCH_SIZE }, makeRow).flat(),
    });
    if (done % 20_000 === 0) process.stderr.write(`\r${done}`);
  }
  for (let done = DISTINCT_ESSAYS; done < ESSAYS; done += DISTINCT_ESSAYS) {
    await client.query(
      `insert into search_essays (id, title, folded_title, fresh, stat, tokens, impacts)
       select uuidv7(), title, folded_title, fresh, fresh + ln(1 + power(random(), 8) * 100000) / 8, tokens, impacts
       from (select * from search_essays order by id limit $1) as made order by random() limit $2`,
      [DISTINCT_ESSAYS, ESSAYS - done],
    );
    process.stderr.write(`\r${done}`);
  }
  await client.query(`set maintenance_work_mem = '1GB'`);
  for (const { indexdef } of rows) await client.query(indexdef);
  await client.query('vacuum analyze search_essays');
  process.stderr.write('\r');
}

const dataDir = GIVEN_FOLDER ?? (await mkdtemp(join(tmpdir(), 'mozhan-bench-')));
mkdirSync(dataDir, { recursive: true, mode: 0o755 });
const { connection, stop } = await startEmbedded({
  dataDir,
  notify: () => {},
  systemDir: join(dataDir, 'system'),
});
const pool = createPool(connection);
const { rows: tables } = await pool.query<{ is: boolean }>(
  `select to_regclass('search_essays') is not null as is`,
);
if (tables[0]?.is !== true) await migrate(pool);
const services = createSearchServices(pool, connection);
const ctx = systemCtx(services);

const client = new pg.Client({ ...connection, statement_timeout: 0 });
await client.connect();
async function hasRows(table: 'search_essays' | 'search_hot'): Promise<boolean> {
  const { rows } = await client.query<{ is: boolean }>(`select exists (select 1 from ${table}) as is`);
  return rows[0]?.is === true;
}
if (!(await hasRows('search_essays'))) {
  const since = performance.now();
  await fill(client);
  console.log(`filled in ${Math.round((performance.now() - since) / 1000)} s`);
}
if (!(await hasRows('search_hot'))) {
  const since = performance.now();
  await jobs['search-refresh']?.(ctx, {});
  await client.query('vacuum analyze search_hot, search_shares');
  console.log(`refreshed in ${Math.round((performance.now() - since) / 1000)} s`);
}
const { rows: sizes } = await client.query(
  `select c.relname as name, pg_size_pretty(pg_total_relation_size(c.oid)) as size, c.reltuples::int as rows
   from pg_class c where c.relname like 'search%' and c.relkind = 'r' order by 1`,
);
console.table(sizes);

const between = (from: number, to: number) => () =>
  vocabulary[Math.floor(from + random() * (to - from))] ?? '';
const rare = between(50_000, VOCABULARY);
const middling = between(3500, 4500);
const medium = between(400, 1300);
const common = between(0, 100);
const classes: Record<string, () => string> = {
  'rare (0.04–0.08 %)': rare,
  'middling (1 %)': middling,
  '3–10 %': medium,
  'common (40–50 %)': common,
  'rare + common': () => `${rare()} ${common()}`,
  'middling × 2': () => `${middling()} ${middling()}`,
  'middling + common': () => `${middling()} ${common()}`,
  '3–10 % × 2': () => `${medium()} ${medium()}`,
  'common × 2': () => `${common()} ${common()}`,
  'common × 3': () => `${common()} ${common()} ${common()}`,
  'rare × 3, in part': () => `${rare()} ${rare()} ${rare()}`,
};

const milliseconds = (value: number) => Number(value.toFixed(1));
const quantile = (sorted: number[], part: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;

async function measure(work: () => Promise<unknown>): Promise<number> {
  const since = performance.now();
  await work();
  return performance.now() - since;
}

async function times(count: number, work: (at: number) => Promise<unknown>): Promise<number[]> {
  const durations: number[] = [];
  for (let at = 0; at < count; at++) durations.push(await measure(() => work(at)));
  return durations;
}

interface Row {
  p50: number;
  p95: number;
  ratio: number;
}
const table: Record<string, Row> = {};
const addRow = (name: string, durations: number[], bare: number[]) => {
  const sorted = durations.toSorted((a, b) => a - b);
  const p50 = quantile(sorted, 0.5);
  table[name] = {
    p50: milliseconds(p50),
    p95: milliseconds(quantile(sorted, 0.95)),
    ratio: Math.round(
      p50 /
        quantile(
          bare.toSorted((a, b) => a - b),
          0.5,
        ),
    ),
  };
};
const bareQuery = () => pool.query('select 1');

for (const [name, make] of Object.entries(classes)) {
  const queries = Array.from({ length: QUERIES_PER_CLASS }, make);
  const ask = (keyword: string, categoryId?: string) =>
    searchEssays(toSearchCtx(ctx), { keyword, categoryId, offset: 0, limit: 20 });
  // The first round is a warm-up.
  await times(queries.length, (at) => ask(queries[at] ?? ''));
  const durations = await times(ROUNDS * queries.length, (at) => ask(queries[at % queries.length] ?? ''));
  const bare = await times(100, bareQuery);
  addRow(name, durations, bare);
  if (name.startsWith('common (') || name.startsWith('middling (')) {
    const within = await times(queries.length * 2, (at) =>
      ask(queries[at % queries.length] ?? '', pick(CATEGORIES)),
    );
    addRow(`${name}, in a category`, within.slice(queries.length), bare);
    const crowd = await Promise.all(
      Array.from({ length: 4 }, (_, asker) =>
        times(queries.length, (at) => ask(queries[(at + asker * 10) % queries.length] ?? '')),
      ),
    );
    addRow(`${name}, four at once`, crowd.flat(), bare);
  }
}

const texts = globSync(join(import.meta.dirname, '../server/src/modules/admin/demo/texts/*.md')).map((path) =>
  readFileSync(path, 'utf8'),
);
const indexText = (text: string) => () =>
  indexEssay(ctx, {
    id: newId(),
    title: '量一量',
    tags: ['基准测试'],
    author: '佚名',
    authorId: CATEGORIES[0] ?? '',
    column: null,
    isPaid: false,
    categoryId: CATEGORIES[0] ?? '',
    text,
    publishedAt: new Date(),
    hot: 0,
  });
const bare = await times(100, bareQuery);
await indexText(texts[0] ?? '')();
addRow('index an essay of 4000 characters', await times(60, () => indexText(pick(texts))()), bare);
const long = texts.join('\n').repeat(3).slice(0, 200_000);
addRow('index 200 000 characters', await times(10, indexText(long)), bare);

console.log(`${ESSAYS} essays, milliseconds; ratio: p50 to that of a bare \`select 1\``);
console.table(table);

await client.query(`delete from search_essays where title = '量一量'; delete from search_new_words`);
await client.end();
await services.searchPool.end();
await services.lookupPool.end();
await pool.end();
await stop();
if (GIVEN_FOLDER === undefined) await rm(dataDir, { recursive: true, force: true });
process.exit(0);
