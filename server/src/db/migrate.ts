import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runMigrations } from 'graphile-worker';
import type pg from 'pg';

const folder = join(import.meta.dirname, '../../migrations');
const LOCK = 0x6d6f7a68;

/** Applies what is missing, one file a transaction; several processes starting at once wait for each other. */
export async function migrate(pool: pg.Pool): Promise<void> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  const client = await pool.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK]);
    await client.query(
      'create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())',
    );
    const { rows } = await client.query<{ name: string }>('select name from migrations');
    const applied = new Set(rows.map((row) => row.name));
    const unknown = [...applied].filter((name) => !files.includes(name));
    if (unknown.length > 0) {
      throw new Error(`数据库比程序新（多出迁移 ${unknown.join('、')}），请使用新版程序`);
    }
    for (const file of files.filter((name) => !applied.has(name))) {
      await applyFile(client, file);
    }
    await runMigrations({ pgPool: pool });
  } finally {
    await client.query('select pg_advisory_unlock($1)', [LOCK]).catch(() => {});
    client.release();
  }
}

async function applyFile(client: pg.PoolClient, file: string): Promise<void> {
  const text = await readFile(join(folder, file), 'utf8');
  try {
    await client.query('begin');
    await client.query(text);
    await client.query('insert into migrations (name) values ($1)', [file]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw new Error(`数据库迁移 ${file} 失败`, { cause: error });
  }
}
