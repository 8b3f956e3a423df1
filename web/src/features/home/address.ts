import type { EssayFilter } from '#web/features/essays/essay-list.tsx';
import { searchText } from '#web/lib/search-text.ts';

export type Feed = 'hot' | 'latest' | 'following';

/** What the address of a list asks for. */
export interface ListAddress {
  keyword: string;
  tag: string;
  feed: Feed;
  page: number;
}

const feeds: readonly Feed[] = ['hot', 'latest', 'following'];

export function readListAddress(search: URLSearchParams, usual: Feed): ListAddress {
  return {
    keyword: searchText(search, 'keyword', 100),
    tag: searchText(search, 'tag', 20),
    feed: feeds.find((feed) => feed === search.get('feed')) ?? usual,
    page: Number(/^[1-9]\d{0,3}$/.exec(search.get('page') ?? '')?.[0] ?? 1),
  };
}

/** A search is ordered by how well it fits, a tag's essays by their time. */
export function toFilter({ keyword, tag, feed }: ListAddress, category?: string): EssayFilter {
  const narrowed = { ...(category && { category }), ...(tag && { tag }) };
  if (keyword !== '') return { ...narrowed, keyword };
  return { ...narrowed, feed: tag === '' ? feed : 'latest' };
}

/** As search parameters; what is usual is left out. */
export const toSearch = (
  { keyword, tag, feed, page }: Partial<ListAddress>,
  usual: Feed,
): Record<string, string | undefined> => ({
  keyword: keyword || undefined,
  tag: tag || undefined,
  feed: feed === usual ? undefined : feed,
  page: page !== undefined && page > 1 ? String(page) : undefined,
});
