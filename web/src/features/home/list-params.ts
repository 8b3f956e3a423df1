import type { EssayFilter } from '#web/features/essays/essay-list.tsx';
import { readSearchText } from '#web/lib/read-search-text.ts';

export type Feed = 'hot' | 'latest' | 'following';

export interface ListParams {
  keyword: string;
  tag: string;
  feed: Feed;
  page: number;
}

const feeds: readonly Feed[] = ['hot', 'latest', 'following'];

export function readListParams(search: URLSearchParams, defaultFeed: Feed): ListParams {
  return {
    keyword: readSearchText(search, 'keyword', 100),
    tag: readSearchText(search, 'tag', 20),
    feed: feeds.find((feed) => feed === search.get('feed')) ?? defaultFeed,
    page: Number(/^[1-9]\d{0,3}$/.exec(search.get('page') ?? '')?.[0] ?? 1),
  };
}

/** A search is ordered by relevance, the essays of a tag by time. Only the site's home recommends essays. */
export function toEssayFilter({ keyword, tag, feed }: ListParams, category?: string): EssayFilter {
  const base = { ...(category && { category }), ...(tag && { tag }) };
  if (keyword !== '') return { ...base, keyword };
  if (tag !== '') return { ...base, feed: 'latest' };
  return { ...base, feed: feed === 'hot' && category === undefined ? 'recommend' : feed };
}

/** Omits default values. */
export const toSearchParams = (
  { keyword, tag, feed, page }: Partial<ListParams>,
  defaultFeed: Feed,
): Record<string, string | undefined> => ({
  keyword: keyword || undefined,
  tag: tag || undefined,
  feed: feed === defaultFeed ? undefined : feed,
  page: page !== undefined && page > 1 ? String(page) : undefined,
});
