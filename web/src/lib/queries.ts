import { shouldRetry } from '@mozhan/client/retry.ts';
import type { Client, Input, Output, ReadRoute } from '@mozhan/contract/client.ts';
import type { Page } from '@mozhan/contract/common.ts';
import type { Site } from '@mozhan/contract/site.ts';
import {
  hashKey,
  infiniteQueryOptions,
  type Query,
  QueryClient,
  type QueryKey,
  queryOptions,
  type UseQueryOptions,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { createContext, use } from 'react';
import { useApi } from './app-context.ts';

/** The client's type requires the input of one specific route; here the route is generic. */
type AnyReadCall = <R extends ReadRoute>(
  route: R,
  input: Input<R>,
  options: { signal: AbortSignal },
) => Promise<Output<R>>;

/** Query options of a read call; route and input are the query key. */
export function callQuery<R extends ReadRoute>(api: Client, route: R, input: Input<R> = {} as Input<R>) {
  return queryOptions({
    queryKey: [route, input] as const,
    queryFn: ({ signal }) => (api as AnyReadCall)(route, input, { signal }),
  });
}

type DataOptions<Data, Key extends QueryKey> = Pick<
  UseQueryOptions<Data, Error, Data, Key>,
  'queryKey' | 'queryFn' | 'enabled'
>;

const useObservedData = <Data, Key extends QueryKey>(options: DataOptions<Data, Key>): Data | undefined =>
  useQuery(options).data;

const useLoadedData = <Data, Key extends QueryKey>({ queryKey }: DataOptions<Data, Key>): Data | undefined =>
  useQueryClient().getQueryData<Data>(queryKey);

/** The data of a query. On the server nothing changes while a page renders, so nothing is observed. */
export const useQueryData = import.meta.env.SSR ? useLoadedData : useObservedData;

type CallOptions<R extends ReadRoute, Data> = Omit<
  UseQueryOptions<Output<R>, Error, Data, readonly [R, Input<R>]>,
  'queryKey' | 'queryFn'
>;

export function useCall<R extends ReadRoute, Data = Output<R>>(
  route: R,
  input?: Input<R>,
  options?: CallOptions<R, Data>,
) {
  const { queryKey, queryFn } = callQuery(useApi(), route, input);
  return useQuery({ queryKey, queryFn, ...options });
}

/** For a call that returns either one item or a page: the page. */
type PageOf<R extends ReadRoute> = Extract<Output<R>, Page<unknown>>;
export type PagedRoute = { [R in ReadRoute]: [PageOf<R>] extends [never] ? never : R }[ReadRoute];

const PAGE_SIZE = 10;

/** Position of the next page; the number is for links, the cursor for the database. */
export interface PagePosition {
  page: number;
  cursor?: string;
}

/** Infinite query options of a paged read call, starting at any page. */
export function callPagesQuery<R extends PagedRoute>(
  api: Client,
  route: R,
  input: Input<R> = {} as Input<R>,
  firstPage = 1,
) {
  return infiniteQueryOptions({
    queryKey: [route, input, 'pages', firstPage] as const,
    queryFn: ({ pageParam, signal }) =>
      (api as AnyReadCall)(route, { ...input, ...pageParam, pageSize: PAGE_SIZE }, { signal }) as Promise<
        PageOf<R>
      >,
    initialPageParam: { page: firstPage } as PagePosition,
    getNextPageParam: ({ next, page }): PagePosition | undefined =>
      next === null ? undefined : { page: page + 1, cursor: next },
  });
}

/** Never refetched, so that the site does not change while somebody uses it. */
export const siteQuery = (api: Client): ReturnType<typeof callQuery<'GET core/site/'>> => ({
  ...callQuery(api, 'GET core/site/'),
  staleTime: Number.POSITIVE_INFINITY,
});

export const SiteContext = createContext<Site | undefined>(undefined);

/** Undefined only when the site could not be loaded and the error page is shown. */
export const useMaybeSite = (): Site | undefined => use(SiteContext);

export function useSite(): Site {
  const site = useMaybeSite();
  if (site === undefined) throw new Error('useSite must be used inside a loaded site');
  return site;
}

const STALE_MS = 30_000;
const CACHE_MS = 5 * 60_000;
const REFETCH_INTERVAL_MS = 5000;

const isPrimitive = (value: unknown) => typeof value !== 'object' || value === null;

/** The default, which sorts the fields of objects, is slow; most keys have at most one field. */
function hashQueryKey(key: QueryKey): string {
  const isSorted = key.every((part) => {
    if (typeof part !== 'object' || part === null) return true;
    const fields = Object.values(part);
    return fields.length < 2 && fields.every(isPrimitive);
  });
  return isSorted ? JSON.stringify(key) : hashKey(key);
}

/** Limits refetching on window focus, so that switching windows quickly does not refetch every time. */
const isRefetchDue = ({ state }: Query): boolean =>
  Date.now() - Math.max(state.dataUpdatedAt, state.errorUpdatedAt) >= REFETCH_INTERVAL_MS;

interface FetchOptions {
  queryKey: QueryKey;
  queryFn?: unknown;
  initialPageParam?: unknown;
}

const NEVER_ABORTED = new AbortController().signal;

/**
 * Fetches each query once, for one page. Fetching in the browser is prepared for retries, cancellation and observers, which
 * costs as much as a call. A query that fails stays without data, as it is in the browser that gets the page.
 */
function fetchOnce(client: QueryClient): void {
  const started = new Map<string, Promise<unknown>>();
  const load = async ({ queryKey, queryFn, initialPageParam }: FetchOptions): Promise<unknown> => {
    const context = { client, queryKey, signal: NEVER_ABORTED, pageParam: initialPageParam };
    const result = await (queryFn as (given: typeof context) => unknown)(context);
    const data =
      initialPageParam === undefined ? result : { pages: [result], pageParams: [initialPageParam] };
    client.setQueryData(queryKey, data);
    return data;
  };
  const fetchQuery = (options: FetchOptions): Promise<unknown> => {
    const hash = hashQueryKey(options.queryKey);
    const data = started.get(hash) ?? load(options);
    started.set(hash, data);
    return data;
  };
  // The client's other methods, such as `prefetchInfiniteQuery`, call this one.
  client.fetchQuery = fetchQuery as typeof client.fetchQuery;
}

export function createQueryClient(side: 'server' | 'browser'): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: STALE_MS,
        queryKeyHashFn: hashQueryKey,
        // On the server the client lives for one page; a garbage collection timer would keep it alive.
        gcTime: side === 'server' ? Number.POSITIVE_INFINITY : CACHE_MS,
        refetchOnWindowFocus: (query) => isRefetchDue(query as Query),
        retry: side === 'server' ? false : shouldRetry,
      },
    },
  });
  if (side === 'server') fetchOnce(client);
  return client;
}
