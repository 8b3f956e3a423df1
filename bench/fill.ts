import { mkdirSync } from 'node:fs';
import { ESSAY_STATUS, ORDER_STATUS } from '@mozhan/contract/enums.ts';
import pg from 'pg';
import { startDatabase, startMozhan } from './servers.ts';

const BATCH_SIZE = 20_000;

const insertUsers = `
  with made as (
    insert into users (id, display_name, cur_identity, invite_code, city, essay_count, created_at, updated_at)
    select uuidv7(), '作者' || n, 2, 'bench-' || n, '杭州', 20, now() - random() * interval '5 years', now()
    from generate_series($1::int, $2::int) n returning id, created_at
  )
  insert into accounts (user_id, name, password_hash, updated_at)
  select id, 'writer-' || id, '', created_at from made`;

/** Uses texts of the demo essays, with pseudo-random authors and times. */
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
        - case when reads.count + 10 * (reads.count / 20) < 20 then 1000000 else 0 end
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

/** Triggers of these tables are disabled, because balances are set directly. */
const LEDGER_TABLES = ['ledger_accounts', 'ledger_entries', 'ledger_lines'];

/** Only the first essays have pending items, because the number of pending items does not grow with the site. */
const MAX_PENDING = 2000;

/** The essays of the current step, each with a reader. */
const readers = `
  create temporary table bench_step as
  select row_number() over (order by essays.id) as n, essays.id as essay_id, author_id, title, published_at as at,
    reader.id as reader_id, version <= ${MAX_PENDING} as is_waiting
  from essays
  join bench_places on bench_places.id = author_id
  join bench_places as reader on reader.place = (bench_places.place + 1 + (hashtext(essays.id::text) & 15)) % $3::int
  where version between $1 and $2 and title like '% · %'`;

const activity = [
  `insert into essay_likes (user_id, essay_id, id, created_at) select reader_id, essay_id, uuidv7(), at from bench_step`,
  `insert into essay_history (user_id, essay_id, progress, read_at) select reader_id, essay_id, 50, at from bench_step`,
  `insert into essay_days (essay_id, day, reads, likes) select essay_id, day::date, 5, 1
   from bench_step, generate_series(at, least(now(), at + interval '4 days'), '1 day') day`,
  `insert into essay_records (id, essay_id, user_id, version, from_status, to_status, revision, created_at)
   select uuidv7(), essay_id, author_id, 1, 2, ${ESSAY_STATUS.onShelf}, false, at from bench_step`,
  `insert into essay_revisions
   select (jsonb_populate_record(revision, jsonb_build_object('essay_id', made.id, 'version', made.version,
     'content', '正文'))).*
   from bench_step join essays as made on made.id = bench_step.essay_id
   join demo_essays as origin on origin.title = split_part(bench_step.title, ' · ', 1)
   join essay_revisions as revision on revision.essay_id = origin.id and revision.version = origin.version`,
  `insert into comments (id, essay_id, user_id, status, content, html, like_count, created_at)
   select uuidv7(), essay_id, reader_id, case when is_waiting and n % 20 = 0 then 1 else 0 end, '好', '<p>好</p>', n % 7, at
   from bench_step, generate_series(1, 2)`,
  `insert into comment_counts (essay_id, count) select essay_id, 2 from bench_step`,
  `insert into folders (id, user_id, name, is_public, is_default, essay_count, created_at)
   select uuidv7(), id, '默认收藏夹', true, true, 20, now() from (select distinct reader_id as id from bench_step) as people
   on conflict do nothing`,
  `insert into collections (user_id, essay_id, id, folder_id, created_at)
   select reader_id, essay_id, uuidv7(), folders.id, at from bench_step join folders on user_id = reader_id and is_default`,
  `insert into follows (id, follower_id, user_id, created_at)
   select uuidv7(), reader_id, author_id, at from bench_step on conflict do nothing`,
  `insert into trends (id, user_id, type, target_kind, target_id, created_at)
   select uuidv7(), reader_id, 1 + n % 11, 0, essay_id, at from bench_step`,
  `insert into notice_boxes (user_id) select distinct author_id from bench_step on conflict do nothing`,
  `with told as (
     select author_id, reader_id, essay_id, title, at, position + row_number() over (partition by author_id order by n) as place
     from bench_step join notice_boxes on user_id = author_id
   ), noticed as (
     insert into notices (id, user_id, kind, text, created_at, position, target_id, target_title, target_url, actors, told_at)
     select uuidv7(), author_id, 'like', '', at, place, essay_id, title, '/essay/detail/' || essay_id || '.html', 1, at
     from told returning id, user_id, target_id, position
   ), acted as (
     insert into notice_actors (notice_id, user_id, position)
     select noticed.id, reader_id, noticed.position from noticed
     join told on author_id = user_id and essay_id = target_id
   )
   update notice_boxes set position = last from (select author_id, max(place) as last from told group by 1) as told
   where author_id = user_id`,
  `insert into shares (id, code, user_id, essay_id, channel, is_first, created_at)
   select uuidv7(), replace(essay_id::text, '-', ''), reader_id, essay_id, 'link', true, at from bench_step`,
  `insert into operations (id, user_id, call, summary, target, address, request_id, input, created_at)
   select uuidv7(), author_id, 'PUT core/essay/status', '上架文章', 'essay:' || replace(essay_id::text, '-', ''),
     '127.0.0.1', essay_id::text, '{}', at from bench_step`,
  `insert into reports (id, kind, target_id, user_id, reason, status, created_at, owner_id)
   select uuidv7(), 'essay', essay_id, reader_id, 'spam', case when is_waiting then 0 else 1 + n % 2 end, at, author_id from bench_step where n % 50 = 0`,
  `insert into sessions (id, user_id, via, device, address, region, created_at, renewed_at, used_at)
   select uuidv7(), reader_id, 'password', '', '127.0.0.1', '', at, now(), now() from bench_step where n % 10 = 0`,
  `insert into farmers (user_id, skills, city, updated_at)
   select id, '{TypeScript}', '杭州', now() from (select distinct author_id as id from bench_step) as people
   on conflict do nothing`,
  `with room as (
     insert into conversations (id, essay_id, last_seq, created_at, updated_at)
     select uuidv7(), essay_id, 2, at, at from bench_step where n % 5 = 0 returning id, essay_id
   ), present as (
     insert into conversation_members (conversation_id, user_id, read_seq, listed_at, said_at)
     select id, reader_id, 2, at, at from room join bench_step using (essay_id)
   )
   insert into chat_messages (conversation_id, seq, id, client_id, from_id, kind, content, html, created_at, folded, tokens)
   select id, seq, uuidv7(), 'bench-' || seq, reader_id, 'text', '大家好', '大家好', at, '大家好', '{}'
   from room join bench_step using (essay_id), generate_series(1, 2) seq`,
  `with sold as (
     insert into orders (id, no, user_id, kind, target_id, title, payee_id, amount, commission, pay_by, status, expires_at,
       ask_at, paid_at, created_at)
     select uuidv7(), 'bench-' || essay_id, reader_id, 'read', essay_id, title, author_id, 990, 99, 'balance',
       ${ORDER_STATUS.paid}, at, at, at, at
     from bench_step where n % 10 = 0 returning id, user_id, target_id, payee_id, paid_at as at
   ), bought as (
     insert into purchases (user_id, target_id, kind, order_id, created_at)
     select user_id, target_id, 'essay', id, at from sold
   ), held as (
     insert into ledger_accounts (account, user_id, balance)
     select 'balance', id, 100000 from (select distinct user_id as id from sold) as buyers
     union all select 'earnings', id, 100000 from (select distinct payee_id as id from sold) as payees
     on conflict (key) do update set balance = 100000 returning id, account, user_id
   ), entry as (
     insert into ledger_entries (id, kind, title, order_id, created_at)
     select uuidv7(), 'read', '', id, at from sold returning id, order_id
   )
   insert into ledger_lines (id, entry_id, account_id, amount, user_id, balance_after, created_at)
   select uuidv7(), entry.id, held.id, case account when 'balance' then -990 else 990 end, held.user_id, 100000, at
   from entry join sold on sold.id = order_id
   join held on held.user_id = case account when 'balance' then sold.user_id else sold.payee_id end`,
  `insert into withdrawals (id, no, user_id, amount, account, status, decided_at, created_at)
   select uuidv7(), 'bench-' || essay_id, author_id, 1000, 'account', case when is_waiting then 0 else 2 end,
     case when is_waiting then null else at end, at from bench_step where n % 100 = 0`,
];

