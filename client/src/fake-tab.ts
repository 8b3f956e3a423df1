/** A fake browser tab for tests of the routers of both apps. */

interface Entry {
  url: URL;
  state: unknown;
}

interface LinkOptions {
  target?: string;
  download?: boolean;
  /** Puts the pointer on an element inside the link. */
  child?: boolean;
}

interface ClickOptions {
  button?: number;
  metaKey?: boolean;
  ctrlKey?: boolean;
  shiftKey?: boolean;
  altKey?: boolean;
  /** The link has already handled the click. */
  prevented?: boolean;
}

class FakeElement {
  readonly parent: FakeElement | undefined;
  constructor(parent?: FakeElement) {
    this.parent = parent;
  }
  closest(): FakeElement | null {
    return this.parent?.closest() ?? null;
  }
}

/** A link in an SVG, which has no pathname, search or hash. */
class FakeSvgLink extends FakeElement {
  override closest(): FakeElement {
    return this;
  }
}

class FakeAnchor extends FakeElement {
  readonly url: URL | undefined;
  readonly target: string;
  readonly isDownload: boolean;
  constructor(url: URL | undefined, { target = '', download = false }: LinkOptions) {
    super();
    this.url = url;
    this.target = target;
    this.isDownload = download;
  }
  get origin() {
    return this.url?.origin ?? '';
  }
  get pathname() {
    return this.url?.pathname ?? '';
  }
  get search() {
    return this.url?.search ?? '';
  }
  get hash() {
    return this.url?.hash ?? '';
  }
  hasAttribute(name: string): boolean {
    return name === 'href' ? this.url !== undefined : name === 'download' && this.isDownload;
  }
  override closest(): FakeElement {
    return this;
  }
}

const nextTask = () => new Promise((resolve) => setImmediate(resolve));

