import type { Page } from '@mozhan/contract/common.ts';
import type { Notice, UnreadCounts } from '@mozhan/contract/notices.ts';
import type { InfiniteData } from '@tanstack/react-query';

export type NoticePages = InfiniteData<Page<Notice>>;

/** What has been read: these, or everything. */
export type Read = readonly string[] | 'all';

const has = (read: Read, id: string) => read === 'all' || read.includes(id);

export const markPages = (data: NoticePages, read: Read): NoticePages => ({
  ...data,
  pages: data.pages.map((page) => ({
    ...page,
    list: page.list.map((notice) =>
      notice.read || !has(read, notice.id) ? notice : { ...notice, read: true },
    ),
  })),
});

/** Notices that are in none of the lists count nothing: nobody can have seen them. */
export function markCounts(counts: UnreadCounts, read: Read, lists: readonly NoticePages[]): UnreadCounts {
  const kinds = { ...counts.kinds };
  if (read === 'all') {
    for (const kind of Object.keys(kinds) as Notice['kind'][]) kinds[kind] = 0;
    return { total: 0, kinds };
  }
  const notices = lists.flatMap(({ pages }) => pages.flatMap(({ list }) => list));
  const marked = new Map(
    notices.filter((each) => !each.read && has(read, each.id)).map(({ id, kind }) => [id, kind]),
  );
  for (const kind of marked.values()) kinds[kind] = Math.max(0, kinds[kind] - 1);
  return { total: Math.max(0, counts.total - marked.size), kinds };
}