/** Copies the search entry of the demo essay with the same text. */
const search = [
  // Inserting into an existing index would take an hour.
  'drop index search_essays_tokens',
  `insert into search_essays
   select made.id, made.title, lower(made.title), fresh, stat, tokens, impacts
   from essays as made join essays as origin on origin.title = split_part(made.title, ' · ', 1)
   join search_essays on search_essays.id = origin.id where made.title like '% · %'`,
  'create index search_essays_tokens on search_essays using gin (tokens) with (fastupdate = off)',
];

/** Fills a data directory with essays and writers, in addition to the demo. */
export async function fill(
  dataDir: string,
  { total, writers, isSearched = false }: { total: number; writers: number; isSearched?: boolean },
): Promise<void> {
  mkdirSync(dataDir, { recursive: true, mode: 0o755 });
  // The first start creates the tables and the demo essays.
  await (await startMozhan(dataDir)).stop();
  const { connection, stop } = await startDatabase(dataDir);
  const client = new pg.Client({ ...connection, statement_timeout: 0 });
  await client.connect();
  await client.query('set synchronous_commit = off');
  const texts = await client.query(`
    create temporary table demo_essays as
    select essays.*, html, toc, text, has_math, has_diagrams
    from essays join essay_texts on essay_id = id and essay_texts.version = shelved_version`);
  for (let done = 0; done < writers; done += BATCH_SIZE)
    await client.query(insertUsers, [done + 1, Math.min(done + BATCH_SIZE, writers)]);
  await client.query(
    `create temporary table bench_authors as select id from users where display_name like '作者%'`,
  );
  await client.query(
    'create temporary table bench_places as select row_number() over (order by id) - 1 as place, id from bench_authors',
  );
  for (const table of LEDGER_TABLES) await client.query(`alter table ${table} disable trigger user`);
  await client.query('analyze bench_authors, bench_places');
  const since = performance.now();
  for (let done = 0; done < total; done += BATCH_SIZE) {
    const last = Math.min(done + BATCH_SIZE, total);
    await client.query(essays, [done + 1, last, texts.rowCount, writers]);
    await client.query(readers, [done + 1, last, writers]);
    await client.query('analyze bench_step');
    for (const statement of activity) await client.query(statement);
    await client.query('drop table bench_step');
    process.stderr.write(`\r${last} essays, ${Math.round((performance.now() - since) / 1000)} s `);
  }
  for (const table of LEDGER_TABLES) await client.query(`alter table ${table} enable trigger user`);
  await client.query(counts);
  if (isSearched) for (const statement of search) await client.query(statement);
  await client.query('vacuum analyze');
  process.stderr.write('\n');
  await client.end();
  await stop();
}
