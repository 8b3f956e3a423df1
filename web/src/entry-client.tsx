import './styles/tokens.css';
import './styles/base.css';
import './ui/utilities.css';
import './lib/composition.ts';
import { DATA_ID, isAsRendered, type PageData, ROOT_ID } from './document/page-data.ts';
import { firstTouch } from './router/first-touch.ts';
import { repeatLostClicks } from './router/lost-clicks.ts';

/** An essay is counted as read after five seconds: the code that counts is there before. */
const AT_FIRST_MS = 3000;

// Pages export `load` beside their component; without this a change to one would reload the whole page.
if (import.meta.hot) {
  const scope = window as { __getReactRefreshIgnoredExports?: () => string[] };
  scope.__getReactRefreshIgnoredExports = () => ['load'];
}

function addLink(rel: string, href: string, disabled = false): void {
  const link = document.createElement('link');
  link.rel = rel;
  // Before it is in the document, where it would be fetched.
  link.toggleAttribute('disabled', disabled);
  link.href = href;
  document.head.append(link);
}

/** All files at once: the browser would find each only in the one that imports it. */
function preload({ scripts, styles }: PageData): void {
  for (const href of scripts) addLink('modulepreload', href);
  // The page's stylesheet contains these already: this keeps Vite from fetching them again with their scripts.
  for (const href of styles) addLink('stylesheet', href, true);
}

/** Visitors read a page that is complete as rendered without its code; for whoever is signed in it is another page. */
async function codeIsWanted(page: PageData): Promise<void> {
  const touched = firstTouch();
  const isSignedIn = document.documentElement.dataset.signed !== undefined;
  if (page.still === undefined || isSignedIn || !isAsRendered(page)) return;
  const late = new Promise<void>((resolve) => setTimeout(resolve, AT_FIRST_MS));
  await (page.still === 'untouched' ? touched : Promise.race([touched, late]));
}

async function start(root: HTMLElement, page: PageData): Promise<void> {
  const appStarted = repeatLostClicks();
  await codeIsWanted(page);
  preload(page);
  const { takeOver } = await import('./take-over.tsx');
  await takeOver(root, page);
  appStarted();
}

const root = document.getElementById(ROOT_ID);
const data = document.getElementById(DATA_ID)?.textContent;
// When the page's code cannot be fetched, the HTML from the server still reads.
if (root !== null && data) void start(root, JSON.parse(data) as PageData);
