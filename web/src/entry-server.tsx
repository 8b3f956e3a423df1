import { queryFilterOf } from '@mozhan/client/query-filter.ts';
import type { Transport } from '@mozhan/contract/client.ts';
import { renderToString } from 'react-dom/server';
import { App, type AppParts, createApp } from './app.tsx';
import type { Assets } from './document/assets.ts';
import { renderDocumentAround } from './document/document.ts';
import { type Pieces, renderWithFragments, toBytes } from './document/fragments.tsx';
import { type PageData, packQueries } from './document/page-data.ts';
import type { EssayPages } from './features/essays/essay-list.tsx';
import { toLinkedData, toShareCard } from './lib/linked-data.ts';
import { siteQuery } from './lib/queries.ts';
import { failedView, Redirect, type View } from './router/navigation.ts';
import { match, type Path } from './router/routes.ts';
import { searchRules } from './router/search-rules.ts';

export { renderServiceWorker as toServiceWorker } from './document/offline-page.tsx';

export interface RenderRequest {
  /** Path and search, base path removed. */
  url: string;
  /** Calls the API in process as a visitor, because every page is the same for everyone. */
  transport: Transport;
  assets: (pageFile?: string) => Assets;
  /** '' or '/blog'. */
  basePath: string;
  /** Public origin with base path, for canonical URLs. */
  siteUrl: string;
  /** URL prefix of stored files; defaults to the base path. */
  filesUrl?: string | undefined;
  /** Renders a page that is only displayed: inert and without scripts. */
  isPreview?: boolean;
}

export interface RenderResult {
  status: 200 | 404 | 410 | 301 | 302 | 500;
  /** In UTF-8. */
  html: Uint8Array<ArrayBuffer>;
  /** Base path included. */
  redirect?: string;
  error?: unknown;
}

/** Removes search parameters that do not change the HTML, so that the URL can be a cache key. */
export function normalizeUrl(url: string): string {
  const { pathname, searchParams } = new URL(`http://app${url}`);
  const path = match(pathname)?.item.path as Path | undefined;
  const rule = (path && searchRules[path]) ?? {};
  const allowedParams = new URLSearchParams();
  for (const [name, values] of Object.entries(rule)) {
    const value = searchParams.get(name);
    if (value === null) continue;
    if (values instanceof RegExp ? values.test(value) : values.includes(value))
      allowedParams.set(name, value);
  }
  const query = allowedParams.toString();
  return pathname + (query && `?${query}`);
}

/**
 * Whether the site has a page at this path: always, or depending on what the parameters of its route name. Null: the path
 * belongs to no page.
 */
export function routeKindOf(pathname: string): 'fixed' | 'variable' | null {
  const found = match(pathname);
  if (found === undefined) return null;
  return Object.keys(found.params).length === 0 ? 'fixed' : 'variable';
}

const NO_HTML = new Uint8Array();
const ROOT = '<div id="root">';

function renderHtml(app: AppParts, view: View, request: RenderRequest): Uint8Array<ArrayBuffer> {
  const { assets, basePath, siteUrl, filesUrl, isPreview = false } = request;
  let linkedData: object[] = [];
  let shareCard: Record<string, string> | undefined;
  app.context.onPageDescription = (page) => {
    linkedData = toLinkedData(page, siteUrl);
    shareCard = toShareCard(page);
  };
  app.router.setView(view);
  const page = (
    <div id="root">
      <App app={app} />
    </div>
  );
  // Previewed settings must not replace cached fragments of the real ones.
  const [text, ...rest]: Pieces = isPreview ? [renderToString(page)] : renderWithFragments(app, page);
  // React emits titles, metas and links first when it renders less than a document.
  const start = text.indexOf(ROOT);
  const site = app.queryClient.getQueryData(siteQuery(app.context.api).queryKey);
  const { css, pageStyles, entryImports, preload, ...scripts } = assets(view.file);
  // Offline support caches a page's own code and shared files, so it needs neither delayed code nor merged styles.
  const isOffline = site?.settings.pwa === true;
  const staticMode = isOffline ? undefined : view.staticMode;
  const merged = isOffline ? undefined : pageStyles;
  const data: PageData = {
    url: view.url,
    status: view.status,
    basePath,
    siteUrl,
    ...(filesUrl === undefined ? {} : { filesUrl }),
    queries: packQueries(app.queryClient),
    ...(staticMode === undefined ? {} : { still: staticMode }),
    scripts: staticMode === undefined ? [] : preload,
    styles: merged === undefined ? [] : css,
  };
  const [documentStart, documentEnd] = renderDocumentAround({
    assets: {
      ...scripts,
      css: merged === undefined ? css : [merged],
      preload: staticMode === undefined ? preload : entryImports,
    },
    site: site && { settings: site.settings, announcements: site.announcements, basePath },
    head: text.slice(0, start),
    linkedData,
    shareCard,
    ...(isPreview ? { isPreview } : { data }),
  });
  return toBytes([documentStart + text.slice(start), ...rest, documentEnd]);
}

/** The URL of the same list under the tag's new name, if the tag was renamed. */
function findRenamedTagUrl({ queryClient }: AppParts, url: string): string | null {
  const lists = queryClient.getQueriesData<Partial<EssayPages>>(queryFilterOf('GET core/essay/'));
  const tag = lists.flatMap(([, list]) => list?.pages ?? []).find((page) => page.tag !== undefined)?.tag;
  if (tag === undefined) return null;
  const { pathname, searchParams } = new URL(`http://app${url}`);
  searchParams.set('tag', tag);
  return `${pathname}?${searchParams}`;
}

export async function render(request: RenderRequest): Promise<RenderResult> {
  const { transport, basePath, siteUrl, filesUrl } = request;
  const url = normalizeUrl(request.url);
  const app = createApp({ side: 'server', transport, basePath, siteUrl, filesUrl });
  try {
    const view = await app.router.resolve(url);
    const renamedTagUrl = findRenamedTagUrl(app, url);
    if (renamedTagUrl !== null) return { status: 301, html: NO_HTML, redirect: basePath + renamedTagUrl };
    return { status: view.status, html: renderHtml(app, view, request) };
  } catch (error) {
    if (error instanceof Redirect)
      return { status: error.status, html: NO_HTML, redirect: basePath + error.to };
    return { status: 500, html: renderHtml(app, failedView(url), request), error };
  } finally {
    app.queryClient.clear();
  }
}
