import type { Client, Input, Output, ReadRoute } from '@mozhan/contract/client.ts';
import type { Page } from '@mozhan/contract/common.ts';
import { call } from '#admin/lib/queries.ts';

export type ListOf<R extends ReadRoute> = Extract<Output<R>, { list: unknown[] }>;

/** Read calls that answer with a page; some give a single row too, when asked by id. */
export type PagedRoute = { [R in ReadRoute]: [ListOf<R>] extends [never] ? never : R }[ReadRoute];
export type RowOf<R extends PagedRoute> = ListOf<R>['list'][number];

/** A page as a query; `input` is put together by name, from the address. */
export function callPage<R extends PagedRoute>(api: Client, route: R, input: Record<string, unknown>) {
  const { queryKey, queryFn } = call(api, route, input as Input<R>);
  return {
    queryKey,
    queryFn: queryFn as unknown as (context: object) => Promise<Page<RowOf<R>> & ListOf<R>>,
  };
}

const STEP = 100;

interface CollectOptions {
  most: number;
  signal: AbortSignal;
  onProgress: (fraction: number) => void;
}

/** Rows from the first on, walking the cursor. */
export async function collect<R extends PagedRoute>(
  api: Client,
  route: R,
  input: Record<string, unknown>,
  { most, signal, onProgress }: CollectOptions,
): Promise<RowOf<R>[]> {
  const ask = api as unknown as (
    route: R,
    input: object,
    options: { signal: AbortSignal },
  ) => Promise<Page<RowOf<R>>>;
  const rows: RowOf<R>[] = [];
  let cursor: string | undefined;
  do {
    const page = await ask(route, { ...input, pageSize: STEP, cursor }, { signal });
    rows.push(...page.list);
    onProgress(rows.length / Math.max(1, Math.min(most, page.total)));
    cursor = page.next ?? undefined;
  } while (cursor !== undefined && rows.length < most);
  return rows.slice(0, most);
}
