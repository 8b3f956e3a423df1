import type { UnreadCounts } from '@mozhan/contract/notices.ts';
import { afterCommit, type Ctx, inTx } from '../../../../ctx.ts';
import { systemCtx } from '../../../../jobs.ts';
import * as queries from '../queries/notices.ts';
import { arrange, isGrouped, isRenewed, type NewNotice } from '../rules/notices.ts';
import { toUnreadCounts } from '../views/notices.ts';

export const getUnread = async (ctx: Ctx, userId: string): Promise<UnreadCounts> =>
  toUnreadCounts(await queries.listCounts(ctx.db, [userId]));

/** Sends users' open pages their unread counts. */
export async function pushUnread(ctx: Ctx, ...userIds: string[]): Promise<void> {
  const counts = Map.groupBy(await queries.listCounts(ctx.db, userIds), (row) => row.userId);
  for (const userId of userIds) {
    ctx.services.live.toUser(userId, 'unread', toUnreadCounts(counts.get(userId) ?? []));
  }
}

function pushAfterCommit(ctx: Ctx, userIds: string[]): void {
  const { services } = ctx;
  afterCommit(ctx, () => {
    // The notice is stored; a live message that fails is made up for by the next one or the next page.
    pushUnread(systemCtx(services), ...userIds).catch((error: unknown) =>
      services.log.warn(error, 'live unread counts'),
    );
  });
}

/** Tells users what was done, in the transaction of the deeds: not one's own, and nothing one does not want to hear. */
export async function notify(ctx: Ctx, ...notices: NewNotice[]): Promise<void> {
  const others = notices.filter((notice) => notice.actorId !== notice.userId);
  const wanted = others.length === 0 ? [] : await queries.listWanted(ctx.db, others);
  if (wanted.length === 0) return;
  const last = await queries.takePositions(
    ctx.db,
    wanted.map((notice) => notice.userId),
  );
  const told = wanted
    .toReversed()
    .map((notice) => {
      const position = last.get(notice.userId) ?? 0;
      last.set(notice.userId, position - 1);
      return { ...notice, position };
    })
    .toReversed();
  await queries.removeBefore(ctx.db, told.filter(isRenewed));
  const open = await queries.listOpenGroups(ctx.db, told.filter(isGrouped));
  const { rows, actors, joining } = arrange(told, open, ctx.now);
  await queries.insertNotices(ctx.db, rows, actors);
  await queries.insertJoining(ctx.db, joining, ctx.now);
  await queries.addToCounts(
    ctx.db,
    rows.map(({ userId, kind }) => ({ userId, kind, total: 1, unread: 1 })),
  );
  pushAfterCommit(ctx, [...last.keys()]);
}

/** Whether a user was told of this deed since then. */
export const wasTold = (ctx: Ctx, deed: queries.Taken, since: Date): Promise<boolean> =>
  queries.wasTold(ctx.db, deed, since);

/** Before several changes in one transaction, of all whom they concern: two that meet wait in one order. */
export const holdBoxes = (ctx: Ctx, userIds: string[]): Promise<void> =>
  queries.holdBoxes(ctx.db, [...new Set(userIds)]);

/** In the transaction that changes what was said: whoever was told reads how it begins now. */
export async function updateExcerpts(ctx: Ctx, told: queries.Taken[], excerpt: string): Promise<void> {
  if (told.length === 0) return;
  await queries.lockBoxes(ctx.db, [...new Set(told.map((each) => each.userId))]);
  await queries.updateExcerpts(ctx.db, told, excerpt);
}

/** In the transaction that takes the deeds back. */
export async function forgetNotices(ctx: Ctx, taken: queries.Taken[]): Promise<void> {
  if (taken.length === 0) return;
  const userIds = [...new Set(taken.map((each) => each.userId))];
  await queries.lockBoxes(ctx.db, userIds);
  await queries.removeTaken(ctx.db, taken);
  pushAfterCommit(ctx, userIds);
}

export function markRead(ctx: Ctx, userId: string, ids: string[] | 'all'): Promise<void> {
  return inTx(ctx, async (ctx) => {
    await queries.lockBoxes(ctx.db, [userId]);
    if (ids === 'all') await queries.updateAllRead(ctx.db, userId);
    else await queries.updateRead(ctx.db, userId, ids, ctx.now);
    pushAfterCommit(ctx, [userId]);
  });
}

/** In the transaction that reads what somebody was sent: what told them of it is read too. */
export async function readAbout(ctx: Ctx, userId: string, targetId: string): Promise<void> {
  const ids = await queries.listUnreadAbout(ctx.db, userId, targetId);
  if (ids.length > 0) await markRead(ctx, userId, ids);
}
