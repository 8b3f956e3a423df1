/**
 * `node bench/comments.ts [folder]`: creates a million comments on one essay and measures reading them: first page,
 * deep cursor, hot list and replies; as a visitor and signed in.
 */

import { mkdirSync, rmSync } from 'node:fs';
import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import pg from 'pg';
import { measureTimes, quantile } from './measure.ts';
import { startDatabase, startMozhan, temporaryFolder } from './servers.ts';
import { signInAdmin } from './users.ts';

const TOTAL = 1_000_000;
const BATCH_SIZE = 50_000;
const DEEP_POSITION = 100_000;
const GOAL_MS = 15;

const insertUsers = `
  insert into users (id, display_name, invite_code, created_at, updated_at)
  select uuidv7(), '读者' || n, 'bench-' || n, now(), now() from generate_series(1, 2000) n`;

/** Ids are ordered by time, as in production. */
const insertComments = `
  insert into comments (id, essay_id, root_id, user_id, status, content, html, region, like_count, created_at)
  select uuidv7(), $1, $2, reader.id, 0, text, '<p>' || text || '</p>', '浙江',
    case when $2::uuid is null then (power((hashint4(n) & 65535) / 65535.0, 8) * 3000)::int else 0 end, now()
  from generate_series($3::int, $4::int) n
  join bench_readers as reader on reader.place = (hashint4(n + 7) & 2147483647) % 2000
  cross join lateral (select '第 ' || n || ' 条：写得很清楚，有一处想再问问，第三节的例子换一种写法会怎样？' as text) as given`;

const insertReplies = `
  insert into comments (id, essay_id, root_id, user_id, status, content, html, region, created_at)
  select uuidv7(), $1, root.id, reader.id, 0, '回复 ' || n, '<p>回复 ' || n || '</p>', '浙江', now()
  from generate_series($2::int, $3::int) n
  join bench_roots as root on root.place = case when n % 10 = 0 then 0 else hashint4(n) & 131071 end
  join bench_readers as reader on reader.place = (hashint4(n + 7) & 2147483647) % 2000`;

async function fill(dataDir: string): Promise<{ essayId: string; busyId: string; deep: string }> {
  const { connection, stop } = await startDatabase(dataDir);
  const client = new pg.Client({ ...connection, statement_timeout: 0 });
  await client.connect();
  const one = async (text: string, values: unknown[] = []): Promise<string> =>
    String((await client.query<{ id: string }>(text, values)).rows[0]?.id).replaceAll('-', '');
  await client.query('set synchronous_commit = off');
  await client.query(insertUsers);
  await client.query(`
    create temporary table bench_readers as
    select row_number() over (order by id) - 1 as place, id from users where display_name like '读者%'`);
  await client.query('analyze bench_readers');
  const essayId = await one(
    `select id from essays where status = ${ESSAY_STATUS.onShelf} order by id limit 1`,
  );
  const roots = TOTAL * 0.6;
  const since = performance.now();
  const progress = (done: number) =>
    process.stderr.write(`\r${done} comments, ${Math.round((performance.now() - since) / 1000)} s `);
  for (let done = 0; done < roots; done += BATCH_SIZE) {
    await client.query(insertComments, [essayId, null, done + 1, done + BATCH_SIZE]);
    progress(done + BATCH_SIZE);
  }
  await client.query(
    `
    create temporary table bench_roots as
    select row_number() over (order by id) - 1 as place, id from comments where essay_id = $1 and root_id is null`,
    [essayId],
  );
  await client.query('create index on bench_roots (place)');
  await client.query('analyze bench_roots');
  for (let done = 0; done < TOTAL - roots; done += BATCH_SIZE) {
    await client.query(insertReplies, [essayId, done + 1, done + BATCH_SIZE]);
    progress(roots + done + BATCH_SIZE);
  }
  await client.query(`
    update comments set reply_count = own.count
    from (select root_id, count(*)::int from comments where root_id is not null group by root_id) as own
    where id = own.root_id`);
  await client.query(
    'update comments set pinned = true where id in (select id from bench_roots where place < 3)',
  );
  await client.query(
    `insert into comment_counts select essay_id, count(*) from comments where root_id is null group by essay_id
     on conflict (essay_id) do update set count = excluded.count`,
  );
  await client.query('update essays set cmt_count = $2 where id = $1', [essayId, TOTAL]);
  await client.query('vacuum analyze');
  process.stderr.write('\n');
  const busyId = await one('select id from bench_roots where place = 0');
  const deepId = await one('select id from bench_roots where place = $1', [DEEP_POSITION]);
  await client.end();
  await stop();
  return { essayId, busyId, deep: Buffer.from(JSON.stringify(['0', deepId])).toString('base64url') };
}

async function measure(url: string, name: string, path: string, token: string): Promise<boolean> {
  const ask = async () => {
    const answer = await fetch(`${url}/api/core/essay/${path}`, { headers: token === '' ? {} : { token } });
    const body = (await answer.json()) as { success: boolean; data: { list: unknown[] } };
    if (!body.success || body.data.list.length === 0) throw new Error(`${path}: ${JSON.stringify(body)}`);
  };
  await measureTimes(50, ask);
  const durations = await measureTimes(300, ask);
  const [p50, p95] = [quantile(durations, 0.5), quantile(durations, 0.95)];
  console.log(`| ${name} | ${p50.toFixed(1)} | ${p95.toFixed(1)} |`);
  return p95 <= GOAL_MS;
}

const givenFolder = process.argv[2];
const dataDir = givenFolder ?? (await temporaryFolder());
mkdirSync(dataDir, { recursive: true, mode: 0o755 });
// The first start creates the tables and the demo essays.
await (await startMozhan(dataDir)).stop();
const { essayId, busyId, deep } = await fill(dataDir);
const server = await startMozhan(dataDir);
try {
  const token = await signInAdmin(server.url);
  const lists: [name: string, path: string][] = [
    ['first page', `cmt?essayId=${essayId}&pageSize=20`],
    ['by cursor, far behind', `cmt?essayId=${essayId}&pageSize=20&cursor=${deep}`],
    ['hot', `cmt?essayId=${essayId}&pageSize=20&sort=hot`],
    ['replies', `cmt/reply?cmtId=${busyId}&pageSize=20`],
  ];
  console.log('| list | p50, ms | p95, ms |\n|---|---:|---:|');
  let meetsGoal = true;
  for (const [name, path] of lists) {
    meetsGoal = (await measure(server.url, name, path, '')) && meetsGoal;
    meetsGoal = (await measure(server.url, `${name}, signed in`, path, token)) && meetsGoal;
  }
  console.log(`\ngoal: p95 of ${GOAL_MS} ms`);
  if (!meetsGoal) process.exitCode = 1;
} finally {
  await server.stop();
  if (givenFolder === undefined) rmSync(dataDir, { recursive: true, force: true });
}
process.exit();
