import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runMigrations } from 'graphile-worker';
import type pg from 'pg';
import { z } from 'zod';
import { ConfigError } from '../config/config.ts';
import { parseRow, parseRows } from './rows.ts';

const folder = join(import.meta.dirname, '../../migrations');
const ADVISORY_LOCK_ID = 0x6d6f7a68;

export const MIGRATIONS_TABLE =
  'create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())';

const listFiles = async (): Promise<string[]> =>
  (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();

const nameRow = z.object({ name: z.string() });

async function listApplied(db: Pick<pg.Pool, 'query'>): Promise<Set<string>> {
  const result = await db.query('select name from migrations');
  return new Set(parseRows(nameRow, result).map((row) => row.name));
}

export async function compareMigrations(
  db: Pick<pg.Pool, 'query'>,
): Promise<{ missing: string[]; unknown: string[] }> {
  const [files, applied] = [await listFiles(), await listApplied(db)];
  return {
    missing: files.filter((name) => !applied.has(name)),
    unknown: [...applied].filter((name) => !files.includes(name)),
  };
}

/** Called before migrations change a database that is in use, by one process at a time. */
export type BeforeUpdate = (pool: pg.Pool) => Promise<void>;

/**
 * Applies the missing migrations in one transaction, so that a failed update leaves the database as the older version
 * needs it. A lock makes other starting processes wait.
 */
export async function migrate(pool: pg.Pool, beforeUpdate: BeforeUpdate = async () => {}): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [ADVISORY_LOCK_ID]);
    await client.query(MIGRATIONS_TABLE);
    const { missing, unknown } = await compareMigrations(client);
    if (unknown.length > 0) {
      throw new ConfigError(
        `数据库比程序新（多出迁移 ${unknown.join('、')}），没有启动：请使用新版程序；要退回旧版本，见 docs/update.zh-CN.md`,
      );
    }
    if (missing.length > 0) {
      if ((await listApplied(client)).size > 0) await beforeUpdate(pool);
      await applyInTransaction(client, missing);
    }
    await runMigrations({ pgPool: pool });
  } finally {
    await client.query('select pg_advisory_unlock($1)', [ADVISORY_LOCK_ID]).catch(() => {});
    client.release();
  }
}

async function applyInTransaction(client: pg.PoolClient, names: readonly string[]): Promise<void> {
  try {
    await client.query('begin');
    await applyMigrations(client, names);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

async function runFile(client: pg.ClientBase, file: string): Promise<void> {
  await client.query(await readFile(join(folder, file), 'utf8'));
  await client.query('insert into migrations (name) values ($1)', [file]);
}

const toMigrationError = (file: string, cause: unknown): Error =>
  new Error(`数据库迁移 ${file} 失败`, { cause });

export async function applyMigrations(client: pg.ClientBase, names: readonly string[]): Promise<void> {
  await client.query(MIGRATIONS_TABLE);
  for (const file of (await listFiles()).filter((name) => names.includes(name))) {
    await runFile(client, file).catch((error: unknown) => {
      throw toMigrationError(file, error);
    });
    // Pending deferred constraint checks would prevent the next file from altering the tables.
    await client.query('set constraints all immediate');
    await client.query('set constraints all deferred');
  }
}

const lockRow = z.object({ locked: z.boolean() });

/** Blocks starting servers until the connection ends; false if one is migrating now. */
export async function tryLockMigrations(client: pg.ClientBase): Promise<boolean> {
  const result = await client.query('select pg_try_advisory_lock($1) as locked', [ADVISORY_LOCK_ID]);
  return parseRow(lockRow, result).locked;
}

export const readMigrations = async (): Promise<{ name: string; content: string }[]> =>
  Promise.all(
    (await listFiles()).map(async (name) => ({ name, content: await readFile(join(folder, name), 'utf8') })),
  );
