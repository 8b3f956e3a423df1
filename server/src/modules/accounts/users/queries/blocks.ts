import type { Page } from '@mozhan/contract/common.ts';
import { and, eq, or } from 'drizzle-orm';
import type { Db } from '../../../../db/client.ts';
import { newId } from '../../../../db/id.ts';
import { listPage } from '../../../../db/list-page.ts';
import type { PageQuery } from '../../../../db/page.ts';
import { blocks, noticeActors, notices, type User, users } from '../tables.ts';

/** Whether `by` has blocked `whom`. */
export async function isBlocked(db: Db, by: string, whom: string): Promise<boolean> {
  const rows = await db
    .select({ id: blocks.id })
    .from(blocks)
    .where(and(eq(blocks.userId, by), eq(blocks.blockedId, whom)));
  return rows.length > 0;
}

/** Returns false when the block existed. */
export async function insertBlock(
  db: Db,
  block: { userId: string; blockedId: string; createdAt: Date },
): Promise<boolean> {
  const rows = await db
    .insert(blocks)
    .values({ id: newId(), ...block })
    .onConflictDoNothing({ target: [blocks.userId, blocks.blockedId] })
    .returning({ id: blocks.id });
  return rows.length > 0;
}

export const countBlocks = (db: Db, userId: string): Promise<number> =>
  db.$count(blocks, eq(blocks.userId, userId));

export const listNoticesByActor = (db: Db, userId: string, actorId: string) =>
  db
    .select({
      userId: notices.userId,
      kind: notices.kind,
      actorId: noticeActors.userId,
      targetId: notices.targetId,
    })
    .from(noticeActors)
    .innerJoin(notices, eq(notices.id, noticeActors.noticeId))
    .where(and(eq(noticeActors.userId, actorId), eq(notices.userId, userId)));

export async function removeBlock(db: Db, userId: string, blockedId: string): Promise<void> {
  await db.delete(blocks).where(and(eq(blocks.userId, userId), eq(blocks.blockedId, blockedId)));
}

export async function removeAllBlocksOf(db: Db, userId: string): Promise<void> {
  await db.delete(blocks).where(or(eq(blocks.userId, userId), eq(blocks.blockedId, userId)));
}

export interface BlockRow {
  id: string;
  createdAt: Date;
  user: User;
}

export function listBlocks(db: Db, query: PageQuery & { userId: string }): Promise<Page<BlockRow>> {
  return listPage(db, query, {
    select: db
      .select({ id: blocks.id, createdAt: blocks.createdAt, user: users })
      .from(blocks)
      .innerJoin(users, eq(users.id, blocks.blockedId)),
    match: eq(blocks.userId, query.userId),
    id: blocks.id,
    key: ({ id }) => [id],
  });
}
