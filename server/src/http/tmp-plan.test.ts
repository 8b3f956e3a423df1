import { expect, test } from 'vitest';
import { startTestApp } from '../testing/app.ts';
test('plan', async () => {
  const t = await startTestApp();
  const { user } = await t.register();
  const { pool } = t.app.services;
  await pool.query(`insert into essays (id, author_id, status, shelved_version, title, published_at, updated_at, saved_at, created_at)
     select gen_random_uuid(), $1, 3, 1, 'x', at, at, at, at from generate_series('2020-01-01'::timestamptz, '2020-01-01'::timestamptz + 100000 * interval '1 second', interval '1 second') at`, [user.id]);
  await pool.query('analyze essays');
  const t0 = Date.now(); await t.app.server.inject('/sitemap.xml'); const t1 = Date.now();
  await t.app.server.inject('/sitemap/3.xml'); const t2 = Date.now();
  console.log('index first', t1 - t0, 'part', t2 - t1);
  t.app.services.pages.drop(['essays']);
  const t3 = Date.now(); await t.app.server.inject('/sitemap.xml'); console.log('index again', Date.now() - t3);
  for (const q of [
    `select published_at, id from essays where status = $1 and (published_at, id) >= ('2020-01-02'::timestamptz, '00000000000000000000000000000000'::uuid) order by published_at, id offset 20000 limit 1`,
    `select published_at, id, updated_at from essays where status = $1 and (published_at, id) >= ('2020-01-01T12:00:00Z'::timestamptz, '00000000000000000000000000000000'::uuid) and (published_at, id) < ('2020-01-01T17:00:00Z'::timestamptz, '00000000000000000000000000000000'::uuid) order by published_at, id limit 20001`,
  ]) {
    const { rows } = await pool.query({ text: `explain analyze ${q}`, values: [3] });
    console.log(rows.map((r) => r['QUERY PLAN']).join('\n'));
  }
  await t.close();
  expect(1).toBe(1);
}, 200000);
