import type { ReadRoute } from '@mozhan/contract/client.ts';
import type { QueryClient, QueryKey } from '@tanstack/react-query';
import type { Still } from '../router/still-page.ts';

/** What travels in the page beside its HTML. */
export interface PageData {
  /** The address the server rendered: without parameters that matter in the browser only. */
  url: string;
  status: 200 | 404 | 410 | 500;
  basePath: string;
  siteUrl: string;
  /** Unless it is the base path. */
  filesUrl?: string;
  /** Key and data of every query. No times: the same page is the same text, and its ETag says so. */
  queries: [key: QueryKey, data: unknown][];
  /** Complete as rendered: how long a visitor can do without its code. */
  still?: Still;
  /** Files of the page's code. */
  scripts: string[];
  /** Stylesheets of that code which the page's own stylesheet contains. */
  styles: string[];
}

/** The text of an essay stands in the page already: it is taken back from there instead of travelling twice. */
const ESSAY: ReadRoute = 'GET core/essay/{id}';

function withoutText(queryKey: QueryKey, data: unknown): unknown {
  return queryKey[0] === ESSAY ? { ...(data as object), html: '' } : data;
}

export function packQueries(queryClient: QueryClient): PageData['queries'] {
  const loaded = queryClient
    .getQueryCache()
    .getAll()
    .filter(({ state }) => state.status === 'success');
  return loaded.map(({ queryKey, state }) => [queryKey, withoutText(queryKey, state.data)]);
}

/** Counts as loaded just now, however long the page lay in a cache: otherwise every view would ask for all of it again. */
export function unpackQueries(
  queryClient: QueryClient,
  queries: PageData['queries'],
  page: ParentNode,
): void {
  const html = page.querySelector('[data-text]')?.firstElementChild?.innerHTML;
  for (const [key, data] of queries) {
    if (key[0] !== ESSAY) queryClient.setQueryData(key, data);
    else if (html !== undefined) queryClient.setQueryData(key, { ...(data as object), html });
  }
}

export const DATA_ID = 'data';
export const ROOT_ID = 'root';

/** The address has no parameters beside those that the server knows. */
export const isAsRendered = ({ basePath, url }: PageData): boolean =>
  location.pathname + location.search === basePath + url;
