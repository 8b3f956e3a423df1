import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chinaDayOf } from '../../../day.ts';
import { createDb, type Db } from '../../../db/client.ts';
import { systemCtx } from '../../../jobs.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { categoryIds } from '../../../testing/essays.ts';
import * as hot from './queries/hot.ts';
import * as lists from './queries/lists.ts';
import { countNewEssays } from './queries/reader-home.ts';
import * as recommend from './queries/recommend.ts';

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

const SMALL = 1500;
const LARGE = 15_000;
const AUTHORS = 100;
const START = { score: '1000000000', id: 'f'.repeat(32) };

let t: TestApp;
let readerId: string;
let readerToken: string;
let db: Db;

beforeAll(async () => {
  t = await startTestApp();
  db = systemCtx(t.app.services).db;
  const reader = await t.register();
  readerId = reader.user.id;
  readerToken = reader.token;
  await run(
    `insert into users (id, display_name, cur_identity, invite_code, created_at, updated_at)
     select gen_random_uuid(), '作者' || n, 2, 'cost-' || n, now(), now() from generate_series(1, ${AUTHORS}) n`,
  );
  await run(
    `insert into tags (name, id, essay_count) select 'tag' || n, gen_random_uuid(), 1 from generate_series(0, 49) n`,
  );
  await run(
    `insert into columns (id, author_id, name, created_at)
     select gen_random_uuid(), id, '专栏', now() from users where invite_code like 'cost-%'`,
  );
  await run(
    `insert into follows (id, follower_id, user_id, created_at)
     select gen_random_uuid(), '${readerId}', id, now() from users where invite_code like 'cost-%' order by invite_code limit 10`,
  );
  await run(
    `insert into tag_follows (user_id, tag_id, created_at)
     select '${readerId}', id, now() from tags where name in ('tag1', 'tag2', 'tag3')`,
  );
  await run(
    `insert into column_follows (user_id, column_id, created_at)
     select '${readerId}', columns.id, now() from columns join users on users.id = author_id
     where invite_code in ('cost-70', 'cost-71')`,
  );
});
afterAll(() => t.close());

const run = (text: string) => t.app.services.pool.query(text);

/** Essays of all authors, one per minute back from now, with pseudo-random readers. */
async function fill(from: number, to: number): Promise<void> {
  const { program } = await categoryIds(t);
  await run(
    `with author as (select row_number() over (order by invite_code) - 1 as place, users.id, columns.id as column_id
       from users join columns on columns.author_id = users.id where invite_code like 'cost-%')
     insert into essays (id, author_id, column_id, column_sort, status, version, shelved_version, title, category_id, tags,
       published_at, updated_at, saved_at, created_at, read_count, hot_score)
     select gen_random_uuid(), author.id, author.column_id, n, 3, 1, 1, '第' || n || '篇', '${program}',
       array['tag' || n % 50], at, at, at, at, n % 997, log(1 + n % 997) + extract(epoch from at) / 604800
     from generate_series(${from}, ${to}) n join author on author.place = n % ${AUTHORS},
       lateral (select date_trunc('milliseconds', now() - n * interval '1 minute') as at) as published`,
  );
  await run(
    `insert into essay_tags (tag, published_at, essay_id)
     select tags[1], published_at, id from essays on conflict do nothing`,
  );
  await run(
    `insert into essay_days (essay_id, day, reads)
     select id, (now() at time zone 'Asia/Shanghai')::date, 3 from essays on conflict do nothing`,
  );
  await run('vacuum analyze essays, essay_tags, essay_history, essay_days');
}

function scansOf(node: PlanNode): PlanNode[] {
  const below = (node.Plans ?? []).flatMap(scansOf);
  return node['Relation Name'] === undefined ||
    node['Node Type'] === 'Update' ||
    node['Node Type'] === 'LockRows'
    ? below
    : [node, ...below];
}

interface ExplainedRow {
  'QUERY PLAN': [{ Plan: PlanNode }];
}

/** How many rows of essays and tags were read, and how. */
function readsOf(scans: PlanNode[]): { rows: number; kinds: string[] } {
  const large = scans.filter((scan) => /^(essays|essay_tags|essay_days)$/.test(scan['Relation Name'] ?? ''));
  const rows = large
    .map((scan) => (scan['Actual Rows'] + (scan['Rows Removed by Filter'] ?? 0)) * scan['Actual Loops'])
    .reduce((sum, each) => sum + each, 0);
  return {
    rows,
    kinds: [
      ...new Set(large.map((scan) => `${scan['Node Type']} ${scan['Index Name'] ?? ''}`.trim())),
    ].sort(),
  };
}

/** Explains a prepared statement on a connection of the look-ups, where it is planned without its parameters. */
async function measurePrepared(statement: string, query: (db: Db) => Promise<unknown>) {
  const client = await t.app.services.lookupPool.connect();
  await query(createDb(client));
  const { rows } = await client.query<ExplainedRow>(`explain (analyze, format json) execute ${statement}`);
  client.release();
  return readsOf(rows.flatMap((row) => scansOf(row['QUERY PLAN'][0].Plan)));
}

