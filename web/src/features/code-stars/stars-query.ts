import type { Client } from '@mozhan/contract/client.ts';
import type { StarRange } from '@mozhan/contract/code-stars.ts';
import { callQuery } from '#web/lib/queries.ts';
import { pathTo } from '#web/router/router.tsx';

const DEFAULT_RANGE: StarRange = 'week';

export const starRanges: readonly { key: StarRange; label: string }[] = [
  { key: 'week', label: '近 7 天' },
  { key: 'month', label: '近 30 天' },
  { key: 'all', label: '全部' },
];

export const readStarRange = (search: URLSearchParams): StarRange =>
  starRanges.find(({ key }) => key === search.get('range'))?.key ?? DEFAULT_RANGE;

/** Without the base path. */
export const starsPath = (range: StarRange = DEFAULT_RANGE): string =>
  pathTo({ to: '/home', search: { view: 'stars', range: range === DEFAULT_RANGE ? undefined : range } });

export const starsQuery = (api: Client, range: StarRange) => callQuery(api, 'GET core/code/star/', { range });

/** The top of the weekly ranking, for side columns. */
export const topStarsQuery = (api: Client) => callQuery(api, 'GET core/code/star/', { limit: 5 });
