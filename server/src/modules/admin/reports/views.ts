import type { Report } from '@mozhan/contract/reports.ts';
import { toUserCard } from '../../accounts/users/index.ts';
import type { FullReport } from './queries.ts';

/** What staff see of the reported thing; null: it is gone. */
export function toTarget({
  report,
  essay,
  comment,
  chat,
  room,
  owner,
}: FullReport): { title: string; url: string } | null {
  if (report.kind === 'essay' && essay !== null)
    return { title: essay.title, url: `/essay/detail/${essay.id}.html` };
  if (report.kind === 'comment' && comment !== null)
    return { title: comment.content, url: `/essay/detail/${comment.essayId}.html#cmt-${comment.id}` };
  if (report.kind === 'user' && owner !== null)
    return { title: owner.displayName, url: `/user/home/${owner.id}.html` };
  if (report.kind === 'chat' && chat !== null) return toChatTarget(chat, room, owner?.id ?? null);
  return null;
}

/** Staff see what was said, as it was said; between two there is no place that they could look at. */
function toChatTarget(
  { kind, content, image }: NonNullable<FullReport['chat']>,
  room: FullReport['room'],
  ownerId: string | null,
): { title: string; url: string } {
  if (image !== null) return { title: '[图片]', url: image.path };
  if (kind === 'essay') return { title: '[文章]', url: `/essay/detail/${content}.html` };
  if (room !== null) return { title: content, url: `/essay/detail/${room.id}.html#chat` };
  return { title: content, url: ownerId === null ? '' : `/user/home/${ownerId}.html` };
}

export function toReport(row: FullReport, now: Date): Report {
  const { report, chat, room, owner, reporter, handler } = row;
  const target = toTarget(row);
  return {
    id: report.id,
    kind: report.kind,
    targetId: report.targetId,
    target:
      target === null
        ? null
        : {
            ...target,
            user: owner === null ? null : toUserCard(owner, now),
            chat: chat === null ? null : { room, removed: chat.removedAt !== null },
          },
    user: reporter === null ? null : toUserCard(reporter, now),
    reason: report.reason,
    detail: report.detail,
    status: report.status,
    result: report.result,
    handledBy: handler === null ? null : toUserCard(handler, now),
    handledAt: report.handledAt?.toISOString() ?? null,
    others: row.others,
    createdAt: report.createdAt.toISOString(),
  };
}
