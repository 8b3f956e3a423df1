import type { Notice } from '@mozhan/contract/notices.ts';
import { newId } from '../../../../db/id.ts';
import type { noticeActors, notices } from '../tables.ts';

export interface NewNotice {
  /** To whom. */
  userId: string;
  kind: Notice['kind'];
  /** Who did it; none: the system. */
  actorId?: string;
  /** By the system the whole sentence, else what they did: `赞了你的文章`; the title comes behind it, or into its `《》`. */
  text: string;
  /** What it is about, by the id that will take it back; the url is a path on the site. */
  target?: { id: string; title: string; url: string };
  /** The beginning of what was said, plain text. */
  excerpt?: string;
}

/** Of these the unread ones about one thing are one notice, whoever did it. */
export const groupedKinds: readonly Notice['kind'][] = ['like', 'collect', 'follow'];

export const isGrouped = ({ kind, actorId }: NewNotice): boolean =>
  actorId !== undefined && groupedKinds.includes(kind);

/** Of these the newest about one conversation takes the place of those before. */
export const isRenewed = ({ kind }: NewNotice): boolean => kind === 'message';

export const targetOf = ({ target, userId }: NewNotice): string => target?.id ?? userId;

export interface Group {
  id: string;
  userId: string;
  kind: Notice['kind'];
  targetId: string;
}

const keyOf = ({ userId, kind, targetId }: Omit<Group, 'id'>) => `${userId} ${kind} ${targetId}`;

type NoticeRow = typeof notices.$inferInsert & { actors: number };
type ActorRow = typeof noticeActors.$inferInsert;

/** What becomes of the deeds told: new notices with their actors, and actors that may join the groups there are. */
export function arrange(
  told: readonly (NewNotice & { position: number })[],
  open: readonly Group[],
  now: Date,
): { rows: NoticeRow[]; actors: ActorRow[]; joining: ActorRow[] } {
  const groups = new Map(open.map((group) => [keyOf(group), group.id]));
  const openIds = new Set(groups.values());
  const rows = new Map<string, NoticeRow>();
  const actors = new Map<string, ActorRow>();
  const joining: ActorRow[] = [];
  for (const each of told) {
    const { userId, kind, actorId, position } = each;
    const targetId = targetOf(each);
    const key = isGrouped(each) ? keyOf({ userId, kind, targetId }) : null;
    const id = (key === null ? undefined : groups.get(key)) ?? newId();
    if (key !== null) groups.set(key, id);
    if (!openIds.has(id) && !rows.has(id)) rows.set(id, toRow(each, { id, targetId, now }));
    if (actorId === undefined) continue;
    const actor = { noticeId: id, userId: actorId, position };
    const row = rows.get(id);
    if (row === undefined) joining.push(actor);
    else if (!actors.has(`${id} ${actorId}`)) {
      actors.set(`${id} ${actorId}`, actor);
      Object.assign(row, { actors: row.actors + 1, position });
    }
  }
  return { rows: [...rows.values()], actors: [...actors.values()], joining };
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
