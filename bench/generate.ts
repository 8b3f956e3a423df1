/**
 * `node bench/generate.ts essays users folder`: fills an installation with many essays and people. Essays repeat the
 * demo's texts: one in fifty as it was laid out, the others as plain paragraphs, which is what most essays weigh; titles,
 * tags, times, counts and authors vary. Search is filled by `bench/search.ts`.
 */

import { mkdirSync } from 'node:fs';
import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import { startEmbedded } from '@mozhan/postgres';
import pg from 'pg';
import { startMozhan } from './servers.ts';

const STEP = 20_000;

const people = `
  insert into users (id, display_name, cur_identity, invite_code, created_at, updated_at)
  select uuidv7(), '作者' || n, 2, 'bench-' || n, now() - random() * interval '5 years', now()
  from generate_series($1::int, $2::int) n`;

/** The n-th essay takes its text from one of the demo's, its author and time at random. */
const essays = `
  with source as (
    select row_number() over (order by id) - 1 as place, * from demo_essays
  ), author as (
    select row_number() over (order by id) - 1 as place, id from bench_authors
  ), made as (
    insert into essays (id, author_id, status, version, shelved_version, title, summary, category_id, tags,
      word_count, read_minutes, published_at, updated_at, saved_at, created_at, read_count, like_count, hot_score)
    select uuidv7(), author.id, 3, n, n, source.title || ' · ' || n, source.summary, source.category_id, source.tags,
      source.word_count, source.read_minutes, at.time, at.time, at.time, at.time, reads.count, reads.count / 20,
      log(1 + reads.count + 10 * (reads.count / 20)) + extract(epoch from at.time) / 604800
    from generate_series($1::int, $2::int) n
    join source on source.place = n % $3::int
    join author on author.place = (hashint4(n) & 2147483647) % $4::int
    cross join lateral (select date_trunc('milliseconds', now() - (hashint4(n + 7) & 2147483647) / 2147483647.0 * interval '5 years') as time) at
    cross join lateral (select (power((hashint4(n + 13) & 65535) / 65535.0, 6) * 50000)::int as count) reads
    returning id, shelved_version
  )
  insert into essay_texts (essay_id, version, title, html, toc, text, summary, word_count, read_minutes, has_math, has_diagrams)
  select made.id, made.shelved_version, source.title,
    case made.shelved_version % 50 when 0 then source.html else '<p>' || replace(source.text, E'\\n', '</p><p>') || '</p>' end, source.toc, source.text, source.summary,
    source.word_count, source.read_minutes, source.has_math, source.has_diagrams
  from made join source on source.place = made.shelved_version % $3::int`;

const counts = `
  insert into essay_tags select unnest(tags), published_at, id from essays where status = ${ESSAY_STATUS.onShelf} on conflict do nothing;
  insert into tags (name, id, essay_count) select tag, uuidv7(), count(*) from essay_tags group by tag
    on conflict (name) do update set essay_count = excluded.essay_count;
  delete from essay_counts;
  insert into essay_counts select '', count(*) from essays where status = ${ESSAY_STATUS.onShelf};
  insert into essay_counts select replace(category_id::text, '-', ''), count(*) from essays where status = ${ESSAY_STATUS.onShelf} group by category_id;
  update users set essay_count = own.count
    from (select author_id, count(*) from essays where status = ${ESSAY_STATUS.onShelf} group by author_id) own where id = own.author_id;`;

async function main(): Promise<void> {
  const [total = 100_000, writers = 50_000] = process.argv.slice(2, 4).map(Number);
  const dataDir = process.argv[4];
  if (dataDir === undefined) throw new Error('node bench/generate.ts essays users folder');
  mkdirSync(dataDir, { recursive: true, mode: 0o755 });
  // A first start brings the tables and the demo's essays.
  await (await startMozhan(dataDir)).stop();
  const { connection, stop } = await startEmbedded({
    dataDir,
    note: () => {},
    systemDir: `${dataDir}/system`,
  });
  const client = new pg.Client({ ...connection, statement_timeout: 0 });
  await client.connect();
  await client.query('set synchronous_commit = off');
  const texts = await client.query(`
    create temporary table demo_essays as
    select essays.*, html, toc, text, has_math, has_diagrams
    from essays join essay_texts on essay_id = id and essay_texts.version = shelved_version`);
  for (let done = 0; done < writers; done += STEP)
    await client.query(people, [done + 1, Math.min(done + STEP, writers)]);
  await client.query(
    `create temporary table bench_authors as select id from users where display_name like '作者%'`,
  );
  const since = performance.now();
  for (let done = 0; done < total; done += STEP) {
    await client.query(essays, [done + 1, Math.min(done + STEP, total), texts.rowCount, writers]);
    process.stderr.write(
      `\r${Math.min(done + STEP, total)} essays, ${Math.round((performance.now() - since) / 1000)} s `,
    );
  }
  await client.query(counts);
  await client.query('vacuum analyze');
  process.stderr.write('\n');
  await client.end();
  await stop();
}

await main();
process.exit(0);
