import type { Report } from '#contract/reports.ts';
import { toUserCard } from '../users/index.ts';
import type { FullReport } from './queries.ts';

/** What staff see of the reported thing; null: it is gone. */
export function toTarget({
  report,
  essay,
  comment,
  owner,
}: FullReport): { title: string; url: string } | null {
  if (report.kind === 'essay' && essay !== null)
    return { title: essay.title, url: `/essay/detail/${essay.id}.html` };
  if (report.kind === 'comment' && comment !== null)
    return { title: comment.content, url: `/essay/detail/${comment.essayId}.html#cmt-${comment.id}` };
  if (report.kind === 'user' && owner !== null)
    return { title: owner.displayName, url: `/user/home/${owner.id}.html` };
  return null;
}

export function toReport(row: FullReport, now: Date): Report {
  const { report, owner, reporter, handler } = row;
  const target = toTarget(row);
  return {
    id: report.id,
    kind: report.kind,
    targetId: report.targetId,
    target: target === null ? null : { ...target, user: owner === null ? null : toUserCard(owner, now) },
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
