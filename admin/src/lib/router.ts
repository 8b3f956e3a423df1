/** Path below `/admin`, and query. */
export interface RouteLocation {
  path: string;
  search: URLSearchParams;
}

type Guard = () => Promise<boolean>;

export interface Router {
  location: () => RouteLocation;
  subscribe: (listener: () => void) => () => void;
  href: (to: string) => string;
  /** `sameScreen` skips the guards, because the screen stays open; `replace` adds no history entry. */
  navigate: (to: string, options?: { sameScreen?: boolean; replace?: boolean }) => Promise<void>;
  /** Adds a guard; returns a function that removes it. */
  guard: (ask: Guard) => () => void;
  start: () => void;
}

const readIndex = () => (history.state as { index?: number } | null)?.index;
const withoutHash = (address: string) => address.replace(/#.*/, '');

/** Router for URLs below `prefix`, based on the History API. */
export function createRouter(prefix: string): Router {
  const listeners = new Set<() => void>();
  const guards = new Set<Guard>();
  let current = readLocation();
  let address = location.href;
  /** Index of the current entry in the tab's history, needed to undo Back and Forward. */
  let index = readIndex() ?? 0;
  let isConfirming = false;
  /** Called when a `history.go` of this router has finished, for which no guard is asked. */
  let onHistoryMoved: (() => void) | undefined;

  function readLocation(): RouteLocation {
    return {
      path: location.pathname.slice(prefix.length) || '/',
      search: new URLSearchParams(location.search),
    };
  }

  /** A jump to an anchor creates an entry without an index, or removes the index of the current entry. */
  function ensureEntryIndex(): void {
    if (readIndex() !== undefined) return;
    if (location.href !== address) index += 1;
    history.replaceState({ index }, '');
  }

  function applyLocation(): void {
    const before = current.path;
    current = readLocation();
    address = location.href;
    index = readIndex() ?? 0;
    for (const listener of listeners) listener();
    if (current.path !== before) scrollTo({ top: 0, behavior: 'instant' });
  }

  async function mayLeave(): Promise<boolean> {
    if (isConfirming) return false;
    isConfirming = true;
    try {
      for (const ask of guards) if (!(await ask())) return false;
      return true;
    } finally {
      isConfirming = false;
    }
  }

  /** Must be awaited: a `history.go` during another one may cancel it. */
  const moveHistory = (steps: number) =>
    new Promise<void>((resolve) => {
      onHistoryMoved = resolve;
      history.go(steps);
    });

  async function onPopState(): Promise<void> {
    if (onHistoryMoved !== undefined) {
      onHistoryMoved();
      onHistoryMoved = undefined;
      return;
    }
    ensureEntryIndex();
    const steps = (readIndex() ?? 0) - index;
    const isSamePage = withoutHash(location.href) === withoutHash(address);
    if (guards.size === 0 || steps === 0 || isSamePage) return applyLocation();
    // The URL has already changed: go back, ask the guards, and go there again if they agree.
    await moveHistory(-steps);
    if (!(await mayLeave())) return;
    await moveHistory(steps);
    applyLocation();
  }

  return {
    location: () => current,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    href: (to) => prefix + to,
    async navigate(to, { sameScreen = false, replace = false } = {}) {
      if (!sameScreen && !(await mayLeave())) return;
      // Like a link to the current URL, this adds no history entry.
      const isHere = new URL(prefix + to, location.href).href === location.href;
      if (replace || isHere) history.replaceState({ index }, '', prefix + to);
      else history.pushState({ index: index + 1 }, '', prefix + to);
      applyLocation();
    },
    guard(ask) {
      guards.add(ask);
      return () => guards.delete(ask);
    },
    start() {
      ensureEntryIndex();
      addEventListener('popstate', () => void onPopState());
    },
  };
}
