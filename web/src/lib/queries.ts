import { worthRetrying } from '@mozhan/client/retry.ts';
import type { Client, Input, Output, ReadRoute } from '@mozhan/contract/client.ts';
import type { Page } from '@mozhan/contract/common.ts';
import type { Site } from '@mozhan/contract/site.ts';
import {
  infiniteQueryOptions,
  type Query,
  QueryClient,
  queryOptions,
  type UseQueryOptions,
  useQuery,
} from '@tanstack/react-query';
import { createContext, use } from 'react';
import { useApi } from './app-context.ts';

/** The client's own type asks for the input of one route; here the route is any. */
type AnyRead = <R extends ReadRoute>(
  route: R,
  input: Input<R>,
  options: { signal: AbortSignal },
) => Promise<Output<R>>;

/** A read call as a query: its name and input are its key. */
export function call<R extends ReadRoute>(api: Client, route: R, input: Input<R> = {} as Input<R>) {
  return queryOptions({
    queryKey: [route, input] as const,
    queryFn: ({ signal }) => (api as AnyRead)(route, input, { signal }),
  });
}

type CallOptions<R extends ReadRoute, Data> = Omit<
  UseQueryOptions<Output<R>, Error, Data, readonly [R, Input<R>]>,
  'queryKey' | 'queryFn'
>;

/** What a read call answers. */
export function useCall<R extends ReadRoute, Data = Output<R>>(
  route: R,
  input?: Input<R>,
  options?: CallOptions<R, Data>,
) {
  const { queryKey, queryFn } = call(useApi(), route, input);
  return useQuery({ queryKey, queryFn, ...options });
}

/** Of a call that answers with one thing or with many: the many. */
type PageOf<R extends ReadRoute> = Extract<Output<R>, Page<unknown>>;
export type PagedRoute = { [R in ReadRoute]: [PageOf<R>] extends [never] ? never : R }[ReadRoute];

const PAGE_SIZE = 10;

/** Where a list goes on; the number is for links, the cursor for the database. */
export interface PagePosition {
  page: number;
  cursor?: string;
}

/** A read call of a list as a query that grows page by page, from the first one or one in the middle. */
export function callPages<R extends PagedRoute>(
  api: Client,
  route: R,
  input: Input<R> = {} as Input<R>,
  firstPage = 1,
) {
  return infiniteQueryOptions({
    queryKey: [route, input, 'pages', firstPage] as const,
    queryFn: ({ pageParam, signal }) =>
      (api as AnyRead)(route, { ...input, ...pageParam, pageSize: PAGE_SIZE }, { signal }) as Promise<
        PageOf<R>
      >,
    initialPageParam: { page: firstPage } as PagePosition,
    getNextPageParam: ({ next, page }): PagePosition | undefined =>
      next === null ? undefined : { page: page + 1, cursor: next },
  });
}

/** The site's settings never change under a reader's eyes. */
export const siteQuery = (api: Client): ReturnType<typeof call<'GET core/site/'>> => ({
  ...call(api, 'GET core/site/'),
  staleTime: Number.POSITIVE_INFINITY,
});

export const SiteContext = createContext<Site | undefined>(undefined);

/** Undefined only when even that could not be loaded, and the page shown is the failed one. */
export const useMaybeSite = (): Site | undefined => use(SiteContext);

export function useSite(): Site {
  const site = useMaybeSite();
  if (site === undefined) throw new Error('outside of the site');
  return site;
}

const STALE_MS = 30_000;
const KEEP_MS = 5 * 60_000;
const FOCUS_GAP_MS = 5000;

/** Coming back to the tab refreshes what is stale, but not at every flick between windows. */
const awayLongEnough = ({ state }: Query): boolean =>
  Date.now() - Math.max(state.dataUpdatedAt, state.errorUpdatedAt) >= FOCUS_GAP_MS;

export function createQueryClient(side: 'server' | 'browser'): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: STALE_MS,
        // On the server the client lives for one page; a timer would only keep it alive.
        gcTime: side === 'server' ? Number.POSITIVE_INFINITY : KEEP_MS,
        refetchOnWindowFocus: (query) => awayLongEnough(query as Query),
        retry: side === 'server' ? false : worthRetrying,
      },
    },
  });
}
