import { COMMENT_STATUS } from '@mozhan/contract/enums.ts';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Db } from '../../../../db/client.ts';
import { literal } from '../../../../db/literal.ts';
import { parseRow } from '../../../../db/rows.ts';
import { comments } from '../../../content/comments/tables.ts';
import { essays } from '../../../content/essays/tables.ts';
import { mails } from '../../../platform/mail-sms/tables.ts';
import { backups } from '../../backups/tables.ts';

/** More rows are not counted, so that a long queue does not make the statement slow. */
const MAX_COUNTED = 10_000;

const gaugesRow = z.object({
  jobs_waiting: z.int(),
  jobs_failed: z.int(),
  jobs_oldest_seconds: z.number(),
  mails_waiting: z.int(),
  backup_last_success_timestamp_seconds: z.number(),
  audit_essays_waiting: z.int(),
  audit_comments_waiting: z.int(),
  audit_oldest_seconds: z.number(),
});
export type Gauges = z.output<typeof gaugesRow>;

/** Each part reads an index, except the failed jobs, which PostgreSQL finds by reading the queue. */
export async function readGauges(db: Db, now: Date): Promise<Gauges> {
  const count = (rows: ReturnType<typeof sql>) =>
    sql`(select count(*)::int from (${rows} limit ${literal(MAX_COUNTED)}) as counted)`;
  const time = sql`${now.toISOString()}::timestamptz`;
  const result = await db.execute(sql`
    select
      ${count(sql`select 1 from graphile_worker._private_jobs where is_available = true`)} as jobs_waiting,
      ${count(sql`select 1 from graphile_worker._private_jobs where locked_at is null and attempts >= max_attempts`)}
        as jobs_failed,
      coalesce((select extract(epoch from now() - run_at)::float8 from graphile_worker._private_jobs
        where is_available = true and run_at <= now() order by priority, run_at limit 1), 0) as jobs_oldest_seconds,
      ${count(sql`select 1 from ${mails} where status = 'waiting'`)} as mails_waiting,
      coalesce((select extract(epoch from finished_at)::float8 from ${backups}
        where status = 'done' order by created_at desc limit 1), 0) as backup_last_success_timestamp_seconds,
      ${count(sql`select 1 from ${essays} where submitted_at is not null and deleted_at is null`)}
        as audit_essays_waiting,
      ${count(sql`select 1 from ${comments} where status = ${literal(COMMENT_STATUS.held)}`)}
        as audit_comments_waiting,
      coalesce((select extract(epoch from ${time} - submitted_at)::float8 from ${essays}
        where submitted_at is not null and deleted_at is null order by submitted_at, id limit 1), 0)
        as audit_oldest_seconds`);
  return parseRow(gaugesRow, result);
}
