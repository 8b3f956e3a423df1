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
import { prepare } from '../first-start.ts';
import { systemCtx } from '../jobs.ts';
import { testConfig } from './config.ts';
import { makeDatabaseDir } from './database-dir.ts';

/** Where the tests' databases live, for pg's Pool. */
export interface TestConnection {
  host: string;
  port: number;
  user: string;
  password?: string;
  database: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    /** Each test file copies its own database from the template. */
    cluster: {
      connection: TestConnection;
      template: string;
      /** As the template, after the first start. */
      prepared: string;
    };
  }
}

/** What a crash would lose is of no use here. */
const FAST = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  // It is in memory, too.
  max_wal_size: '256MB',
  max_connections: '200',
};

/**
 * Vitest's global setup: one PostgreSQL for the whole run, the embedded one or that of `TEST_DATABASE_URL` (any role
 * that may create databases), with a migrated template.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { connection, stop } = await startServer();
  const template = `mozhan_test_${randomBytes(4).toString('hex')}`;
  const prepared = `${template}_prepared`;
  try {
    await query(connection, `create database ${template}`);
    const pool = createPool({ ...connection, database: template });
    await migrate(pool).finally(() => pool.end());
    await query(connection, `create database ${prepared} template ${template}`);
    await startFirst({ ...connection, database: prepared });
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

/** The first start of the test's apps: rendering the pages that come with the program takes a second each time. */
async function startFirst(connection: TestConnection): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'mozhan-app-'));
  const app = await createApp({ config: testConfig(dataDir), connection, runsJobs: false });
  await prepare(systemCtx(app.services)).finally(() => app.close());
  rmSync(dataDir, { recursive: true, force: true });
}

/** The embedded PostgreSQL, or that of `TEST_DATABASE_URL`. */
export async function startServer() {
  const { TEST_DATABASE_URL } = process.env;
  return TEST_DATABASE_URL ? external(TEST_DATABASE_URL) : await embedded();
}

function external(url: string) {
  const { host, port, user = '', password, database = '' } = new pg.Client(url);
  return {
    connection: { host, port, user, password: String(password ?? ''), database },
    stop: async () => {},
  };
}

async function embedded() {
  const dataDir = makeDatabaseDir('test');
  const { connection, stop } = await startEmbedded({
    dataDir,
    note: () => {},
    settings: FAST,
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

/** The template, and what tests that were killed left behind. */
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
