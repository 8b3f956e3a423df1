import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { onTestFinished } from 'vitest';
import { createDb, createPool } from '../db/client.ts';
import { RESTORE_APPLICATION_NAME } from '../modules/admin/backups/index.ts';
import { openUpdatedDatabase } from '../update.ts';
import { testConfig } from './config.ts';
import { createTestDatabase } from './database.ts';
import { loadDump } from './dump.ts';

/** Version 0.1.0 ends with this migration. */
const FIRST_RELEASE = join(import.meta.dirname, '../db/fixtures/0044_revision_words.sql.gz');

const toUrl = ({ host, port, user, password = '', database }: pg.ClientConfig): string =>
  `postgresql://${user}:${encodeURIComponent(String(password))}@/${database}?host=${encodeURIComponent(String(host))}&port=${port}`;

/** A site of version 0.1.0 that can be updated; `null`: an empty database. Removed at the end of the test. */
export async function createOldSite(fixture: string | null = FIRST_RELEASE) {
  const { connection, drop } = await createTestDatabase({ state: 'bare' });
  const dataDir = await mkdtemp(join(tmpdir(), 'mozhan-update-'));
  const pool = createPool({
    ...connection,
    application_name: RESTORE_APPLICATION_NAME,
    statement_timeout: 0,
  });
  onTestFinished(async () => {
    await pool.end();
    await drop();
    await rm(dataDir, { recursive: true, force: true });
  });
  if (fixture !== null) await loadDump(pool, fixture);
  const config = { ...testConfig(dataDir), databaseUrl: toUrl(connection) };
  const notes: string[] = [];
  return {
    pool,
    config,
    notes,
    db: createDb(pool),
    open: (more = {}) => openUpdatedDatabase({ ...config, ...more }, (line) => notes.push(line)),
    listBackups: () => readdir(join(dataDir, 'backups')).catch(() => []),
    pathOf: (name = '') => join(dataDir, 'backups', name),
  };
}
