import type { Site } from '@mozhan/contract/site.ts';
import type { ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import { App, type AppParts } from '../app.tsx';
import { RegisterFragmentContext } from '../lib/cached-fragment.ts';
import { siteQuery } from '../lib/queries.ts';

/** Total length of keys and HTML, in characters. */
const MAX_SIZE = 2 * 1024 * 1024;

/** Random, so that no user content can contain a placeholder. */
const PLACEHOLDER = crypto.randomUUID();

/** React emits image preload links first, but they are only valid in the document head. */
const PRELOAD_LINKS = /^(?:<link rel="preload" as="image"[^>]*>)+/;

/** HTML by fragment key, least recently used first. */
const cache = new Map<string, string>();
let cacheSize = 0;
let cachedFor: { site?: Site | undefined; serialized: string } = { serialized: '' };

/** Clears the cache when the site settings or base URLs change, because every fragment may depend on them. */
function clearIfSiteChanged({ context, queryClient }: AppParts): void {
  const site = queryClient.getQueryData(siteQuery(context.api).queryKey);
  if (site === cachedFor.site) return;
  const { basePath, siteUrl, filesUrl } = context;
  const serialized = JSON.stringify([site, basePath, siteUrl, filesUrl]);
  if (serialized !== cachedFor.serialized) {
    cache.clear();
    cacheSize = 0;
  }
  cachedFor = { site, serialized };
}

function addToCache(key: string, html: string): void {
  cache.set(key, html);
  cacheSize += key.length + html.length;
  for (const [oldest, { length }] of cache) {
    if (cacheSize <= MAX_SIZE) break;
    cache.delete(oldest);
    cacheSize -= oldest.length + length;
  }
}

/** `renderToString` with a cache: each `CachedFragment` is rendered separately and reused. */
export function renderWithFragments(app: AppParts, element: ReactNode): string {
  clearIfSiteChanged(app);
  const { layout } = app.router.view();
  return render(element);

  function render(element: ReactNode): string {
    const fragments: { key: string; fragment: ReactNode }[] = [];
    const register = (key: string, fragment: ReactNode) =>
      `${PLACEHOLDER}${fragments.push({ key: layout + key, fragment }) - 1};`;
    const [start = '', ...rest] = renderToString(
      <RegisterFragmentContext value={register}>{element}</RegisterFragmentContext>,
    ).split(PLACEHOLDER);
    const filled = rest.map((piece) => {
      const end = piece.indexOf(';');
      const { key, fragment } = fragments[Number(piece.slice(0, end))] as (typeof fragments)[number];
      return getHtml(key, fragment) + piece.slice(end + 1);
    });
    return start + filled.join('');
  }

  function getHtml(key: string, fragment: ReactNode): string {
    const cached = cache.get(key);
    if (cached !== undefined) {
      cache.delete(key);
      cache.set(key, cached);
      return cached;
    }
    const html = render(<App app={app}>{fragment}</App>).replace(PRELOAD_LINKS, '');
    addToCache(key, html);
    return html;
  }
}
