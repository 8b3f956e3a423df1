import * as session from '@mozhan/client/session.ts';
import { readUser } from '@mozhan/client/session.ts';
import type { Transport } from '@mozhan/contract/client.ts';
import { hydrateRoot } from 'react-dom/client';
import { App, createApp } from './app.tsx';
import { isAsRendered, type PageData, unpackQueries } from './document/page-data.ts';
import { failedView, missingView, type Router, type View } from './router/navigation.ts';

/** A page comes with its data: what makes calls is fetched with the first of them, and again if that failed. */
function fetchedTransport(load: () => Promise<Transport>): Transport {
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
 * The page as the server rendered it, where that is enough: whoever is signed in sees more, and other parameters may
 * ask for it too.
 */
const adopted = (router: Router, page: PageData): View | undefined =>
  page.still !== undefined && isAsRendered(page) && readUser() === null ? router.adopt(page.url) : undefined;

export async function takeOver(root: HTMLElement, page: PageData): Promise<void> {
  const { url, status, basePath, siteUrl, filesUrl, queries } = page;
  // Its code is fetched when something has gone wrong, and not before.
  const onError = (error: unknown) =>
    void import('./report.ts').then(({ report }) => report(error, app.router));
  const transport = fetchedTransport(async () => {
    const { createBrowserTransport } = await import('@mozhan/client/transport.ts');
    return createBrowserTransport({ basePath, session, onError });
  });
  const app = createApp({ side: 'browser', transport, basePath, siteUrl, filesUrl });
  unpackQueries(app.queryClient, queries, root);

  if (status === 404 || status === 410) app.router.show(missingView(url, status));
  else if (status === 500) app.router.show(failedView(url));
  else app.router.show(adopted(app.router, page) ?? (await app.router.resolve(url)));
  hydrateRoot(root, <App app={app} />);
}
