/** Connects the router to the browser: URL, link clicks, back and forward, and scroll positions. */
export interface BrowserHistoryOptions {
  basePath: string;
  /** Path and search of the displayed page. */
  current: () => string;
  hasRoute: (url: string) => boolean;
  preload: (url: string) => void;
  /** An internal link was clicked. */
  onLink: (to: string, options: { replace?: boolean }) => void;
  /** Back or forward to another page; `restore` restores its scroll position. */
  onTraverse: (to: string, restore: () => void) => void;
  /** Back or forward within the displayed page: a pending navigation is cancelled. */
  onTraverseWithinPage: () => void;
}

/** Cancelable event, dispatched before back or forward leaves the page, so that unsaved work can block it. */
export const BEFORE_TRAVERSE = 'travel';

const SCROLL_KEY = 'scroll';
const HOVER_MS = 70;

function readPositions(): Record<string, number> {
  try {
    return JSON.parse(sessionStorage.getItem(SCROLL_KEY) ?? '{}') as Record<string, number>;
  } catch {
    return {};
  }
}

/** The element that the URL fragment names; null when the fragment cannot be decoded. */
function findFragmentTarget(fragment: string): HTMLElement | null {
  try {
    return fragment === '' ? null : document.getElementById(decodeURIComponent(fragment));
  } catch {
    return null;
  }
}

const newKey = () => Math.random().toString(36).slice(2, 10);
const stateKey = () => (history.state as { key?: string } | null)?.key;

const isSaveDataOn = () =>
  (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;

export function createBrowserHistory(options: BrowserHistoryOptions) {
  const { basePath, current, hasRoute, preload } = options;
  let positions: Record<string, number> = {};
  let key = '';
  /** False while the page of the current entry is loading: the scroll position then belongs to another entry. */
  let isPageShown = true;

  const currentUrl = () => location.pathname.slice(basePath.length) + location.search;
  const saveScrollPosition = () => {
    if (isPageShown) positions[key] = scrollY;
  };

  function ensureEntryKey(): void {
    key = stateKey() ?? newKey();
    if (stateKey() === undefined) history.replaceState({ key }, '');
  }

  /** Scrolls to the fragment's target or to the top, and moves the focus for screen readers. */
  function scrollToTarget(): void {
    const target = findFragmentTarget(location.hash.slice(1));
    if (target === null) scrollTo({ top: 0, behavior: 'instant' });
    else target.scrollIntoView();
    document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true });
  }

  const restoreScroll = () => scrollTo({ top: positions[key] ?? 0, behavior: 'instant' });

  function restore(): void {
    isPageShown = true;
    restoreScroll();
    document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true });
  }

  function recordEntry(href: string, replace: boolean): void {
    saveScrollPosition();
    key = replace ? key : newKey();
    isPageShown = true;
    history[replace ? 'replaceState' : 'pushState']({ key }, '', href);
  }

  /** The URL of a link that the router handles, without the base path. */
  function internalLinkUrl(target: EventTarget | null): string | undefined {
    const link = target instanceof Element ? target.closest('a') : null;
    if (!(link instanceof HTMLAnchorElement) || !link.hasAttribute('href')) return undefined;
    if (link.origin !== location.origin || !link.pathname.startsWith(`${basePath}/`)) return undefined;
    if ((link.target !== '' && link.target !== '_self') || link.hasAttribute('download')) return undefined;
    const url = link.pathname.slice(basePath.length) + link.search;
    return hasRoute(url) ? url + link.hash : undefined;
  }

  function onClick(event: MouseEvent): void {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const to = internalLinkUrl(event.target);
    // The browser handles fragments of the current page.
    if (to === undefined || (to.includes('#') && to.replace(/#.*/, '') === currentUrl())) return;
    event.preventDefault();
    options.onLink(to, {});
  }

  let preloadTimer: ReturnType<typeof setTimeout> | undefined;
  function onLinkHint(event: Event): void {
    clearTimeout(preloadTimer);
    const url = internalLinkUrl(event.target)?.replace(/#.*/, '');
    if (url === undefined || url === current() || isSaveDataOn()) return;
    preloadTimer = setTimeout(() => preload(url), event.type === 'pointerover' ? HOVER_MS : 0);
  }

  function onPopState(): void {
    const to = currentUrl();
    const isSamePage = to === current();
    if (!isSamePage && !dispatchEvent(new Event(BEFORE_TRAVERSE, { cancelable: true }))) return;
    saveScrollPosition();
    const isNew = stateKey() === undefined;
    ensureEntryKey();
    isPageShown = isSamePage;
    if (isSamePage) {
      options.onTraverseWithinPage();
      if (!isNew) restoreScroll();
    } else options.onTraverse(to, restore);
  }

  function onPageHide(): void {
    saveScrollPosition();
    // When the page is loaded again, the browser restores the position even before any script runs.
    history.scrollRestoration = 'auto';
    try {
      sessionStorage.setItem(SCROLL_KEY, JSON.stringify(positions));
    } catch {
      // The storage is full or blocked: after a reload the page starts at the top.
    }
  }

  const onPageShow = () => {
    history.scrollRestoration = 'manual';
  };

  return {
    currentUrl,
    scrollToTarget,
    recordEntry,
    start(): () => void {
      positions = readPositions();
      ensureEntryKey();
      onPageShow();
      const stop = new AbortController();
      const { signal } = stop;
      addEventListener('popstate', onPopState, { signal });
      addEventListener('pagehide', onPageHide, { signal });
      addEventListener('pageshow', onPageShow, { signal });
      document.addEventListener('click', onClick, { signal });
      for (const type of ['pointerover', 'touchstart', 'focusin'] as const)
        document.addEventListener(type, onLinkHint, { signal, passive: true });
      return () => stop.abort();
    },
  };
}
