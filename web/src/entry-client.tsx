import './styles/tokens.css';
import './styles/base.css';
import './ui/utilities.css';
import * as session from '@mozhan/client/session.ts';
import { readUser } from '@mozhan/client/session.ts';
import type { Transport } from '@mozhan/contract/client.ts';
import { hydrateRoot } from 'react-dom/client';
import { App, type AppParts, createApp } from './app.tsx';
import { DATA_ID, type PageData, ROOT_ID, unpackQueries } from './document/page-data.ts';
import { siteQuery } from './lib/queries.ts';
import { firstTouch } from './router/first-touch.ts';
import { repeatLostClicks } from './router/lost-clicks.ts';
import { failedView, missingView, type View } from './router/navigation.ts';

// Pages export `load` beside their component; without this a change to one would reload the whole page.
if (import.meta.hot) {
  const scope = window as { __getReactRefreshIgnoredExports?: () => string[] };
  scope.__getReactRefreshIgnoredExports = () => ['load'];
}

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
 * The page as the server rendered it, where that is enough. Whoever is signed in sees more, other parameters may say
 * so too, and offline support has to keep a page's code.
 */
function adopted({ router, queryClient, context }: AppParts, url: string): View | undefined {
  const isAsRendered = location.pathname.slice(router.basePath.length) + location.search === url;
  const isOffline = queryClient.getQueryData(siteQuery(context.api).queryKey)?.settings.pwa === true;
  return isAsRendered && !isOffline && readUser() === null ? router.adopt(url) : undefined;
}

async function takeOver(
  root: HTMLElement,
  { url, status, basePath, siteUrl, filesUrl, queries }: PageData,
): Promise<void> {
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
  else app.router.show(adopted(app, url) ?? (await app.router.resolve(url)));
  hydrateRoot(root, <App app={app} />);
}

void firstTouch();
repeatLostClicks();
const root = document.getElementById(ROOT_ID);
const data = document.getElementById(DATA_ID)?.textContent;
// When the page's code cannot be fetched, the HTML from the server still reads.
if (root !== null && data) void takeOver(root, JSON.parse(data) as PageData);
