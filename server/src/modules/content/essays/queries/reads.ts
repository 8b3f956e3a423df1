import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import { and, asc, eq, gt, inArray, lt, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Db } from '../../../../db/client.ts';
import { literal } from '../../../../db/literal.ts';
import { parseRows } from '../../../../db/rows.ts';
import { type EssayRow, essayHistory, essayReads, essays } from '../tables.ts';

export async function findProgress(db: Db, userId: string, essayId: string): Promise<number> {
  const [row] = await db
    .select({ progress: essayHistory.progress })
    .from(essayHistory)
    .where(and(eq(essayHistory.userId, userId), eq(essayHistory.essayId, essayId)));
  return row?.progress ?? 0;
}

export interface EssayRead {
  essayId: string;
  /** Hash that identifies a user or visitor within a day. */
  reader: Buffer;
  userId: string | null;
  progress: number | null;
}

export interface CountedRead {
  essayId: string;
  authorId: string;
  reader: string;
}

const shelvedRow = z.object({ id: z.string(), author_id: z.string() });
const readRow = z.object({ essay_id: z.string(), reader: z.instanceof(Buffer) });

/** Inserts reads of essays on the shelf. Returns those that count: the first per reader, essay and day. */
export async function insertReads(
  db: Db,
  day: string,
  reads: EssayRead[],
): Promise<{ known: Set<string>; counted: CountedRead[] }> {
  const ids = [...new Set(reads.map((read) => read.essayId))];
  // Locks in id order to avoid a deadlock between processes.
  const found = await db.execute(sql`
    select id, author_id from essays where id = any(${sql.param(ids)}::uuid[]) and status = ${literal(ESSAY_STATUS.onShelf)}
    order by id for no key update`);
  const authors = new Map(parseRows(shelvedRow, found).map((row) => [row.id, row.author_id]));
  const present = reads.filter((read) => authors.has(read.essayId));
  if (present.length === 0) return { known: new Set(), counted: [] };
  const inserted = await db.execute(sql`
    insert into essay_reads (day, essay_id, reader)
    select ${day}::date, essay_id, reader
    from unnest(
      ${sql.param(present.map((read) => read.essayId))}::uuid[],
      ${sql.param(present.map((read) => read.reader))}::bytea[]
    ) as given (essay_id, reader)
    on conflict do nothing returning essay_id, reader`);
  const counted = parseRows(readRow, inserted).map((row) => ({
    essayId: row.essay_id,
    authorId: authors.get(row.essay_id) ?? '',
    reader: row.reader.toString('hex'),
  }));
  return { known: new Set(authors.keys()), counted };
}

export async function upsertHistory(
  db: Db,
  now: Date,
  entries: { userId: string; essayId: string; progress: number | null }[],
): Promise<void> {
  if (entries.length === 0) return;
  await db.execute(sql`
    insert into essay_history (user_id, essay_id, progress, read_at)
    select user_id, essay_id, coalesce(progress, 0), ${now.toISOString()}::timestamptz
    from unnest(
      ${sql.param(entries.map((each) => each.userId))}::uuid[],
      ${sql.param(entries.map((each) => each.essayId))}::uuid[],
      ${sql.param(entries.map((each) => each.progress))}::int[]
    ) as given (user_id, essay_id, progress)
    order by user_id, essay_id
    on conflict (user_id, essay_id) do update set
      progress = coalesce(nullif(excluded.progress, 0), essay_history.progress), read_at = excluded.read_at`);
}

export async function removeOldReads(db: Db, before: string): Promise<void> {
  await db.delete(essayReads).where(lt(essayReads.day, before));
}

/** Essays read since that day, in id order, starting after `after`. */
export async function listReadSince(db: Db, day: string, after: string, limit: number): Promise<EssayRow[]> {
  const read = db
    .selectDistinct({ id: essayReads.essayId })
    .from(essayReads)
    .where(and(sql`${essayReads.day} >= ${day}::date`, gt(essayReads.essayId, after)))
    .orderBy(asc(essayReads.essayId))
    .limit(limit);
  return db.select().from(essays).where(inArray(essays.id, read)).orderBy(asc(essays.id));
}
