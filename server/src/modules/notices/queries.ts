import { and, count, desc, eq, inArray, isNull, lt, sql } from 'drizzle-orm';
import type { Page } from '#contract/common.ts';
import type { Notice } from '#contract/notices.ts';
import type { Db } from '../../db/client.ts';
import { type PageQuery, readPage } from '../../db/page.ts';
import { notices } from './tables.ts';

export type NoticeRow = typeof notices.$inferSelect;

export function listNotices(
  db: Db,
  query: PageQuery & { userId: string; kind?: Notice['kind'] | undefined },
): Promise<Page<NoticeRow>> {
  const mine = and(
    eq(notices.userId, query.userId),
    query.kind === undefined ? undefined : eq(notices.kind, query.kind),
  );
  return readPage(query, {
    rows: ({ after, offset, limit }) =>
      db
        .select()
        .from(notices)
        .where(and(mine, after === null ? undefined : lt(notices.id, after.at(-1) ?? '')))
        .orderBy(desc(notices.id))
        .offset(offset)
        .limit(limit),
    total: () => db.$count(notices, mine),
    key: (row) => [row.id],
  });
}

export async function countUnread(
  db: Db,
  userId: string,
): Promise<{ kind: Notice['kind']; count: number }[]> {
  return db
    .select({ kind: notices.kind, count: count() })
    .from(notices)
    .where(and(eq(notices.userId, userId), isNull(notices.readAt)))
    .groupBy(notices.kind);
}

/** False when the user has switched notices of this kind off: then nothing is stored. */
export async function insertNotice(db: Db, notice: typeof notices.$inferInsert): Promise<boolean> {
  const { id, userId, kind, text, createdAt } = notice;
  const { rowCount } = await db.execute(sql`
    insert into notices (id, user_id, kind, text, created_at)
    select ${id}, id, ${kind}, ${text}, ${createdAt.toISOString()} from users
    where id = ${userId} and coalesce((notify ->> ${kind})::boolean, true)`);
  return rowCount === 1;
}

/** Marks the given ones, or all, as read. */
export async function updateRead(db: Db, userId: string, ids: string[] | 'all', now: Date): Promise<void> {
  await db
    .update(notices)
    .set({ readAt: now })
    .where(
      and(
        eq(notices.userId, userId),
        isNull(notices.readAt),
        ids === 'all' ? undefined : inArray(notices.id, ids),
      ),
    );
}
