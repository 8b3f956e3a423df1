import type { Report } from '@mozhan/contract/reports.ts';
import type { UserOrGuestCard } from '@mozhan/contract/users.ts';
import { toUserCard } from '../../accounts/users/index.ts';
import { toGuestCard } from '../../content/comments/index.ts';
import { essayPathOf } from '../../content/essays/index.ts';
import type { ReportWithTarget } from './queries.ts';

/** Returns null if the target was deleted. */
export function toTarget({
  report,
  essay,
  comment,
  chat,
  room,
  owner,
}: ReportWithTarget): { title: string; url: string } | null {
  if (report.kind === 'essay' && essay !== null) return { title: essay.title, url: essayPathOf(essay) };
  if (report.kind === 'comment' && comment !== null)
    return { title: comment.content, url: `/essay/detail/${comment.essayId}.html#cmt-${comment.id}` };
  if (report.kind === 'user' && owner !== null)
    return { title: owner.displayName, url: `/user/home/${owner.id}.html` };
  if (report.kind === 'letter' && report.evidence !== null)
    return {
      title: report.evidence.letters.find(({ isReported }) => isReported)?.content ?? '',
      url: owner === null ? '' : `/user/home/${owner.id}.html`,
    };
  if (report.kind === 'chat' && chat !== null) return toChatTarget(chat, room, owner?.id ?? null);
  return null;
}

/** Staff see the reported message; a private chat has no page for staff, so the link leads to the sender. */
function toChatTarget(
  { kind, content, image }: NonNullable<ReportWithTarget['chat']>,
  room: ReportWithTarget['room'],
  ownerId: string | null,
): { title: string; url: string } {
  if (image !== null) return { title: '[图片]', url: image.path };
  if (kind === 'essay') return { title: '[文章]', url: `/essay/detail/${content}.html` };
  if (room !== null) return { title: content, url: `/essay/detail/${room.id}.html#chat` };
  return { title: content, url: ownerId === null ? '' : `/user/home/${ownerId}.html` };
}

function toTargetUser({ comment, owner }: ReportWithTarget, now: Date): UserOrGuestCard | null {
  if (owner !== null) return toUserCard(owner, now);
  return comment === null || comment.guestName === null
    ? null
    : toGuestCard(comment.guestName, comment.guestSite);
}

export function toReport(row: ReportWithTarget, now: Date): Report {
  const { report, chat, room, reporter, handler } = row;
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
            user: toTargetUser(row, now),
            chat: chat === null ? null : { room, removed: chat.removedAt !== null },
            letter: report.evidence,
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
