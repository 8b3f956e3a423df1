import type { UnreadCounts } from '@mozhan/contract/notices.ts';
import { noticeKinds } from '@mozhan/contract/users.ts';
import type { NoticeCountRow } from '../queries/notices.ts';

export function toUnreadCounts(rows: NoticeCountRow[]): UnreadCounts {
  const kinds = Object.fromEntries(noticeKinds.map((kind) => [kind, 0])) as UnreadCounts['kinds'];
  let [total, latest] = [0, 0];
  for (const row of rows) {
    kinds[row.kind] = row.unread;
    total += row.unread;
    latest = row.latest;
  }
  return { total, kinds, latest };
}
