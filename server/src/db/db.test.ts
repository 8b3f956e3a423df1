import { getTableColumns, getTableName, is } from 'drizzle-orm';
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ConfigError } from '../config/config.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import { formatSchema } from '../testing/schema-sql.ts';
import { createBatchLoader, createCoalescedLoader } from './batch.ts';
import { newId } from './id.ts';
import { migrate } from './migrate.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

test('ids are 32 hex characters that increase with time and order of creation', () => {
  const ids = Array.from({ length: 10_000 }, () => newId());
  expect(ids.every((id) => /^[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/.test(id))).toBe(true);
  expect(new Set(ids).size).toBe(ids.length);
  expect([...ids].sort()).toEqual(ids);
});

const tableFiles = import.meta.glob<Record<string, unknown>>('../modules/*/*/tables.ts', { eager: true });

test('schema.sql matches the schema of the database', async () => {
  const moduleOf = new Map(
    Object.entries(tableFiles).flatMap(([path, file]) =>
      Object.values(file)
        .filter((each): each is PgTable => is(each, PgTable))
        .map((table) => [getTableName(table), path.split('/').slice(2, 4).join('/')] as const),
    ),
  );
  await expect(await formatSchema(t.app.services.pool, moduleOf)).toMatchFileSnapshot('../../schema.sql');
});

test('every table declared in code has exactly the columns of the database', async () => {
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

test('repeated and concurrent migrations change nothing', async () => {
  const { pool } = t.app.services;
  const before = await pool.query('select name, applied_at from migrations order by name');
  await Promise.all([migrate(pool), migrate(pool), migrate(pool)]);
  const after = await pool.query('select name, applied_at from migrations order by name');
  expect(after.rows).toEqual(before.rows);
});

test('refuses to start on a database that is newer than the program', async () => {
  const { pool } = t.app.services;
  await pool.query("insert into migrations (name) values ('9999_future.sql')");
  const refusal = await migrate(pool).catch((error: unknown) => error);
  // A ConfigError is printed to the operator without a stack trace.
  expect(refusal).toBeInstanceOf(ConfigError);
  expect(refusal).toMatchObject({
    message:
      '数据库比程序新（多出迁移 9999_future.sql），没有启动：请使用新版程序；要退回旧版本，见 docs/update.zh-CN.md',
  });
  await pool.query("delete from migrations where name = '9999_future.sql'");
});

test('concurrent look-ups share a query, and each gets its own result or the error', async () => {
  const loads: string[][] = [];
  let isDown = false;
  const find = createBatchLoader(async (keys) => {
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

test('concurrent equal requests share a result that is no older than any of them', async () => {
  const loaded: string[] = [];
  const open: ((error?: Error) => void)[] = [];
  const load = createCoalescedLoader(({ page }: { page: string }) => {
    loaded.push(page);
    const nth = loaded.length;
    return new Promise<{ nth: number }>((resolve, reject) => {
      open.push((error) => (error === undefined ? resolve({ nth }) : reject(error)));
    });
  });
  const together = [load({ page: 'a' }), load({ page: 'a' }), load({ page: 'b' })];
  await expect.poll(() => loaded).toEqual(['a', 'b']);
  // A load of `a` is running, so these share the next one; `b` does not wait for `a`.
  const later = [load({ page: 'a' }), load({ page: 'a' })];
  open[1]?.();
  expect(await together[2]).toEqual({ nth: 2 });
  expect(loaded).toEqual(['a', 'b']);
  open[0]?.();
  expect(await Promise.all(together)).toEqual([{ nth: 1 }, { nth: 1 }, { nth: 2 }]);
  await expect.poll(() => loaded).toEqual(['a', 'b', 'a']);
  const last = load({ page: 'a' });
  open[2]?.(new Error('down'));
  expect((await Promise.allSettled(later)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await expect.poll(() => open.length).toBe(4);
  open[3]?.();
  expect(await last).toEqual({ nth: 4 });
});
