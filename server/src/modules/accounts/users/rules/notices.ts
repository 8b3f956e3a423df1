import type { Notice } from '@mozhan/contract/notices.ts';
import { newId } from '../../../../db/id.ts';
import type { noticeActors, noticeEvents, notices } from '../tables.ts';

export interface NewNotice {
  userId: string;
  kind: Notice['kind'];
  /** Undefined for a system notice. */
  actorId?: string;
  /** The full text of a system notice, otherwise the action (`赞了你的文章`); the title goes into its `《》` or to the end. */
  text: string;
  /** `id` identifies the notice when it is removed again; `url` is a path on the site. */
  target?: { id: string; title: string; url: string };
  excerpt?: string;
  /**
   * What unread notices are grouped by, if each of them has a target and an excerpt of its own: the essay of comments,
   * the thread of replies.
   */
  groupId?: string;
}

/** Unread notices of these kinds about the same target are grouped into one, even without a `groupId`. */
export const groupedKinds: readonly Notice['kind'][] = ['like', 'collect', 'follow'];

export const isGrouped = ({ kind, actorId, groupId }: NewNotice): boolean =>
  actorId !== undefined && (groupId !== undefined || groupedKinds.includes(kind));

/** A new notice of these kinds replaces the earlier ones about the same conversation. */
export const replacesEarlier = ({ kind }: NewNotice): boolean => kind === 'message';

export const getTargetId = ({ groupId, target, userId }: NewNotice): string =>
  groupId ?? target?.id ?? userId;

export interface NoticeGroup {
  id: string;
  userId: string;
  kind: Notice['kind'];
  targetId: string;
}

const keyOf = ({ userId, kind, targetId }: Omit<NoticeGroup, 'id'>) => `${userId} ${kind} ${targetId}`;

type NoticeRow = typeof notices.$inferInsert & { actors: number };
type ActorRow = typeof noticeActors.$inferInsert;
type EventRow = typeof noticeEvents.$inferInsert;

interface GroupedNotices {
  rows: NoticeRow[];
  actors: ActorRow[];
  /** Actors to add to unread groups that exist; those with an event move their group even if they are in it already. */
  addedActors: (ActorRow & { hasEvent: boolean })[];
  events: EventRow[];
}

/** Splits new notices into rows with their actors, actors to add to unread groups that exist, and events. */
export function groupNotices(
  newNotices: readonly (NewNotice & { position: number })[],
  unreadGroups: readonly NoticeGroup[],
  now: Date,
): GroupedNotices {
  const groups = new Map(unreadGroups.map((group) => [keyOf(group), group.id]));
  const existingIds = new Set(groups.values());
  const rows = new Map<string, NoticeRow>();
  const actors = new Map<string, ActorRow>();
  const addedActors = new Map<string, ActorRow & { hasEvent: boolean }>();
  const events = new Map<string, EventRow>();
  for (const each of newNotices) {
    const { userId, kind, actorId, position } = each;
    const targetId = getTargetId(each);
    const key = isGrouped(each) ? keyOf({ userId, kind, targetId }) : null;
    const id = (key === null ? undefined : groups.get(key)) ?? newId();
    if (key !== null) groups.set(key, id);
    if (!existingIds.has(id) && !rows.has(id)) rows.set(id, toRow(each, { id, targetId, now }));
    if (actorId === undefined) continue;
    const event = toEvent(each, { noticeId: id, userId: actorId, now });
    if (event !== null) events.set(`${id} ${event.eventId}`, event);
    const actor = { noticeId: id, userId: actorId, position };
    const actorKey = `${id} ${actorId}`;
    const row = rows.get(id);
    if (row === undefined) addedActors.set(actorKey, { ...actor, hasEvent: event !== null });
    else if (!actors.has(actorKey) || event !== null) {
      if (!actors.has(actorKey)) row.actors += 1;
      actors.set(actorKey, actor);
      row.position = position;
    }
  }
  return {
    rows: [...rows.values()],
    actors: [...actors.values()],
    addedActors: [...addedActors.values()],
    events: [...events.values()],
  };
}

const toEvent = (
  { groupId, target, excerpt = '', position }: NewNotice & { position: number },
  { noticeId, userId, now }: { noticeId: string; userId: string; now: Date },
): EventRow | null =>
  groupId === undefined || target === undefined
    ? null
    : { noticeId, userId, eventId: target.id, position, url: target.url, excerpt, toldAt: now };

const toRow = (
  { userId, kind, text, target, excerpt = '', position }: NewNotice & { position: number },
  { id, targetId, now }: { id: string; targetId: string; now: Date },
): NoticeRow => ({
  id,
  userId,
  kind,
  text,
  targetId,
  targetTitle: target?.title ?? '',
  targetUrl: target?.url ?? '',
  excerpt,
  position,
  actors: 0,
  createdAt: now,
  toldAt: now,
});
