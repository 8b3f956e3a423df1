import * as session from '@mozhan/client/session.ts';
import { readUser } from '@mozhan/client/session.ts';
import type { Transport } from '@mozhan/contract/client.ts';
import { hydrateRoot } from 'react-dom/client';
import { App, createApp } from './app.tsx';
import { isAtRenderedUrl, type PageData, unpackQueries } from './document/page-data.ts';
import { failedView, notFoundView, type Router, type View } from './router/navigation.ts';

/** Loads the transport on the first call, because the page already contains its data; a failed load is retried. */
function lazyTransport(load: () => Promise<Transport>): Transport {
  let fetched: Promise<Transport> | undefined;
  return async (request) => {
    fetched ??= load().catch((error: unknown) => {
      fetched = undefined;
      throw error;
    });
    return (await fetched)(request);
  };
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
  const transport = lazyTransport(async () => {
    const { createBrowserTransport } = await import('@mozhan/client/transport.ts');
    return createBrowserTransport({ basePath, session, onError });
  });
  const app = createApp({ side: 'browser', transport, basePath, siteUrl, filesUrl });
  unpackQueries(app.queryClient, queries, root);

  if (status === 404 || status === 410) app.router.setView(notFoundView(url, status));
  else if (status === 500) app.router.setView(failedView(url));
  else app.router.setView(serverRenderedView(app.router, page) ?? (await app.router.resolve(url)));
  hydrateRoot(root, <App app={app} />);
}
