import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { startTestApp, type TestApp } from '../testing/app.ts';
import { createDb, type Db } from './client.ts';
import { parseRow, parseRows, sqlAs, sqlInt, timestamp } from './rows.ts';

let t: TestApp;
let db: Db;
beforeAll(async () => {
  t = await startTestApp();
  db = createDb(t.app.services.pool);
});
afterAll(() => t.close());

const row = z.object({ name: z.string(), count: z.int(), at: timestamp });

test('a timestamp is the same Date through Drizzle and node-postgres', async () => {
  const text = `select 'a' as name, 1::bigint as count, '2026-01-02 03:04:05.678+08'::timestamptz as at, true as more`;
  const expected = [{ name: 'a', count: 1, at: new Date('2026-01-01T19:04:05.678Z') }];
  expect(parseRows(row, await db.execute(sql.raw(text)))).toEqual(expected);
  expect(parseRows(row, await t.app.services.pool.query(text))).toEqual(expected);
});

test.each([
  ['name', `select 5 as name, 1 as count, now() as at`],
  ['name', `select null::text as name, 1 as count, now() as at`],
  ['name', `select 1 as count, now() as at`],
  ['count', `select 'a' as name, '1' as count, now() as at`],
  ['count', `select 'a' as name, 1.5::float8 as count, now() as at`],
  ['count', `select 'a' as name, sum(1::bigint) as count, now() as at`],
  ['at', `select 'a' as name, 1 as count, 'soon' as at`],
  ['at', `select 'a' as name, 1 as count, 'infinity'::timestamptz as at`],
  ['at', `select 'a' as name, 1 as count, 7 as at`],
  ['at', `select 'a' as name, 1 as count`],
])('the error names the invalid column %s of %s', async (column, text) => {
  const mismatch = `A row does not match its schema: ${column}: expected `;
  const results = [await db.execute(sql.raw(text)), await t.app.services.pool.query(text)];
  for (const result of results) expect(() => parseRows(row, result)).toThrow(mismatch);
});

test('the error does not contain values of the row', async () => {
  const result = await db.execute(sql`select 'a secret' as count`);
  const parse = () => parseRow(z.object({ count: z.int() }), result);
  expect(parse).toThrow('count');
  expect(parse).not.toThrow('secret');
});

test('parseRow fails with no row and with two rows', async () => {
  const one = z.object({ n: z.int() });
  expect(parseRow(one, await db.execute(sql`select 1 as n`))).toEqual({ n: 1 });
  for (const count of [0, 2]) {
    const result = await db.execute(sql`select n from generate_series(1, ${count}) as n`);
    expect(() => parseRow(one, result)).toThrow(`Expected one row, found ${count}`);
  }
});

test('validates a hand-written column of a built query and names it by its SQL', async () => {
  const source = sql`(select 'a' as name) as source`;
  const select = (column: ReturnType<typeof sqlInt>) => db.select({ column }).from(source);
  expect(await select(sqlInt`length(name) + ${2}`)).toEqual([{ column: 3 }]);
  await expect(select(sqlInt`name || ${'b'}::text`)).rejects.toThrow(
    'The column name || …::text does not match its schema: expected number',
  );
  const size = sqlAs(z.object({ width: z.int() }));
  expect(await db.select({ size: size`json_build_object('width', 5)` }).from(source)).toEqual([
    { size: { width: 5 } },
  ]);
  await expect(db.select({ size: size`json_build_object('width', '5')` }).from(source)).rejects.toThrow(
    'schema: width: expected number',
  );
});

test('a row that does not match its schema causes a 500 without details', async () => {
  const { token } = await t.register();
  const { pool } = t.app.services;
  await pool.query('alter table accounts alter column must_change_password drop not null');
  await pool.query('update accounts set must_change_password = null');
  const response = await t.call('GET core/user/', {}, { token });
  expect(response).toMatchObject({ status: 500, errorCode: 'INTERNAL' });
  expect(JSON.stringify(response)).not.toContain('must_change_password');
});