/** Runs the statements of a query with EXPLAIN as well. */
async function measure(query: (db: Db) => Promise<unknown>) {
  const scans: PlanNode[] = [];
  const explaining = {
    execute: async (statement: ReturnType<typeof sql>) => {
      const { rows } = await db.execute(sql`explain (analyze, format json) ${statement}`);
      const [row] = rows as unknown as ExplainedRow[];
      if (row !== undefined) scans.push(...scansOf(row['QUERY PLAN'][0].Plan));
      return db.execute(statement);
    },
  } as unknown as Db;
  await query(explaining);
  return readsOf(scans);
}

const hotIds = (after: recommend.HotPosition) => (db: Db) =>
  recommend.listHotIds(db, { after, offset: 0, limit: 200, categoryId: null, excluded: [] });
const followedIds = (after: { publishedAt: string; id: string } | null) => (db: Db) =>
  recommend.listFollowedIds(db, { userId: readerId, after, excluded: [], limit: 11 });

/** The position after half of the essays. */
async function findMiddle() {
  const { rows } = await t.app.services.pool.query<{ id: string; score: number; at: Date }>(
    `select id, hot_score as score, published_at as at from essays order by hot_score desc
     offset (select count(*) / 2 from essays) limit 1`,
  );
  const [row] = rows;
  if (row === undefined) throw new Error('no essays');
  return {
    hot: { score: String(row.score), id: row.id },
    followed: { publishedAt: row.at.toISOString(), id: row.id },
  };
}

async function measureAll() {
  const { program = '' } = await categoryIds(t);
  const middle = await findMiddle();
  const top = await recommend.listHotIds(db, {
    after: START,
    offset: 0,
    limit: 200,
    categoryId: null,
    excluded: [],
  });
  return {
    hotFirst: await measure(hotIds(START)),
    hotDeep: await measure(hotIds(middle.hot)),
    hotPrepared: await measurePrepared(
      `hot_ids ('${middle.hot.score}', '${middle.hot.id}', '{${middle.hot.id}}')`,
      (db) => recommend.createHotIdsQuery(db, 200)({ after: START, excluded: [] }),
    ),
    hottest: await measurePrepared('ranking', (db) => lists.createRankingQuery(db, 30)(null)),
    hottestInCategory: await measurePrepared(`category_ranking ('${program}')`, (db) =>
      lists.createRankingQuery(db, 30)(program),
    ),
    followedFirst: await measure(followedIds(null)),
    followedDeep: await measure(followedIds(middle.followed)),
    unknown: await measure((db) =>
      recommend.listUnknownIds(
        db,
        readerId,
        top.map(({ id }) => id),
      ),
    ),
    newEssays: await measure((db) => countNewEssays(db, readerId, new Date(Date.now() - 30 * 86_400_000))),
    ranking: await measure((db) => hot.listRecentIds(db, [chinaDayOf(new Date())], '0'.repeat(32), 500)),
  };
}

test('recommendations read as many rows of a site with ten times the essays, at any depth', async () => {
  await fill(1, SMALL);
  await run(
    `insert into essay_history (user_id, essay_id, progress, read_at)
     select '${readerId}', id, 100, now() from essays order by published_at desc limit 300`,
  );
  const small = await measureAll();
  await fill(SMALL + 1, LARGE);
  const large = await measureAll();
  for (const [name, { rows, kinds }] of Object.entries(large)) {
    expect(rows, name).toBeLessThanOrEqual(Math.max(1.5 * small[name as keyof typeof small].rows, 1000));
    expect(rows, name).toBeLessThan(1500);
    expect(kinds, name).not.toContain('Seq Scan');
  }
  expect(large.hotFirst).toEqual({ rows: 200, kinds: ['Index Only Scan essays_hot'] });
  expect(large.hotDeep).toEqual({ rows: 200, kinds: ['Index Only Scan essays_hot'] });
  expect(large.hotPrepared).toEqual(large.hotDeep);
  expect(large.hottest).toEqual({ rows: 30, kinds: ['Index Scan essays_hot'] });
  expect(large.hottestInCategory).toEqual({ rows: 30, kinds: ['Index Scan essays_category_hot'] });
  expect(large.followedFirst.kinds).toContain('Index Only Scan essays_author');
});

test('a page number far behind reads no essays, cursors go on', async () => {
  const list = async (query: object) =>
    (await t.call('GET core/essay/', { feed: 'recommend', pageSize: 100, ...query }, { token: readerToken }))
      .data;
  expect((await list({ page: 11 })).list).toHaveLength(100);
  expect((await list({ page: 12 })).list).toEqual([]);
  expect((await list({ cursor: (await list({ page: 11 })).next })).list).toHaveLength(100);
});
