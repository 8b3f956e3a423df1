import type { Client, Input, Output, ReadRoute } from '@mozhan/contract/client.ts';
import type { Page } from '@mozhan/contract/common.ts';
import { call } from '#admin/lib/queries.ts';

export type ListOf<R extends ReadRoute> = Extract<Output<R>, { list: unknown[] }>;

/** Read calls that return a page; some also return a single row when given an id. */
export type PagedRoute = { [R in ReadRoute]: [ListOf<R>] extends [never] ? never : R }[ReadRoute];
export type RowOf<R extends PagedRoute> = ListOf<R>['list'][number];

/** Query options for one page; `input` is untyped because it comes from the URL. */
export function callPage<R extends PagedRoute>(api: Client, route: R, input: Record<string, unknown>) {
  const { queryKey, queryFn } = call(api, route, input as Input<R>);
  return {
    queryKey,
    queryFn: queryFn as unknown as (context: object) => Promise<Page<RowOf<R>> & ListOf<R>>,
  };
}

const PAGE_SIZE = 100;

interface CollectOptions {
  maxRows: number;
  signal: AbortSignal;
  onProgress: (fraction: number) => void;
}

export async function collectRows<R extends PagedRoute>(
  api: Client,
  route: R,
  input: Record<string, unknown>,
  { maxRows, signal, onProgress }: CollectOptions,
): Promise<RowOf<R>[]> {
  const fetchPage = api as unknown as (
    route: R,
    input: object,
    options: { signal: AbortSignal },
  ) => Promise<Page<RowOf<R>>>;
  const rows: RowOf<R>[] = [];
  let cursor: string | undefined;
  do {
    const page = await fetchPage(route, { ...input, pageSize: PAGE_SIZE, cursor }, { signal });
    rows.push(...page.list);
    onProgress(rows.length / Math.max(1, Math.min(maxRows, page.total)));
    cursor = page.next ?? undefined;
  } while (cursor !== undefined && rows.length < maxRows);
  return rows.slice(0, maxRows);
}
