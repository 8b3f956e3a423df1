import { renderToString } from 'react-dom/server';
import type { Transport } from '#contract/client.ts';
import { App, type AppParts, createApp } from './app.tsx';
import type { Assets } from './assets.ts';
import { toDocument } from './document.ts';
import { failedView, Redirect, type View } from './lib/navigation.ts';
import { siteQuery } from './lib/queries.ts';
import { type PageData, packQueries } from './page-data.ts';
import { match, type Path } from './routes.ts';
import { searchRules } from './search-rules.ts';

export { toServiceWorker } from './offline-page.tsx';

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

function toHtml(app: AppParts, view: View, { assets, basePath, siteUrl }: RenderRequest): string {
  app.router.show(view);
  const text = renderToString(
    <div id="root">
      <App app={app} />
    </div>,
  );
  // React puts titles, metas and links before everything else when it renders less than a document.
  const start = text.indexOf(ROOT);
  const data: PageData = {
    url: view.url,
    status: view.status,
    basePath,
    siteUrl,
    queries: packQueries(app.queryClient),
  };
  const site = app.queryClient.getQueryData(siteQuery(app.context.api).queryKey);
  const { css, preload, ...scripts } = assets(view.file);
  return toDocument({
    assets: { ...scripts, css, preload: view.still ? assets().preload : preload },
    site: site && { settings: site.settings, basePath },
    head: text.slice(0, start),
    body: text.slice(start),
    data,
  });
}

export async function render(request: RenderRequest): Promise<Rendered> {
  const { transport, basePath, siteUrl } = request;
  const url = normalise(request.url);
  const app = createApp({ side: 'server', transport, basePath, siteUrl });
  try {
    const view = await app.router.resolve(url);
    return { status: view.status, html: toHtml(app, view, request) };
  } catch (error) {
    if (error instanceof Redirect) return { status: error.status, html: '', redirect: basePath + error.to };
    return { status: 500, html: toHtml(app, failedView(url), request), error };
  } finally {
    app.queryClient.clear();
  }
}
