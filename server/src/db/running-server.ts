import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { countRow, parseRow } from './rows.ts';

const MAX_WAIT_MS = 5000;
const INTERVAL_MS = 100;

/**
 * Whether a server is connected to this database. Waits before it says so, because PostgreSQL lists a connection for a
 * moment after it was closed.
 */
export async function isServerRunning(db: Pick<pg.ClientBase, 'query'>): Promise<boolean> {
  const deadline = Date.now() + MAX_WAIT_MS;
  for (;;) {
    const result = await db.query(
      `select count(*)::int as count from pg_stat_activity
       where datname = current_database() and application_name = 'mozhan'`,
    );
    if (parseRow(countRow, result).count === 0) return false;
    if (Date.now() > deadline) return true;
    await sleep(INTERVAL_MS);
  }
}
