/** `node bench/notices.ts [notices]`: measures listing and marking the notices of a user who has that many. */
import { rm } from 'node:fs/promises';
import { measureTimes, quantile } from './measure.ts';
import { openClient, startMozhan, temporaryFolder } from './servers.ts';

const NOTICES = Number(process.argv[2] ?? 1_000_000);
const ROUNDS = 500;
const GOAL = 15;

/** Three of ten notices are likes by several users, the others have one actor. */
const fill = `
  insert into users (id, display_name, invite_code, created_at, updated_at)
  select uuidv7(), '读者' || n, 'bench-' || n, now(), now() from generate_series(1, 1000) n;
  create table bench_people as
  select row_number() over (order by id) - 1 as place, id from users where invite_code like 'bench-%';
  create temporary table told as
  select uuidv7() as id, n as position, case when n % 10 < 3 then 'like' when n % 10 < 6 then 'comment'
    when n % 10 < 8 then 'reply' else 'mention' end as kind
  from generate_series(2, %NOTICES%::int) n;
  insert into notices (id, user_id, kind, text, read_at, created_at, told_at, position, target_id, target_title,
    target_url, excerpt, actors)
  select id, '%USER%', kind, '赞了你的文章', case when position % 3 = 0 then now() end, now(), now(), position,
    uuidv7(), '一篇文章的标题', '/essay/detail/x.html', '说得很好，谢谢分享', case kind when 'like' then 4 else 1 end
  from told;
  insert into notice_actors (notice_id, user_id, position)
  select told.id, bench_people.id, position * 10 + each
  from told cross join lateral generate_series(1, case kind when 'like' then 4 else 1 end) each
  join bench_people on place = (position * 7 + each) % 1000;
  update notice_boxes set position = %NOTICES% where user_id = '%USER%';
  delete from notice_counts where user_id = '%USER%';
  insert into notice_counts (user_id, kind, total, unread)
  select user_id, kind, count(*), count(*) filter (where read_at is null) from notices
  where user_id = '%USER%' group by user_id, kind;
  drop table bench_people;`;

const dataDir = await temporaryFolder();
const ours = await startMozhan(dataDir);
try {
  const json = { 'content-type': 'application/json' };
  const registered = await fetch(`${ours.url}/api/core/user/`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ account: 'bench-reader', password: 'a password for benchmarks' }),
  });
  const headers = { ...json, token: registered.headers.get('token') ?? '' };
  const { data: me } = (await registered.json()) as { data: { id: string } };

  const client = await openClient(dataDir);
  await client.query(fill.replaceAll('%USER%', me.id).replaceAll('%NOTICES%', String(NOTICES)));
  await client.query('vacuum analyze notices, notice_actors, notice_counts, notice_boxes, users');
  await client.end();

  async function ask(path: string, init: RequestInit = {}): Promise<unknown> {
    const response = await fetch(`${ours.url}/api/core/user/notice${path}`, { ...init, headers });
    const body = (await response.json()) as { success: boolean; data: unknown };
    if (!body.success) throw new Error(`${path}: ${JSON.stringify(body)}`);
    return body.data;
  }
  const at = (position: number) =>
    Buffer.from(JSON.stringify([String(position), '0'.repeat(32)])).toString('base64url');
  const deep = at(Math.floor(NOTICES / 100));
  const all = JSON.stringify({ all: true });
  const scenarios: [name: string, work: () => Promise<unknown>][] = [
    ['first page', () => ask('')],
    ['deep, by cursor', () => ask(`?cursor=${deep}`)],
    ['of a kind', () => ask('?kind=like')],
    ['of a kind, deep', () => ask(`?kind=like&cursor=${deep}`)],
    ['unread counts', () => ask('/unread')],
    ['mark all read', () => ask('', { method: 'PUT', body: all })],
    ['first page, all read', () => ask('')],
  ];
  console.log(
    `${NOTICES} notices of one user\n\n| scenario | p50, ms | p95, ms | goal |\n|---|---:|---:|---:|`,
  );
  for (const [name, work] of scenarios) {
    await measureTimes(50, work);
    const durations = await measureTimes(ROUNDS, work);
    const p95 = quantile(durations, 0.95);
    console.log(`| ${name} | ${quantile(durations, 0.5).toFixed(1)} | ${p95.toFixed(1)} | ${GOAL} |`);
    if (p95 > GOAL) process.exitCode = 1;
  }
} finally {
  await ours.stop();
  await rm(dataDir, { recursive: true, force: true });
}
process.exit();
