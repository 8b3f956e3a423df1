/** Where one is: path below `/admin`, and search. */
export interface Place {
  path: string;
  search: URLSearchParams;
}

/** Asked before a place is left; false stays. */
type Guard = () => Promise<boolean>;

export interface Router {
  place: () => Place;
  subscribe: (listener: () => void) => () => void;
  /** The address of a path below `/admin`, for attributes. */
  href: (to: string) => string;
  /** `keep`: only what is shown of the same screen changes, nothing is left. */
  navigate: (to: string, options?: { keep?: boolean }) => Promise<void>;
  /** Keeps from leaving until the returned function is called. */
  guard: (ask: Guard) => () => void;
  start: () => void;
}

const readIndex = (): number => (history.state as { index?: number } | null)?.index ?? 0;

/** Addresses below `prefix` by the History API. */
export function createRouter(prefix: string): Router {
  const listeners = new Set<() => void>();
  const guards = new Set<Guard>();
  let current = readPlace();
  /** The place of the current entry in the tab's history, to be able to undo a step back. */
  let index = readIndex();
  /** Steps taken by ourselves, whose event is not to be asked about. */
  let ownSteps = 0;

  function readPlace(): Place {
    return {
      path: location.pathname.slice(prefix.length) || '/',
      search: new URLSearchParams(location.search),
    };
  }

  function arrive(): void {
    const before = current.path;
    current = readPlace();
    index = readIndex();
    for (const listener of listeners) listener();
    if (current.path !== before) scrollTo({ top: 0, behavior: 'instant' });
  }

  async function mayLeave(): Promise<boolean> {
    for (const ask of guards) if (!(await ask())) return false;
    return true;
  }

  async function onPopState(): Promise<void> {
    if (ownSteps > 0) {
      ownSteps -= 1;
      return;
    }
    const step = readIndex() - index;
    if (guards.size === 0 || step === 0) return arrive();
    // The address has changed already: back to where one is, and there again when it may be.
    ownSteps += 1;
    history.go(-step);
    if (!(await mayLeave())) return;
    guards.clear();
    history.go(step);
  }

  return {
    place: () => current,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    href: (to) => prefix + to,
    async navigate(to, { keep = false } = {}) {
      if (!keep && !(await mayLeave())) return;
      history.pushState({ index: index + 1 }, '', prefix + to);
      arrive();
    },
    guard(ask) {
      guards.add(ask);
      return () => guards.delete(ask);
    },
    start() {
      addEventListener('popstate', () => void onPopState());
    },
  };
}
