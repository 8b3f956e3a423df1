import type { Notice } from '@mozhan/contract/notices.ts';
import { newId } from '../../../../db/id.ts';
import type { noticeActors, notices } from '../tables.ts';

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
}

/** Unread notices of these kinds about the same target are grouped into one. */
export const groupedKinds: readonly Notice['kind'][] = ['like', 'collect', 'follow'];

export const isGrouped = ({ kind, actorId }: NewNotice): boolean =>
  actorId !== undefined && groupedKinds.includes(kind);

/** A new notice of these kinds replaces the earlier ones about the same conversation. */
export const replacesEarlier = ({ kind }: NewNotice): boolean => kind === 'message';

export const getTargetId = ({ target, userId }: NewNotice): string => target?.id ?? userId;

export interface NoticeGroup {
  id: string;
  userId: string;
  kind: Notice['kind'];
  targetId: string;
}

const keyOf = ({ userId, kind, targetId }: Omit<NoticeGroup, 'id'>) => `${userId} ${kind} ${targetId}`;

type NoticeRow = typeof notices.$inferInsert & { actors: number };
type ActorRow = typeof noticeActors.$inferInsert;

/** Splits new notices into rows with their actors, and actors to add to unread groups that exist. */
export function groupNotices(
  newNotices: readonly (NewNotice & { position: number })[],
  unreadGroups: readonly NoticeGroup[],
  now: Date,
): { rows: NoticeRow[]; actors: ActorRow[]; addedActors: ActorRow[] } {
  const groups = new Map(unreadGroups.map((group) => [keyOf(group), group.id]));
  const existingIds = new Set(groups.values());
  const rows = new Map<string, NoticeRow>();
  const actors = new Map<string, ActorRow>();
  const addedActors: ActorRow[] = [];
  for (const each of newNotices) {
    const { userId, kind, actorId, position } = each;
    const targetId = getTargetId(each);
    const key = isGrouped(each) ? keyOf({ userId, kind, targetId }) : null;
    const id = (key === null ? undefined : groups.get(key)) ?? newId();
    if (key !== null) groups.set(key, id);
    if (!existingIds.has(id) && !rows.has(id)) rows.set(id, toRow(each, { id, targetId, now }));
    if (actorId === undefined) continue;
    const actor = { noticeId: id, userId: actorId, position };
    const row = rows.get(id);
    if (row === undefined) addedActors.push(actor);
    else if (!actors.has(`${id} ${actorId}`)) {
      actors.set(`${id} ${actorId}`, actor);
      Object.assign(row, { actors: row.actors + 1, position });
    }
  }
  return { rows: [...rows.values()], actors: [...actors.values()], addedActors };
}

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
