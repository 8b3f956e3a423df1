/** The browser's half of the router: the address bar, link clicks, the back button, and where one was in a page. */
export interface BrowserOptions {
  basePath: string;
  /** Path and search of the page that is shown. */
  current: () => string;
  knows: (url: string) => boolean;
  preload: (url: string) => void;
  /** A link was followed. */
  open: (to: string, options: { replace?: boolean }) => void;
  /** Back or forward to another page; `restore` brings its place in the page back. */
  travelled: (to: string, restore: () => void) => void;
  /** Back or forward within the page that is shown: another that was on its way is no longer wanted. */
  stayed: () => void;
}

/** Sent before the back or forward button leaves the page; whoever holds unsaved work may cancel it. */
export const TRAVEL = 'travel';

const POSITIONS = 'scroll';
const HOVER_MS = 70;

function readPositions(): Record<string, number> {
  try {
    return JSON.parse(sessionStorage.getItem(POSITIONS) ?? '{}') as Record<string, number>;
  } catch {
    return {};
  }
}

/** What the address names; a name that cannot be decoded names nothing. */
function named(fragment: string): HTMLElement | null {
  try {
    return fragment === '' ? null : document.getElementById(decodeURIComponent(fragment));
  } catch {
    return null;
  }
}

const newKey = () => Math.random().toString(36).slice(2, 10);
const stateKey = () => (history.state as { key?: string } | null)?.key;

const savesData = () => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;

export function listenToBrowser(options: BrowserOptions) {
  const { basePath, current, knows, preload } = options;
  let positions: Record<string, number> = {};
  let key = '';
  /** Until the page of this entry has arrived, one of another entry is seen and scrolled. */
  let hasArrived = true;

  const here = () => location.pathname.slice(basePath.length) + location.search;
  const remember = () => {
    if (hasArrived) positions[key] = scrollY;
  };

  function adoptEntry(): void {
    key = stateKey() ?? newKey();
    if (stateKey() === undefined) history.replaceState({ key }, '');
  }

  /** To the element named in the address, or to the top; the focus follows for screen readers. */
  function arrive(): void {
    const target = named(location.hash.slice(1));
    if (target === null) scrollTo({ top: 0, behavior: 'instant' });
    else target.scrollIntoView();
    document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true });
  }

  const returnToPlace = () => scrollTo({ top: positions[key] ?? 0, behavior: 'instant' });

  function restore(): void {
    hasArrived = true;
    returnToPlace();
    document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true });
  }

  function record(href: string, replace: boolean): void {
    remember();
    key = replace ? key : newKey();
    hasArrived = true;
    history[replace ? 'replaceState' : 'pushState']({ key }, '', href);
  }

  /** The path a link leads to inside this site, when it is ours to follow. */
  function ownLink(target: EventTarget | null): string | undefined {
    const link = target instanceof Element ? target.closest('a') : null;
    if (!(link instanceof HTMLAnchorElement) || !link.hasAttribute('href')) return undefined;
    if (link.origin !== location.origin || !link.pathname.startsWith(`${basePath}/`)) return undefined;
    if ((link.target !== '' && link.target !== '_self') || link.hasAttribute('download')) return undefined;
    const url = link.pathname.slice(basePath.length) + link.search;
    return knows(url) ? url + link.hash : undefined;
  }

  function onClick(event: MouseEvent): void {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const to = ownLink(event.target);
    // A jump inside the page is the browser's own work.
    if (to === undefined || (to.includes('#') && to.replace(/#.*/, '') === here())) return;
    event.preventDefault();
    options.open(to, {});
  }

  let hovered: ReturnType<typeof setTimeout> | undefined;
  function onPoint(event: Event): void {
    clearTimeout(hovered);
    const url = ownLink(event.target)?.replace(/#.*/, '');
    if (url === undefined || url === current() || savesData()) return;
    hovered = setTimeout(() => preload(url), event.type === 'pointerover' ? HOVER_MS : 0);
  }

  function onPopState(): void {
    const to = here();
    const staysHere = to === current();
    if (!staysHere && !dispatchEvent(new Event(TRAVEL, { cancelable: true }))) return;
    remember();
    const isNew = stateKey() === undefined;
    adoptEntry();
    hasArrived = staysHere;
    if (staysHere) {
      options.stayed();
      if (!isNew) returnToPlace();
    } else options.travelled(to, restore);
  }

  function onPageHide(): void {
    remember();
    // While the page is away the browser restores by itself, even before any script has run.
    history.scrollRestoration = 'auto';
    try {
      sessionStorage.setItem(POSITIONS, JSON.stringify(positions));
    } catch {
      // Full or blocked: a reload then starts at the top.
    }
  }

  const onPageShow = () => {
    history.scrollRestoration = 'manual';
  };

  return {
    here,
    arrive,
    record,
    start(): () => void {
      positions = readPositions();
      adoptEntry();
      onPageShow();
      const stop = new AbortController();
      const { signal } = stop;
      addEventListener('popstate', onPopState, { signal });
      addEventListener('pagehide', onPageHide, { signal });
      addEventListener('pageshow', onPageShow, { signal });
      document.addEventListener('click', onClick, { signal });
      for (const type of ['pointerover', 'touchstart', 'focusin'] as const)
        document.addEventListener(type, onPoint, { signal, passive: true });
      return () => stop.abort();
    },
  };
}
