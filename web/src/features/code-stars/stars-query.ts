import type { Client } from '@mozhan/contract/client.ts';
import type { StarRange } from '@mozhan/contract/code-stars.ts';
import { call } from '#web/lib/queries.ts';
import { pathTo } from '#web/router/router.tsx';

const USUAL: StarRange = 'week';

export const ranges: readonly { key: StarRange; label: string }[] = [
  { key: 'week', label: '近 7 天' },
  { key: 'month', label: '近 30 天' },
  { key: 'all', label: '全部' },
];

export const readRange = (search: URLSearchParams): StarRange =>
  ranges.find(({ key }) => key === search.get('range'))?.key ?? USUAL;

/** Base path not included. */
export const starsPath = (range: StarRange = USUAL): string =>
  pathTo({ to: '/home', search: { view: 'stars', range: range === USUAL ? undefined : range } });

export const starsQuery = (api: Client, range: StarRange) => call(api, 'GET core/code/star/', { range });

/** The first of the week, for the side of other pages. */
export const topStarsQuery = (api: Client) => call(api, 'GET core/code/star/', { limit: 5 });
