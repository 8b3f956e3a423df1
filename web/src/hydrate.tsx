import * as session from '@mozhan/client/session.ts';
import { readUser } from '@mozhan/client/session.ts';
import type { Transport } from '@mozhan/contract/client.ts';
import { hydrateRoot } from 'react-dom/client';
import { App, createApp } from './app.tsx';
import { isAtRenderedUrl, type PageData, unpackQueries } from './document/page-data.ts';
import { preloadMemberParts } from './features/site/lazy-member-parts.ts';
import { failedView, notFoundView, type Router, type View } from './router/navigation.ts';

/** Loads the transport on the first call, because the page already contains its data; a failed load is retried. */
function lazyTransport(load: () => Promise<Transport>) {
  let fetched: Promise<Transport> | undefined;
  const fetchOnce = () => {
    fetched ??= load().catch((error: unknown) => {
      fetched = undefined;
      throw error;
    });
    return fetched;
  };
  const transport: Transport = async (request) => (await fetchOnce())(request);
  return { transport, preload: () => fetchOnce().then(undefined, () => {}) };
}

/**
 * The view of a static page without its code. Undefined when the URL has parameters that the server did not render, or
 * when the reader is signed in and sees more.
 */
const serverRenderedView = (router: Router, page: PageData): View | undefined =>
  page.still !== undefined && isAtRenderedUrl(page) && readUser() === null
    ? router.createStaticView(page.url)
    : undefined;

export async function hydrate(root: HTMLElement, page: PageData): Promise<void> {
  const { url, status, basePath, siteUrl, filesUrl, queries } = page;
  // Imported on demand, because most page views have no error.
  const onError = (error: unknown) =>
    void import('./report-error.ts').then(({ reportError }) => reportError(error, app.router));
  const { transport, preload: preloadTransport } = lazyTransport(async () => {
    const { createBrowserTransport } = await import('@mozhan/client/transport.ts');
    return createBrowserTransport({ basePath, session, onError });
  });
  const app = createApp({ side: 'browser', transport, basePath, siteUrl, filesUrl });
  unpackQueries(app.queryClient, queries, root);

  // What every page of a signed-in reader needs is loaded beside the page's own code.
  const memberParts = readUser() === null ? [] : [preloadMemberParts(), preloadTransport()];
  if (status === 404 || status === 410) app.router.setView(notFoundView(url, status));
  else if (status === 500) app.router.setView(failedView(url));
  else app.router.setView(serverRenderedView(app.router, page) ?? (await app.router.resolve(url)));
  await Promise.all(memberParts);
  hydrateRoot(root, <App app={app} />);
}
