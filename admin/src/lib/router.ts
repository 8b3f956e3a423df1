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
  /** `keep`: only what is shown of the same screen changes, nothing is left; `replace`: without a step to go back. */
  navigate: (to: string, options?: { keep?: boolean; replace?: boolean }) => Promise<void>;
  /** Keeps from leaving until the returned function is called. */
  guard: (ask: Guard) => () => void;
  start: () => void;
}

const readIndex = () => (history.state as { index?: number } | null)?.index;
const withoutHash = (address: string) => address.replace(/#.*/, '');

/** Addresses below `prefix` by the History API. */
export function createRouter(prefix: string): Router {
  const listeners = new Set<() => void>();
  const guards = new Set<Guard>();
  let current = readPlace();
  let address = location.href;
  /** The place of the current entry in the tab's history, to be able to undo a step back. */
  let index = readIndex() ?? 0;
  let isAsking = false;
  /** Called when the history has taken a step of our own, which nobody is asked about. */
  let onOwnStep: (() => void) | undefined;

  function readPlace(): Place {
    return {
      path: location.pathname.slice(prefix.length) || '/',
      search: new URLSearchParams(location.search),
    };
  }

  /** A jump inside the screen makes an entry without an index, or takes the index away from the one that is there. */
  function adoptEntry(): void {
    if (readIndex() !== undefined) return;
    if (location.href !== address) index += 1;
    history.replaceState({ index }, '');
  }

  function arrive(): void {
    const before = current.path;
    current = readPlace();
    address = location.href;
    index = readIndex() ?? 0;
    for (const listener of listeners) listener();
    if (current.path !== before) scrollTo({ top: 0, behavior: 'instant' });
  }

  async function mayLeave(): Promise<boolean> {
    if (isAsking) return false;
    isAsking = true;
    try {
      for (const ask of guards) if (!(await ask())) return false;
      return true;
    } finally {
      isAsking = false;
    }
  }

  /** One after the other: a step that is asked for while another is under way may cancel it. */
  const takeSteps = (steps: number) =>
    new Promise<void>((resolve) => {
      onOwnStep = resolve;
      history.go(steps);
    });

  async function onPopState(): Promise<void> {
    if (onOwnStep !== undefined) {
      onOwnStep();
      onOwnStep = undefined;
      return;
    }
    adoptEntry();
    const steps = (readIndex() ?? 0) - index;
    const staysHere = withoutHash(location.href) === withoutHash(address);
    if (guards.size === 0 || steps === 0 || staysHere) return arrive();
    // The address has changed already: back to where one is, and there again when it may be.
    await takeSteps(-steps);
    if (!(await mayLeave())) return;
    await takeSteps(steps);
    arrive();
  }

  return {
    place: () => current,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    href: (to) => prefix + to,
    async navigate(to, { keep = false, replace = false } = {}) {
      if (!keep && !(await mayLeave())) return;
      // As links do: the address one is at makes no second step to go back.
      const isHere = new URL(prefix + to, location.href).href === location.href;
      if (replace || isHere) history.replaceState({ index }, '', prefix + to);
      else history.pushState({ index: index + 1 }, '', prefix + to);
      arrive();
    },
    guard(ask) {
      guards.add(ask);
      return () => guards.delete(ask);
    },
    start() {
      adoptEntry();
      addEventListener('popstate', () => void onPopState());
    },
  };
}
