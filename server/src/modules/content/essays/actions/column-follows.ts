import type { ColumnFollowState } from '@mozhan/contract/columns.ts';
import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import { type Ctx, inTransaction, invalidate, type Viewer } from '../../../../ctx.ts';
import { addJob } from '../../../../jobs.ts';
import { isBlocked, lockInboxes, notify } from '../../../accounts/users/index.ts';
import * as queries from '../queries/column-follows.ts';
import { columnRows } from '../queries/columns.ts';
import { findCard } from '../queries/lists.ts';
import { essayPathOf } from '../rules/essays.ts';
import type { ColumnRow, EssayRow } from '../tables.ts';

async function requireNotBlocked(ctx: Ctx, viewer: Viewer, authorId: string): Promise<void> {
  if (await isBlocked(ctx.db, authorId, viewer.id)) throw new CallError('BLOCKED');
  if (await isBlocked(ctx.db, viewer.id, authorId))
    throw new CallError('BLOCKED', { message: '你屏蔽了作者，解除屏蔽后才能关注' });
}

/** The column must be locked. */
async function addToFollowers(ctx: Ctx, column: ColumnRow, by: 1 | -1): Promise<number> {
  const followerCount = column.followerCount + by;
  await columnRows.update(ctx.db, column.id, { followerCount });
  invalidate(ctx, `column:${column.id}`);
  return followerCount;
}

export function followColumn(ctx: Ctx, viewer: Viewer, columnId: string): Promise<ColumnFollowState> {
  return inTransaction(ctx, async (ctx) => {
    const column = await columnRows.lock(ctx.db, columnId);
    if (column.authorId === viewer.id) throw new CallError('FOLLOW_SELF', { message: '不能关注自己的专栏' });
    await requireNotBlocked(ctx, viewer, column.authorId);
    const follow = { userId: viewer.id, columnId, createdAt: ctx.now };
    const isNew = await queries.insertColumnFollow(ctx.db, follow);
    return {
      followed: true,
      followerCount: isNew ? await addToFollowers(ctx, column, 1) : column.followerCount,
    };
  });
}

export function unfollowColumn(ctx: Ctx, viewer: Viewer, columnId: string): Promise<ColumnFollowState> {
  return inTransaction(ctx, async (ctx) => {
    const column = await columnRows.lock(ctx.db, columnId);
    const wasFollowed = await queries.removeColumnFollow(ctx.db, viewer.id, columnId);
    return {
      followed: false,
      followerCount: wasFollowed ? await addToFollowers(ctx, column, -1) : column.followerCount,
    };
  });
}

/** Removes the follows of these users, with their counts, before the users are deleted. */
export async function purgeColumnFollows(ctx: Ctx, userIds: string[]): Promise<void> {
  const columnIds = await queries.removeColumnFollowsOf(ctx.db, userIds);
  if (columnIds.length === 0) return;
  await queries.subtractFollowers(ctx.db, columnIds);
  invalidate(ctx, ...columnIds.map((id) => `column:${id}`));
}

/** Call it in the transaction that publishes the essay for the first time. */
export async function notifyColumnFollowers(ctx: Ctx, { id, columnId }: EssayRow): Promise<void> {
  if (columnId !== null) await addJob(ctx, 'notify-column-followers', { essayId: id });
}

const FIRST_ID = '0'.repeat(32);
const BATCH = 500;

/** Followers who already have a notice about the essay are skipped, so the job can run again after a crash. */
export async function notifyFollowers(ctx: Ctx, essayId: string): Promise<void> {
  const essay = (await findCard(ctx.db, essayId))?.essay;
  if (essay?.status !== ESSAY_STATUS.onShelf || essay.columnId === null || essay.publishedAt === null) return;
  const { columnId, authorId, title, publishedAt } = essay;
  const column = await columnRows.find(ctx.db, columnId);
  if (column === null) return;
  const notice = {
    kind: 'column',
    actorId: authorId,
    text: `在专栏「${column.name}」发布了新文章`,
    target: { id: essayId, title, url: essayPathOf(essay) },
  } as const;
  let after = FIRST_ID;
  for (;;) {
    const position = { columnId, until: publishedAt, after, limit: BATCH };
    const last = await inTransaction(ctx, async (ctx) => {
      const followerIds = await queries.listFollowerIds(ctx.db, position);
      // A second run of the job waits here, and then finds the notices of the first one.
      await lockInboxes(ctx, followerIds);
      const userIds = await queries.filterUnnotified(ctx.db, essay, followerIds);
      await notify(ctx, ...userIds.map((userId) => ({ ...notice, userId })));
      return followerIds.length < BATCH ? undefined : followerIds.at(-1);
    });
    if (last === undefined) return;
    after = last;
  }
}
