/**
 * `node bench/admin.ts [essays]`: measures the dashboard and the long lists of the back office in every order, with
 * sequential calls, on a one-year-old site (default: a million essays). Also measures the first count of all days and
 * the ranking of a year. Exits with 1 when the p95 of a call exceeds 200 ms.
 */
import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type RunningServer, startDatabase, startMozhan, temporaryFolder } from './servers.ts';
import { signInAdmin } from './users.ts';

const BATCH_SIZE = 50_000;
const READ_DAYS = 12;
const REQUESTS = 200;
const PAGES = 40;
const MAX_P95_MS = 200;

const essays = Number(process.argv[2] ?? 1_000_000);
const writers = Math.max(1, Math.round(essays / 20));

const insertUsers = `
  insert into users (id, display_name, cur_identity, invite_code, created_at, updated_at)
  select uuidv7(), '作者' || n, 2, 'bench-' || n, now() - random() * interval '1 year', now()
  from generate_series(1, $1::int) n`;

/** Essays with a shelving record, daily reads, and a comment. */
const step = `
  with author as materialized (
    select row_number() over (order by id) - 1 as place, id from users where display_name like '作者%'
  ), made as (
    insert into essays (id, author_id, status, version, shelved_version, title, published_at, updated_at, saved_at,
      created_at)
    select uuidv7(), author.id, 3, 1, 1, '第 ' || n || ' 篇', at.time, at.time, at.time, at.time
    from generate_series($1::int, $2::int) n
    join author on author.place = n % $3::int
    cross join lateral (select now() - n % 365 * interval '1 day' - random() * interval '1 hour' as time) at
    returning id, author_id, published_at
  ), shelved as (
    insert into essay_records (id, essay_id, version, from_status, to_status, revision, created_at)
    select uuidv7(), id, 1, 2, 3, false, published_at from made
  ), said as (
    insert into comments (id, essay_id, user_id, status, content, html, created_at)
    select uuidv7(), id, author_id, 0, '好', '<p>好</p>', published_at from made
  ), sold as (
    insert into orders (id, no, user_id, kind, target_id, title, payee_id, amount, commission, pay_by, status,
      expires_at, ask_at, paid_at, created_at)
    select uuidv7(), 'bench-' || id, author_id, 'read', id, '', author_id, 990, 99, 'balance', 1, published_at,
      published_at, published_at, published_at
    from made where random() < 0.1
  )
  insert into essay_days (essay_id, day, reads)
  select made.id, day::date, 1 + (power(random(), 8) * 2000)::int
  from made, generate_series(published_at, least(now(), published_at + interval '${READ_DAYS - 1} days'), '1 day') day`;

async function fill(dataDir: string): Promise<void> {
  // The first start creates the tables.
  await (await startMozhan(dataDir, { DEMO: 'off' })).stop();
  const { connection, stop } = await startDatabase(dataDir);
  const client = new pg.Client({ ...connection, statement_timeout: 0 });
  await client.connect();
  await client.query('set synchronous_commit = off');
  await client.query(insertUsers, [writers]);
  await client.query('analyze users');
  for (let done = 0; done < essays; done += BATCH_SIZE) {
    const last = Math.min(done + BATCH_SIZE, essays);
    await client.query(step, [done + 1, last, writers]);
    process.stderr.write(`\r${last} essays `);
  }
  await client.query('delete from site_days');
  await client.query('delete from stat_tops');
  await client.query('vacuum analyze');
  process.stderr.write('\n');
  await client.end();
  await stop();
}

async function ask<T>(server: RunningServer, token: string, path: string): Promise<{ data: T; ms: number }> {
  const since = performance.now();
  const response = await fetch(`${server.url}/api/core/sys/${path}`, { headers: { token } });
  const { success, data } = (await response.json()) as { success: boolean; data: T };
  if (!success) throw new Error(`${path}: ${response.status}`);
  return { data, ms: performance.now() - since };
}

interface Stats {
  updatedAt: string | null;
  tops: object | null;
  total: { reads: number };
}

/** Seconds until all days are counted and the range is ranked. */
async function waitUntilCounted(server: RunningServer, token: string, path: string): Promise<number> {
  const since = performance.now();
  for (;;) {
    const { data } = await ask<Stats>(server, token, path);
    if (data.updatedAt !== null && data.tops !== null) return (performance.now() - since) / 1000;
    await sleep(200);
  }
}

function printTimes(path: string, times: number[]): number {
  times.sort((a, b) => a - b);
  const [half = 0, most = 0] = [0.5, 0.95].map((part) => times[Math.floor(times.length * part)]);
  console.log(`${path.padEnd(36)} median ${half.toFixed(1)} ms, p95 ${most.toFixed(1)} ms`);
  return most;
}

async function measure(server: RunningServer, token: string, path: string): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < REQUESTS; i++) times.push((await ask(server, token, path)).ms);
  return printTimes(path, times);
}

async function measurePages(server: RunningServer, token: string, path: string): Promise<number> {
  const times: number[] = [];
  let next: string | null = '';
  for (let i = 0; i < PAGES && next !== null; i++) {
    const cursor: string = next === '' ? '' : `&cursor=${encodeURIComponent(next)}`;
    const page = await ask<{ next: string | null }>(server, token, `${path}&pageSize=20${cursor}`);
    times.push(page.ms);
    next = page.data.next;
  }
  return printTimes(path, times);
}

const LISTS = {
  essay: ['savedAt', 'publishedAt'],
  comment: ['createdAt', 'likeCount', 'replyCount'],
  user: ['createdAt', 'essays', 'followers', 'reads'],
  order: ['createdAt', 'amount'],
};

async function main(): Promise<boolean> {
  const dataDir = await temporaryFolder();
  try {
    await fill(dataDir);
    const server = await startMozhan(dataDir, { DEMO: 'off' });
    try {
      const token = await signInAdmin(server.url);
      const paths = ['stat/?days=365', 'stat/?days=30', 'stat/todo'];
      for (const path of paths.slice(0, 2))
        console.log(
          `${path.padEnd(16)} counted after ${(await waitUntilCounted(server, token, path)).toFixed(1)} s`,
        );
      const worst: number[] = [];
      for (const path of paths) worst.push(await measure(server, token, path));
      for (const [list, fields] of Object.entries(LISTS))
        for (const field of fields)
          for (const order of [0, 1])
            worst.push(await measurePages(server, token, `${list}/?sort=${field}&order=${order}`));
      return Math.max(...worst) <= MAX_P95_MS;
    } finally {
      await server.stop();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

const isFast = await main();
console.log(
  `${essays.toLocaleString('en')} essays: ${isFast ? 'fast enough' : `slower than ${MAX_P95_MS} ms`}`,
);
process.exit(isFast ? 0 : 1);
