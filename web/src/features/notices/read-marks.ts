import type { Page } from '@mozhan/contract/common.ts';
import type { Notice, UnreadCounts } from '@mozhan/contract/notices.ts';
import type { InfiniteData } from '@tanstack/react-query';

export type NoticePages = InfiniteData<Page<Notice>>;

/** The ids of the notices that were read, or all. */
export type ReadSelection = readonly string[] | 'all';

const isSelected = (read: ReadSelection, id: string) => read === 'all' || read.includes(id);

export const markPagesRead = (data: NoticePages, read: ReadSelection): NoticePages => ({
  ...data,
  pages: data.pages.map((page) => ({
    ...page,
    list: page.list.map((notice) =>
      notice.read || !isSelected(read, notice.id) ? notice : { ...notice, read: true },
    ),
  })),
});

/** Ignores ids that are in none of the lists, because nobody can have seen these notices. */
export function lowerUnreadCounts(
  counts: UnreadCounts,
  read: ReadSelection,
  lists: readonly NoticePages[],
): UnreadCounts {
  const kinds = { ...counts.kinds };
  if (read === 'all') {
    for (const kind of Object.keys(kinds) as Notice['kind'][]) kinds[kind] = 0;
    return { ...counts, total: 0, kinds };
  }
  const notices = lists.flatMap(({ pages }) => pages.flatMap(({ list }) => list));
  const marked = new Map(
    notices.filter((each) => !each.read && isSelected(read, each.id)).map(({ id, kind }) => [id, kind]),
  );
  for (const kind of marked.values()) kinds[kind] = Math.max(0, kinds[kind] - 1);
  return { ...counts, total: Math.max(0, counts.total - marked.size), kinds };
}
