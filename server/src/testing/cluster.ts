import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded } from '@mozhan/postgres';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { createApp } from '../app.ts';
import { createPool } from '../db/client.ts';
import { migrate } from '../db/migrate.ts';
import { seedInstallation } from '../first-start.ts';
import { systemCtx } from '../jobs.ts';
import { testConfig } from './config.ts';
import { createDatabaseDir } from './database-dir.ts';

export interface TestConnection {
  host: string;
  port: number;
  user: string;
  password?: string;
  database: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    /** Each test file copies its own database from one of the two templates. */
    cluster: {
      connection: TestConnection;
      template: string;
      /** A copy of the template after the server's first start. */
      prepared: string;
    };
  }
}

/** Durability is not needed, because test data may be lost in a crash. */
const FAST_SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  // The write-ahead log is in memory as well.
  max_wal_size: '256MB',
  max_connections: '200',
};

/**
 * Vitest's global setup: one PostgreSQL with a migrated template for the entire run, either the embedded one or that of
 * `TEST_DATABASE_URL`, whose role must be allowed to create databases.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { connection, stop } = await startPostgres();
  const template = `mozhan_test_${randomBytes(4).toString('hex')}`;
  const prepared = `${template}_prepared`;
  try {
    await query(connection, `create database ${template}`);
    const pool = createPool({ ...connection, database: template });
    await migrate(pool).finally(() => pool.end());
    await query(connection, `create database ${prepared} template ${template}`);
    await runFirstStart({ ...connection, database: prepared });
  } catch (error) {
    await stop();
    throw error;
  }
  project.provide('cluster', { connection, template, prepared });
  return async () => {
    if (process.env.TEST_DATABASE_URL) await dropAll(connection, template);
    await stop();
  };
}

/** Runs the first start once for all test apps, because rendering the default pages takes a second each time. */
async function runFirstStart(connection: TestConnection): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'mozhan-app-'));
  const app = await createApp({ config: testConfig(dataDir), connection, runsJobs: false });
  await seedInstallation(systemCtx(app.services)).finally(() => app.close());
  rmSync(dataDir, { recursive: true, force: true });
}

export async function startPostgres() {
  const { TEST_DATABASE_URL } = process.env;
  return TEST_DATABASE_URL ? connectToExternal(TEST_DATABASE_URL) : await startEmbeddedForTests();
}

function connectToExternal(url: string) {
  const { host, port, user = '', password, database = '' } = new pg.Client(url);
  return {
    connection: { host, port, user, password: String(password ?? ''), database },
    stop: async () => {},
  };
}

async function startEmbeddedForTests() {
  const dataDir = createDatabaseDir('test');
  const { connection, stop } = await startEmbedded({
    dataDir,
    notify: () => {},
    settings: FAST_SETTINGS,
    systemDir: join(dataDir, 'system'),
  });
  return {
    connection,
    stop: async () => {
      await stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Drops the templates and the databases of tests that were killed. */
async function dropAll(connection: TestConnection, template: string): Promise<void> {
  const { rows } = await query(
    connection,
    `select datname from pg_database where datname like '${template}%'`,
  );
  for (const { datname } of rows) await query(connection, `drop database ${datname} with (force)`);
}

async function query(connection: TestConnection, statement: string): Promise<pg.QueryResult> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return await client.query(statement);
  } finally {
    await client.end();
  }
}
