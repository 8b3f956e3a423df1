import { queriesOf } from '@mozhan/client/query-filter.ts';
import type { Transport } from '@mozhan/contract/client.ts';
import { renderToString } from 'react-dom/server';
import { App, type AppParts, createApp } from './app.tsx';
import type { Assets } from './document/assets.ts';
import { toDocument } from './document/document.ts';
import { renderWithFragments } from './document/fragments.tsx';
import { type PageData, packQueries } from './document/page-data.ts';
import type { EssayPages } from './features/essays/essay-list.tsx';
import { toLinkedData } from './lib/linked-data.ts';
import { siteQuery } from './lib/queries.ts';
import { failedView, Redirect, type View } from './router/navigation.ts';
import { match, type Path } from './router/routes.ts';
import { searchRules } from './router/search-rules.ts';

export { toServiceWorker } from './document/offline-page.tsx';

export interface RenderRequest {
  /** Path and search, base path removed. */
  url: string;
  /** In process, as a visitor: every page is the same for everyone. */
  transport: Transport;
  assets: (pageFile?: string) => Assets;
  /** '' or '/blog'. */
  basePath: string;
  /** Public origin with base path, for canonical addresses. */
  siteUrl: string;
  /** What comes before the path of a stored file, unless it is the base path. */
  filesUrl?: string | undefined;
  /** To be looked at only: nothing in it can be reached or runs. */
  isPreview?: boolean;
}

export interface Rendered {
  status: 200 | 404 | 410 | 301 | 302 | 500;
  html: string;
  /** Base path included. */
  redirect?: string;
  /** What went wrong behind a 500, for the log. */
  error?: unknown;
}

/** The address with only those search parameters that change the HTML: a sound key for a cache of pages. */
export function normalise(url: string): string {
  const { pathname, searchParams } = new URL(`http://app${url}`);
  const path = match(pathname)?.item.path as Path | undefined;
  const rule = (path && searchRules[path]) ?? {};
  const kept = new URLSearchParams();
  for (const [name, values] of Object.entries(rule)) {
    const value = searchParams.get(name);
    if (value === null) continue;
    if (values instanceof RegExp ? values.test(value) : values.includes(value)) kept.set(name, value);
  }
  const query = kept.toString();
  return pathname + (query && `?${query}`);
}

const ROOT = '<div id="root">';

function toHtml(app: AppParts, view: View, request: RenderRequest): string {
  const { assets, basePath, siteUrl, filesUrl, isPreview = false } = request;
  let linkedData: object[] = [];
  app.context.onDescribe = (page) => {
    linkedData = toLinkedData(page, siteUrl);
  };
  app.router.show(view);
  const page = (
    <div id="root">
      <App app={app} />
    </div>
  );
  // Previewed settings must not replace cached fragments of the real ones.
  const text = isPreview ? renderToString(page) : renderWithFragments(app, page);
  // React puts titles, metas and links before everything else when it renders less than a document.
  const start = text.indexOf(ROOT);
  const site = app.queryClient.getQueryData(siteQuery(app.context.api).queryKey);
  const { css, pageStyles, entryImports, preload, ...scripts } = assets(view.file);
  // Offline support keeps a page's code, and the files that pages share.
  const isOffline = site?.settings.pwa === true;
  const still = isOffline ? undefined : view.still;
  const merged = isOffline ? undefined : pageStyles;
  const data: PageData = {
    url: view.url,
    status: view.status,
    basePath,
    siteUrl,
    ...(filesUrl === undefined ? {} : { filesUrl }),
    queries: packQueries(app.queryClient),
    ...(still === undefined ? {} : { still }),
    scripts: still === undefined ? [] : preload,
    styles: merged === undefined ? [] : css,
  };
  return toDocument({
    assets: {
      ...scripts,
      css: merged === undefined ? css : [merged],
      preload: still === undefined ? preload : entryImports,
    },
    site: site && { settings: site.settings, announcements: site.announcements, basePath },
    head: text.slice(0, start),
    linkedData,
    body: text.slice(start),
    ...(isPreview ? { isPreview } : { data }),
  });
}

/** Where a tag's page is by now that has another name. */
function findMoved({ queryClient }: AppParts, url: string): string | null {
  const lists = queryClient.getQueriesData<Partial<EssayPages>>(queriesOf('GET core/essay/'));
  const tag = lists.flatMap(([, list]) => list?.pages ?? []).find((page) => page.tag !== undefined)?.tag;
  if (tag === undefined) return null;
  const { pathname, searchParams } = new URL(`http://app${url}`);
  searchParams.set('tag', tag);
  return `${pathname}?${searchParams}`;
}

export async function render(request: RenderRequest): Promise<Rendered> {
  const { transport, basePath, siteUrl, filesUrl } = request;
  const url = normalise(request.url);
  const app = createApp({ side: 'server', transport, basePath, siteUrl, filesUrl });
  try {
    const view = await app.router.resolve(url);
    const moved = findMoved(app, url);
    if (moved !== null) return { status: 301, html: '', redirect: basePath + moved };
    return { status: view.status, html: toHtml(app, view, request) };
  } catch (error) {
    if (error instanceof Redirect) return { status: error.status, html: '', redirect: basePath + error.to };
    return { status: 500, html: toHtml(app, failedView(url), request), error };
  } finally {
    app.queryClient.clear();
  }
}
