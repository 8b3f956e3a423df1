import type { Page } from '@mozhan/contract/common.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import type { JobState } from '@mozhan/contract/jobs.ts';
import { jobState } from '@mozhan/contract/jobs.ts';
import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Db } from '../../../../db/client.ts';
import { type PageQuery, readPage } from '../../../../db/page.ts';
import { countRow, parseRow, parseRows, timestamp } from '../../../../db/rows.ts';

const jobRow = z.object({
  id: z.int(),
  name: z.string(),
  state: jobState,
  payload: z.unknown(),
  attempts: z.int(),
  maxAttempts: z.int(),
  lastError: z.string().nullable(),
  runAt: timestamp,
  lockedAt: timestamp.nullable(),
  createdAt: timestamp,
});
export type JobRow = z.output<typeof jobRow>;

const STATES: Record<JobState, SQL> = {
  waiting: sql`jobs.locked_at is null and jobs.attempts < jobs.max_attempts`,
  running: sql`jobs.locked_at is not null`,
  failed: sql`jobs.locked_at is null and jobs.attempts >= jobs.max_attempts`,
};

/** The public view `jobs` does not contain the payload. */
const SELECT = sql`
  select jobs.id, jobs.task_identifier as name, own.payload, jobs.attempts, jobs.max_attempts as "maxAttempts",
    jobs.last_error as "lastError", jobs.run_at as "runAt", jobs.locked_at as "lockedAt",
    jobs.created_at as "createdAt",
    case when ${STATES.running} then 'running' when ${STATES.failed} then 'failed' else 'waiting' end as state
  from graphile_worker.jobs join graphile_worker._private_jobs as own on own.id = jobs.id`;

/** Cursors contain ids of 32 hexadecimal digits, so job numbers are converted to this form. */
const toCursorKey = (id: number): string => id.toString(16).padStart(32, '0');
const fromCursorKey = (key: string | undefined): number =>
  Math.min(Number.parseInt(key ?? '', 16), Number.MAX_SAFE_INTEGER);

export function listJobs(
  db: Db,
  query: PageQuery & { state?: JobState | undefined; name?: string | undefined },
): Promise<Page<JobRow>> {
  const match = sql`${query.state === undefined ? sql`true` : STATES[query.state]}
    and ${query.name === undefined ? sql`true` : sql`jobs.task_identifier = ${query.name}`}`;
  return readPage(query, {
    rows: async ({ after, offset, limit }) => {
      const afterCursor = after === null ? sql`true` : sql`jobs.id < ${fromCursorKey(after.at(-1))}`;
      const result = await db.execute(sql`
        ${SELECT} where ${match} and ${afterCursor} order by jobs.id desc offset ${offset} limit ${limit}`);
      return parseRows(jobRow, result);
    },
    total: async () => {
      const result = await db.execute(
        sql`select count(*)::int as count from graphile_worker.jobs where ${match}`,
      );
      return parseRow(countRow, result).count;
    },
    key: (row) => [toCursorKey(row.id)],
  });
}

export async function getJob(db: Db, id: string): Promise<JobRow> {
  const [row] = parseRows(jobRow, await db.execute(sql`${SELECT} where jobs.id = ${id}::bigint`));
  if (row === undefined) throw new CallError('NOT_FOUND', { message: '没有这个任务，可能已经完成' });
  return row;
}

/** Returns false if the job is running. */
export async function rescheduleJob(db: Db, id: string): Promise<boolean> {
  const { rowCount } = await db.execute(sql`
    select id from graphile_worker.reschedule_jobs(array[${id}::bigint], run_at => now(), attempts => 0)`);
  return rowCount !== 0;
}

/** Returns false if the job is running. */
export async function removeJob(db: Db, id: string): Promise<boolean> {
  const { rowCount } = await db.execute(
    sql`select id from graphile_worker.complete_jobs(array[${id}::bigint])`,
  );
  return rowCount !== 0;
}

const lastRunRow = z.object({ identifier: z.string(), at: timestamp });

export async function listLastRuns(db: Db): Promise<Map<string, Date>> {
  const result = await db.execute(sql`
    select identifier, last_execution as at from graphile_worker._private_known_crontabs
    where last_execution is not null`);
  return new Map(parseRows(lastRunRow, result).map(({ identifier, at }) => [identifier, at]));
}
