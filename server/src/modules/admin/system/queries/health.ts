import type { Health } from '@mozhan/contract/health.ts';
import { and, eq, max, ne, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Db } from '../../../../db/client.ts';
import { parseRow, timestamp } from '../../../../db/rows.ts';
import { codeBudgets } from '../../../accounts/users/tables.ts';
import { attachments, uploads } from '../../../platform/uploads/tables.ts';
import { backups } from '../../backups/tables.ts';

type DatabaseFigures = Omit<NonNullable<Health['database']>, 'embedded' | 'latencyMs'>;

export async function ping(db: Db): Promise<void> {
  await db.execute(sql`select 1`);
}

const databaseRow = z.object({ version: z.string(), bytes: z.int(), used: z.int(), most: z.int() });

export async function findDatabaseFigures(db: Db): Promise<DatabaseFigures> {
  const result = await db.execute(sql`
    select current_setting('server_version') as version, pg_database_size(current_database()) as bytes,
      current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as most,
      (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as used`);
  const row = parseRow(databaseRow, result);
  return {
    // The setting may be `16.4 (Debian 16.4-1)`.
    version: row.version.split(' ')[0] ?? '',
    bytes: row.bytes,
    connections: row.used,
    maxConnections: row.most,
  };
}

const queueFigures = z.object({
  waiting: z.int(),
  running: z.int(),
  failed: z.int(),
  oldest: timestamp.nullable(),
});
export type QueueFigures = z.output<typeof queueFigures>;

export async function findQueueFigures(db: Db): Promise<QueueFigures> {
  const result = await db.execute(sql`
    select count(*) filter (where locked_at is null and attempts < max_attempts)::int as waiting,
      count(*) filter (where locked_at is not null)::int as running,
      count(*) filter (where locked_at is null and attempts >= max_attempts)::int as failed,
      min(run_at) filter (where locked_at is null and attempts < max_attempts and run_at <= now()) as oldest
    from graphile_worker.jobs`);
  return parseRow(queueFigures, result);
}

export async function findSentCodes(db: Db, day: string): Promise<{ sms: number; mail: number }> {
  const rows = await db.select().from(codeBudgets).where(eq(codeBudgets.day, day));
  const sentBy = (way: 'sms' | 'mail') => rows.find((row) => row.way === way)?.sent ?? 0;
  return { sms: sentBy('sms'), mail: sentBy('mail') };
}

/** Without those before updates, which contain no files. */
export async function findLastBackup(db: Db): Promise<Date | null> {
  const [row] = await db
    .select({ at: max(backups.finishedAt) })
    .from(backups)
    .where(and(eq(backups.status, 'done'), ne(backups.madeBy, 'update')));
  return row?.at ?? null;
}

const bytesRow = z.object({ bytes: z.int() });

/** The size of all uploads before they were processed. */
export async function findStoredBytes(db: Db): Promise<number> {
  const result = await db.execute(sql`
    select (select coalesce(sum(bytes), 0) from ${uploads})::bigint
      + (select coalesce(sum(bytes), 0) from ${attachments})::bigint as bytes`);
  return parseRow(bytesRow, result).bytes;
}
