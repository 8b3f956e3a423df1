import type { UnreadCounts } from '@mozhan/contract/notices.ts';
import { afterCommit, type Ctx, inTransaction } from '../../../../ctx.ts';
import { systemCtx } from '../../../../jobs.ts';
import * as queries from '../queries/notices.ts';
import { groupNotices, isGrouped, type NewNotice, replacesEarlier } from '../rules/notices.ts';
import { toUnreadCounts } from '../views/notices.ts';

export const getUnreadCounts = async (ctx: Ctx, userId: string): Promise<UnreadCounts> =>
  toUnreadCounts(await queries.listNoticeCounts(ctx.db, [userId]));

export async function pushUnreadCounts(ctx: Ctx, ...userIds: string[]): Promise<void> {
  const counts = Map.groupBy(await queries.listNoticeCounts(ctx.db, userIds), (row) => row.userId);
  for (const userId of userIds) {
    ctx.services.live.emitToUser(userId, 'unread', toUnreadCounts(counts.get(userId) ?? []));
  }
}

function pushAfterCommit(ctx: Ctx, userIds: string[]): void {
  const { services } = ctx;
  afterCommit(ctx, () => {
    // The notice is stored already; the next event or page load repairs a lost live update.
    pushUnreadCounts(systemCtx(services), ...userIds).catch((error: unknown) =>
      services.log.warn(error, 'live unread counts'),
    );
  });
}

/** Call it in the transaction of the actions. Skips a user's own actions, blocked actors and kinds switched off. */
export async function notify(ctx: Ctx, ...notices: NewNotice[]): Promise<void> {
  const others = notices.filter((notice) => notice.actorId !== notice.userId);
  const wanted = others.length === 0 ? [] : await queries.filterWantedNotices(ctx.db, others);
  if (wanted.length === 0) return;
  const last = await queries.reservePositions(
    ctx.db,
    wanted.map((notice) => notice.userId),
  );
  const positioned = wanted
    .toReversed()
    .map((notice) => {
      const position = last.get(notice.userId) ?? 0;
      last.set(notice.userId, position - 1);
      return { ...notice, position };
    })
    .toReversed();
  await queries.removeReplacedNotices(ctx.db, positioned.filter(replacesEarlier));
  const unreadGroups = await queries.listUnreadGroups(ctx.db, positioned.filter(isGrouped));
  const { rows, actors, addedActors, events } = groupNotices(positioned, unreadGroups, ctx.now);
  await queries.insertNotices(ctx.db, rows, actors);
  const [withEvent, without] = [
    addedActors.filter(({ hasEvent }) => hasEvent),
    addedActors.filter(({ hasEvent }) => !hasEvent),
  ];
  await queries.addActorsToGroups(ctx.db, without, { now: ctx.now, moveAgain: false });
  await queries.addActorsToGroups(ctx.db, withEvent, { now: ctx.now, moveAgain: true });
  await queries.insertNoticeEvents(ctx.db, events);
  await queries.addToNoticeCounts(
    ctx.db,
    rows.map(({ userId, kind }) => ({ userId, kind, total: 1, unread: 1 })),
  );
  pushAfterCommit(ctx, [...last.keys()]);
}

export const wasNotified = (ctx: Ctx, ref: queries.NoticeRef, since: Date): Promise<boolean> =>
  queries.wasNotified(ctx.db, ref, since);

/** Call it first when a transaction changes notices of several users in steps: a fixed order prevents deadlocks. */
export const lockInboxes = (ctx: Ctx, userIds: string[]): Promise<void> =>
  queries.createAndLockInboxes(ctx.db, [...new Set(userIds)]);

/** Call it in the transaction that edits the message that the notices quote. */
export async function updateExcerpts(ctx: Ctx, refs: queries.NoticeRef[], excerpt: string): Promise<void> {
  if (refs.length === 0) return;
  await queries.lockExistingInboxes(ctx.db, [...new Set(refs.map((each) => each.userId))]);
  await queries.updateExcerpts(ctx.db, refs, excerpt);
}

/** Call it in the transaction that undoes the actions. */
export async function removeNotices(ctx: Ctx, refs: queries.NoticeRef[]): Promise<void> {
  if (refs.length === 0) return;
  const userIds = [...new Set(refs.map((each) => each.userId))];
  await queries.lockExistingInboxes(ctx.db, userIds);
  await queries.removeNoticeActors(ctx.db, refs);
  pushAfterCommit(ctx, userIds);
}

export function markRead(ctx: Ctx, userId: string, ids: string[] | 'all'): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    await queries.lockExistingInboxes(ctx.db, [userId]);
    if (ids === 'all') await queries.markAllRead(ctx.db, userId);
    else await queries.markNoticesRead(ctx.db, userId, ids, ctx.now);
    pushAfterCommit(ctx, [userId]);
  });
}

/** Call it when the user reads a conversation: its notices become read too. */
export async function markTargetRead(ctx: Ctx, userId: string, targetId: string): Promise<void> {
  const ids = await queries.listUnreadIdsOfTarget(ctx.db, userId, targetId);
  if (ids.length > 0) await markRead(ctx, userId, ids);
}
