import './styles/tokens.css';
import './styles/base.css';
import { hydrate } from '@tanstack/react-query';
import { hydrateRoot } from 'react-dom/client';
import { App, createApp } from './app.tsx';
import { failedView, missingView } from './lib/navigation.ts';
import { createBrowserTransport } from './lib/request.ts';
import * as session from './lib/session.ts';
import { DATA_ID, type PageData, ROOT_ID } from './page-data.ts';

// Pages export `load` beside their component; without this a change to one would reload the whole page.
if (import.meta.hot) {
  const scope = window as { __getReactRefreshIgnoredExports?: () => string[] };
  scope.__getReactRefreshIgnoredExports = () => ['load'];
}

async function takeOver(
  root: HTMLElement,
  { url, status, basePath, siteUrl, state }: PageData,
): Promise<void> {
  const transport = createBrowserTransport(basePath, session);
  const app = createApp({ side: 'browser', transport, basePath, siteUrl });
  // The page may come from a cache. It counts as fresh now, or every view would ask for everything again.
  for (const query of state.queries) query.state.dataUpdatedAt = Date.now();
  hydrate(app.queryClient, state);

  if (status === 404) app.router.show(missingView(url));
  else if (status === 500) app.router.show(failedView(url));
  else app.router.show(await app.router.resolve(url));
  hydrateRoot(root, <App app={app} />);
}

const root = document.getElementById(ROOT_ID);
const data = document.getElementById(DATA_ID)?.textContent;
// When the page's code cannot be fetched, the HTML from the server still reads.
if (root !== null && data) void takeOver(root, JSON.parse(data) as PageData);
