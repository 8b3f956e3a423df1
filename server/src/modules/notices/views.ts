import type { Notice, UnreadCounts } from '#contract/notices.ts';
import { noticeKinds } from '#contract/users.ts';
import type { NoticeRow } from './queries.ts';

export function toNotice(row: NoticeRow): Notice {
  return {
    id: row.id,
    kind: row.kind,
    text: row.text,
    read: row.readAt !== null,
    createdAt: row.createdAt.toISOString(),
  };
}

export function toUnreadCounts(rows: { kind: Notice['kind']; count: number }[]): UnreadCounts {
  const kinds = Object.fromEntries(noticeKinds.map((kind) => [kind, 0])) as UnreadCounts['kinds'];
  let total = 0;
  for (const row of rows) {
    kinds[row.kind] = row.count;
    total += row.count;
  }
  return { total, kinds };
}
