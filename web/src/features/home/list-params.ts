import type { EssayFilter } from '#web/features/essays/essay-list.tsx';
import {
  readSearchChoices,
  type SearchChoices,
  toSearchFilter,
} from '#web/features/search/search-options.ts';
import { readSearchText } from '#web/lib/read-search-text.ts';

export type Feed = 'hot' | 'latest' | 'following';

export interface ListParams extends SearchChoices {
  keyword: string;
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
    ...readSearchChoices(search),
  };
}

/** A search is ordered by relevance, the essays of a tag by time. Only the site's home recommends essays. */
export function toEssayFilter(listParams: ListParams, category?: string): EssayFilter {
  const { keyword, tag, feed } = listParams;
  const base = { ...(category && { category }), ...(tag && { tag }) };
  if (keyword !== '') return { ...base, keyword, ...toSearchFilter(listParams) };
  if (tag !== '') return { ...base, feed: 'latest' };
  return { ...base, feed: feed === 'hot' && category === undefined ? 'recommend' : feed };
}

/** Omits default values. */
export const toSearchParams = (
  { keyword, tag, feed, page, ...choices }: Partial<ListParams>,
  defaultFeed: Feed,
): Record<string, string | undefined> => ({
  keyword: keyword || undefined,
  ...(keyword && {
    sort: choices.sort || undefined,
    since: choices.since || undefined,
    price: choices.price || undefined,
    author: choices.author || undefined,
  }),
  tag: tag || undefined,
  feed: feed === defaultFeed ? undefined : feed,
  page: page !== undefined && page > 1 ? String(page) : undefined,
});
