import './styles/tokens.css';
import './styles/base.css';
import { hydrateRoot } from 'react-dom/client';
import { App, createApp } from './app.tsx';
import { failedView, missingView } from './lib/navigation.ts';
import { createBrowserTransport } from './lib/request.ts';
import * as session from './lib/session.ts';
import { DATA_ID, type PageData, ROOT_ID, unpackQueries } from './page-data.ts';

// Pages export `load` beside their component; without this a change to one would reload the whole page.
if (import.meta.hot) {
  const scope = window as { __getReactRefreshIgnoredExports?: () => string[] };
  scope.__getReactRefreshIgnoredExports = () => ['load'];
}

async function takeOver(
  root: HTMLElement,
  { url, status, basePath, siteUrl, queries }: PageData,
): Promise<void> {
  const transport = createBrowserTransport(basePath, session);
  const app = createApp({ side: 'browser', transport, basePath, siteUrl });
  unpackQueries(app.queryClient, queries);

  if (status === 404) app.router.show(missingView(url));
  else if (status === 500) app.router.show(failedView(url));
  else app.router.show(await app.router.resolve(url));
  hydrateRoot(root, <App app={app} />);
}

const root = document.getElementById(ROOT_ID);
const data = document.getElementById(DATA_ID)?.textContent;
// When the page's code cannot be fetched, the HTML from the server still reads.
if (root !== null && data) void takeOver(root, JSON.parse(data) as PageData);
