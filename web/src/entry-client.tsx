import './styles/tokens.css';
import './styles/base.css';
import './ui/utilities.css';
import './lib/composition.ts';
import { isAtRenderedUrl, PAGE_DATA_ID, type PageData, ROOT_ID } from './document/page-data.ts';
import { firstInteraction } from './router/first-interaction.ts';
import { replayInput } from './router/replay-input.ts';

/** Reads are counted after five seconds, so the code that counts them must be loaded before that. */
const CODE_DELAY_MS = 3000;

// Pages export `load` next to their component; without this, hot reload would reload the entire page.
if (import.meta.hot) {
  const scope = window as { __getReactRefreshIgnoredExports?: () => string[] };
  scope.__getReactRefreshIgnoredExports = () => ['load'];
}

function addLink(rel: string, href: string, disabled = false): void {
  const link = document.createElement('link');
  link.rel = rel;
  // Set before the link is in the document, where it would be fetched.
  link.toggleAttribute('disabled', disabled);
  link.href = href;
  document.head.append(link);
}

/** Preloads all files in parallel; the browser would discover each only after parsing its importer. */
function preload({ scripts, styles }: PageData): void {
  for (const href of scripts) addLink('modulepreload', href);
  // The merged page stylesheet contains these rules; the disabled links keep Vite from fetching them with their scripts.
  for (const href of styles) addLink('stylesheet', href, true);
}

const isSignedIn = () => document.documentElement.dataset.signed !== undefined;

/** A static page is complete without its code for visitors; signed-in readers see other content and need it at once. */
async function waitUntilCodeNeeded(page: PageData): Promise<void> {
  const touched = firstInteraction();
  if (page.still === undefined || isSignedIn() || !isAtRenderedUrl(page)) return;
  const delay = new Promise<void>((resolve) => setTimeout(resolve, CODE_DELAY_MS));
  await (page.still === 'untouched' ? touched : Promise.race([touched, delay]));
}

async function start(root: HTMLElement, page: PageData): Promise<void> {
  const { hasEarlyInput, onAppStarted } = replayInput();
  if (!hasEarlyInput) await waitUntilCodeNeeded(page);
  preload(page);
  // Beside the application, which waits for it.
  if (isSignedIn()) import('./features/site/member-parts.ts').catch(() => {});
  const { hydrate } = await import('./hydrate.tsx');
  await hydrate(root, page);
  onAppStarted();
}

// The site can be used without the shortcuts.
addEventListener(
  'keydown',
  (event) =>
    void import('./shortcuts.ts').then(
      ({ startShortcuts }) => startShortcuts(event),
      () => {},
    ),
  { once: true },
);
const root = document.getElementById(ROOT_ID);
const data = document.getElementById(PAGE_DATA_ID)?.textContent;
// If the code cannot be fetched, the server's HTML remains readable.
if (root !== null && data) void start(root, JSON.parse(data) as PageData);
