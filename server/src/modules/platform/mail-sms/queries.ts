import type { Page } from '@mozhan/contract/common.ts';
import type { MailKind, MailStatus } from '@mozhan/contract/mail.ts';
import { and, eq, lt, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client.ts';
import { listPage } from '../../../db/list-page.ts';
import type { PageQuery } from '../../../db/page.ts';
import { createRowQueries } from '../../../db/row-queries.ts';
import { idRow, parseRows } from '../../../db/rows.ts';
import { type MailRow, mails } from './tables.ts';

export const mailRows = createRowQueries(mails, '没有找到这封邮件，可能已过了保留期');

/** The total is counted up to this number, because a log may have millions of rows. */
const MAX_COUNTED = 10_000;

interface MailFilter {
  status?: MailStatus | undefined;
  kind?: MailKind | undefined;
  keyword?: string | undefined;
}

export function listMails(db: Db, query: PageQuery & MailFilter): Promise<Page<MailRow>> {
  const { status, kind, keyword } = query;
  return listPage(db, query, {
    select: db.select().from(mails),
    match: and(
      status === undefined ? undefined : eq(mails.status, status),
      kind === undefined ? undefined : eq(mails.kind, kind),
      keyword ? eq(mails.address, keyword) : undefined,
    ),
    by: mails.createdAt,
    id: mails.id,
    key: (row) => [row.createdAt, row.id],
    maxCounted: MAX_COUNTED,
  });
}

export async function insertMails(db: Db, rows: (typeof mails.$inferInsert)[]): Promise<void> {
  await db.insert(mails).values(rows);
}

export async function updateMail(db: Db, id: string, change: Partial<MailRow>): Promise<void> {
  await db.update(mails).set(change).where(eq(mails.id, id));
}

/** Returns false if the job no longer exists or is running. */
export async function rescheduleMail(db: Db, key: string): Promise<boolean> {
  const { rowCount } = await db.execute(sql`
    select id from graphile_worker.reschedule_jobs(
      array(select id from graphile_worker._private_jobs where key = ${key}), run_at => now(), attempts => 0)`);
  return rowCount !== 0;
}

export async function removeMailsBefore(db: Db, before: Date): Promise<void> {
  await db.delete(mails).where(lt(mails.createdAt, before));
}

export async function removeMailsTo(db: Db, address: string): Promise<void> {
  await db.delete(mails).where(eq(mails.address, address));
}

/** For mails whose job was removed. */
export async function failWaitingBefore(db: Db, before: Date, reason: string): Promise<void> {
  await db
    .update(mails)
    .set({ status: 'failed', permanent: true, reason })
    .where(and(eq(mails.status, 'waiting'), lt(mails.createdAt, before)));
}

/** Waits for a concurrent retry of the same mail. */
export async function lockMail(db: Db, id: string): Promise<void> {
  parseRows(idRow, await db.execute(sql`select id from ${mails} where id = ${id}::uuid for update`));
}