/** Replaces the globals by fakes until it is closed. */
export function openFakeTab(address: string) {
  const entries: Entry[] = [{ url: new URL(address), state: null }];
  let index = 0;
  /** The index to which the history is navigating. */
  let destination: number | undefined;
  let scrollY = 0;
  let focused: string | undefined;
  const names = new Map<string, number>();
  const stored = new Map<string, string>();
  const leftUrls: string[] = [];
  let headElements = 0;

  const page = new EventTarget();
  const body = new EventTarget();
  const tab = new EventTarget();
  const current = () => entries[index] as Entry;
  const urlOf = (href: string) => new URL(href, current().url);

  function arriveAt(state: unknown): void {
    tab.dispatchEvent(Object.assign(new Event('popstate'), { state }));
  }

  const history = {
    scrollRestoration: 'auto',
    get state() {
      return current().state;
    },
    get length() {
      return entries.length;
    },
    pushState(state: unknown, _title: string, href: string) {
      entries.splice(index + 1, entries.length, { url: urlOf(href), state });
      index += 1;
    },
    replaceState(state: unknown, _title: string, href = current().url.href) {
      entries[index] = { url: urlOf(href), state };
    },
    /** A call during a pending navigation replaces it and counts from its destination. */
    go(delta: number) {
      const target = (destination ?? index) + delta;
      destination = target in entries ? target : undefined;
    },
    back: () => history.go(-1),
    forward: () => history.go(1),
  };

  const location = {
    get href() {
      return current().url.href;
    },
    get origin() {
      return current().url.origin;
    },
    get pathname() {
      return current().url.pathname;
    },
    get search() {
      return current().url.search;
    },
    get hash() {
      return current().url.hash;
    },
    assign: (href: string) => void leftUrls.push(href),
    replace: (href: string) => void leftUrls.push(href),
  };

  const named = (id: string) => ({
    scrollIntoView() {
      scrollY = names.get(id) ?? 0;
    },
  });
  const inHead = {
    remove() {
      headElements -= 1;
    },
  };
  const document = Object.assign(page, {
    body,
    head: { querySelectorAll: () => Array.from({ length: headElements }, () => inHead) },
    getElementById: (id: string) => (names.has(id) ? named(id) : null),
    querySelector: (selector: string) => ({
      focus() {
        focused = selector;
      },
    }),
  });

  const sessionStorage = {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => void stored.set(name, value),
  };

  const globals: PropertyDescriptorMap = {
    Element: { value: FakeElement },
    HTMLAnchorElement: { value: FakeAnchor },
    document: { value: document },
    history: { value: history },
    location: { value: location },
    sessionStorage: { value: sessionStorage, writable: true },
    navigator: { value: { connection: { saveData: false } } },
    scrollY: { get: () => scrollY },
    scrollTo: {
      value: ({ top }: { top: number }) => {
        scrollY = top;
      },
    },
    addEventListener: { value: tab.addEventListener.bind(tab) },
    removeEventListener: { value: tab.removeEventListener.bind(tab) },
    dispatchEvent: { value: tab.dispatchEvent.bind(tab) },
  };
  const replaced = Object.entries(globals).map(([name, descriptor]) => {
    const before = Object.getOwnPropertyDescriptor(globalThis, name);
    Object.defineProperty(globalThis, name, { ...descriptor, configurable: true });
    return { name, before };
  });

  async function waitForNavigation(): Promise<void> {
    await nextTask();
    while (destination !== undefined) {
      const isElsewhere = destination !== index;
      index = destination;
      destination = undefined;
      if (isElsewhere) arriveAt(current().state);
      await nextTask();
    }
  }

  /** Returns true when nobody prevented the default action. */
  function pass(event: Event, target: unknown): boolean {
    Object.defineProperty(event, 'target', { value: target });
    for (const receiver of [body, page, tab]) receiver.dispatchEvent(event);
    return !event.defaultPrevented;
  }

  const linkTo = (href: string | undefined, options: LinkOptions = {}): FakeElement => {
    const link = new FakeAnchor(href === undefined ? undefined : urlOf(href), options);
    return options.child ? new FakeElement(link) : link;
  };

  return {
    linkTo,
    svgLink: () => new FakeSvgLink(),
    /** URLs for which the browser left the document. */
    leftUrls,
    stored,
    waitForNavigation,
    currentPath: () => current().url.href.slice(current().url.origin.length),
    urls: () => entries.map(({ url }) => url.href.slice(url.origin.length)),
    state: () => current().state,
    scrollY: () => scrollY,
    scroll: (to: number) => {
      scrollY = to;
    },
    /** Adds an element with an id at this offset from the top of the page. */
    addElement: (id: string, top: number) => void names.set(id, top),
    focused: () => focused,
    /** Sets how many elements the server rendered into the head. */
    fillHead: (count: number) => {
      headElements = count;
    },
    headElements: () => headElements,
    /** Returns false when the click was handled by the router. */
    click(target: object, { button = 0, prevented = false, ...keys }: ClickOptions = {}): boolean {
      const event = Object.assign(new Event('click', { cancelable: true }), {
        button,
        ...{ metaKey: false, ctrlKey: false, shiftKey: false, altKey: false },
        ...keys,
      });
      if (prevented) event.preventDefault();
      return pass(event, target);
    },
    dispatchOn: (type: string, target: object) => pass(new Event(type), target),
    /** Returns false when a listener prevented the default, for instance to keep the tab open. */
    dispatchOnWindow: (type: string) => tab.dispatchEvent(new Event(type, { cancelable: true })),
    /** Does what a click on a link to a fragment of the page does. */
    followFragment(hash: string) {
      const isThere = urlOf(hash).href === current().url.href;
      history[isThere ? 'replaceState' : 'pushState'](null, '', hash);
      arriveAt(null);
    },
    async back(steps = 1) {
      history.go(-steps);
      await waitForNavigation();
    },
    async forward(steps = 1) {
      history.go(steps);
      await waitForNavigation();
    },
    close() {
      for (const { name, before } of replaced) {
        if (before === undefined) Reflect.deleteProperty(globalThis, name);
        else Object.defineProperty(globalThis, name, before);
      }
    },
  };
}

export type FakeTab = ReturnType<typeof openFakeTab>;
