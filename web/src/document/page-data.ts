import type { ReadRoute } from '@mozhan/contract/client.ts';
import type { QueryClient, QueryKey } from '@tanstack/react-query';
import type { StaticMode } from '../router/static-page.ts';

/** Data for hydration, embedded in the page as JSON. */
export interface PageData {
  /** The URL that the server rendered, without parameters that only the browser uses. */
  url: string;
  status: 200 | 404 | 410 | 500;
  basePath: string;
  siteUrl: string;
  /** Defaults to the base path. */
  filesUrl?: string;
  /** Key and data of every query. No timestamps, so that the same page has the same ETag. */
  queries: [key: QueryKey, data: unknown][];
  /** Set for static pages: how long a visitor's browser may delay loading the code. */
  still?: StaticMode;
  scripts: string[];
  /** Stylesheets of that code that the merged page stylesheet already contains. */
  styles: string[];
}

/** The essay's HTML is already in the document, so it is read from there instead of being sent twice. */
const ESSAY_ROUTE: ReadRoute = 'GET core/essay/{id}';

function omitEssayHtml(queryKey: QueryKey, data: unknown): unknown {
  return queryKey[0] === ESSAY_ROUTE ? { ...(data as object), html: '' } : data;
}

export function packQueries(queryClient: QueryClient): PageData['queries'] {
  const loaded = queryClient
    .getQueryCache()
    .getAll()
    .filter(({ state }) => state.status === 'success');
  return loaded.map(({ queryKey, state }) => [queryKey, omitEssayHtml(queryKey, state.data)]);
}

/** Marks the data as just loaded even if the page was cached; otherwise every page view would refetch all queries. */
export function unpackQueries(
  queryClient: QueryClient,
  queries: PageData['queries'],
  page: ParentNode,
): void {
  const html = page.querySelector('[data-text]')?.firstElementChild?.innerHTML;
  for (const [key, data] of queries) {
    if (key[0] !== ESSAY_ROUTE) queryClient.setQueryData(key, data);
    else if (html !== undefined) queryClient.setQueryData(key, { ...(data as object), html });
  }
}

export const PAGE_DATA_ID = 'data';
export const ROOT_ID = 'root';

export const isAtRenderedUrl = ({ basePath, url }: PageData): boolean =>
  location.pathname + location.search === basePath + url;
