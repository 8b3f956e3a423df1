import { getTableColumns, getTableName, is } from 'drizzle-orm';
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ConfigError } from '../config/config.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import { writeSchema } from '../testing/schema-sql.ts';
import { createBatch, createShared } from './batch.ts';
import { newId } from './id.ts';
import { migrate } from './migrate.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

test('ids are 32 hex characters, in order of time and of making', () => {
  const ids = Array.from({ length: 10_000 }, () => newId());
  expect(ids.every((id) => /^[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/.test(id))).toBe(true);
  expect(new Set(ids).size).toBe(ids.length);
  expect([...ids].sort()).toEqual(ids);
});

/** What each `tables.ts` exports, by its path. */
const tableFiles = import.meta.glob<Record<string, unknown>>('../modules/*/*/tables.ts', { eager: true });

test('schema.sql is the schema of the database', async () => {
  const moduleOf = new Map(
    Object.entries(tableFiles).flatMap(([path, file]) =>
      Object.values(file)
        .filter((each): each is PgTable => is(each, PgTable))
        .map((table) => [getTableName(table), path.split('/').slice(2, 4).join('/')] as const),
    ),
  );
  await expect(await writeSchema(t.app.services.pool, moduleOf)).toMatchFileSnapshot('../../schema.sql');
});

test('every table of the program has exactly the columns of the database', async () => {
  const tables = Object.values(tableFiles)
    .flatMap((file) => Object.values(file))
    .filter((each): each is PgTable => is(each, PgTable));
  expect(tables.length).toBeGreaterThan(10);
  for (const table of tables) {
    const { rows } = await t.app.services.pool.query(
      `select attname as name, format_type(atttypid, atttypmod) as type, attnotnull as not_null from pg_attribute
       where attrelid = $1::regclass and attnum > 0 and not attisdropped`,
      [getTableName(table)],
    );
    const stored = rows.map((row) => `${row.name} ${row.type} ${row.not_null}`).sort();
    const isKey = new Set(
      getTableConfig(table).primaryKeys.flatMap((key) => key.columns.map((column) => column.name)),
    );
    const declared = Object.values(getTableColumns(table))
      .map((column) => `${column.name} ${column.getSQLType()} ${column.notNull || isKey.has(column.name)}`)
      .sort();
    expect({ table: getTableName(table), columns: declared }).toEqual({
      table: getTableName(table),
      columns: stored,
    });
  }
});

test('migrating again, and by several at once, changes nothing', async () => {
  const { pool } = t.app.services;
  const before = await pool.query('select name, applied_at from migrations order by name');
  await Promise.all([migrate(pool), migrate(pool), migrate(pool)]);
  const after = await pool.query('select name, applied_at from migrations order by name');
  expect(after.rows).toEqual(before.rows);
});

test('a database newer than the program is left alone', async () => {
  const { pool } = t.app.services;
  await pool.query("insert into migrations (name) values ('9999_future.sql')");
  const refusal = await migrate(pool).catch((error: unknown) => error);
  // Of a kind that is told to the operator in its own sentence, without a stack.
  expect(refusal).toBeInstanceOf(ConfigError);
  expect(refusal).toMatchObject({
    message: '数据库比程序新（多出迁移 9999_future.sql），没有启动：请使用新版程序',
  });
  await pool.query("delete from migrations where name = '9999_future.sql'");
});

test('look-ups that come together share a query; each gets its own answer, or the error', async () => {
  const loads: string[][] = [];
  let isDown = false;
  const find = createBatch(async (keys) => {
    loads.push(keys);
    await new Promise((resolve) => setTimeout(resolve, 200));
    if (isDown) throw new Error('down');
    return new Map(keys.filter((key) => key !== 'unknown').map((key) => [key, key.toUpperCase()]));
  });
  const first = ['a', 'b', 'b', 'unknown'].map(find);
  await expect.poll(() => loads.length).toBe(1);
  const meanwhile = ['c', 'a', 'c'].map(find);
  expect(await Promise.all(first)).toEqual(['A', 'B', 'B', null]);
  expect(await Promise.all(meanwhile)).toEqual(['C', 'A', 'C']);
  expect(loads).toEqual([
    ['a', 'b', 'unknown'],
    ['c', 'a'],
  ]);
  isDown = true;
  const failed = await Promise.allSettled(['a', 'b'].map(find));
  expect(failed.map((each) => each.status)).toEqual(['rejected', 'rejected']);
  isDown = false;
  expect(await find('a')).toBe('A');
});

test('equal questions that come together share an answer that is no older than any of them', async () => {
  const asked: string[] = [];
  const open: ((error?: Error) => void)[] = [];
  const ask = createShared(({ page }: { page: string }) => {
    asked.push(page);
    const place = asked.length;
    return new Promise<{ place: number }>((resolve, reject) => {
      open.push((error) => (error === undefined ? resolve({ place }) : reject(error)));
    });
  });
  const together = [ask({ page: 'a' }), ask({ page: 'a' }), ask({ page: 'b' })];
  await expect.poll(() => asked).toEqual(['a', 'b']);
  // Under way already: these wait for the next, and nobody waits for another question.
  const later = [ask({ page: 'a' }), ask({ page: 'a' })];
  open[1]?.();
  expect(await together[2]).toEqual({ place: 2 });
  expect(asked).toEqual(['a', 'b']);
  open[0]?.();
  expect(await Promise.all(together)).toEqual([{ place: 1 }, { place: 1 }, { place: 2 }]);
  await expect.poll(() => asked).toEqual(['a', 'b', 'a']);
  const last = ask({ page: 'a' });
  open[2]?.(new Error('down'));
  expect((await Promise.allSettled(later)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await expect.poll(() => open.length).toBe(4);
  open[3]?.();
  expect(await last).toEqual({ place: 4 });
});
