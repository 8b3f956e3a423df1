import { asCallError } from '@mozhan/client/errors.ts';
import type { Client } from '@mozhan/contract/client.ts';
import type { QueryClient } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import { createBrowserHistory } from './browser-history.ts';
import type { Match, Params } from './match.ts';
import { createStaticPage, type StaticMode } from './static-page.ts';

/** Passed to a page's `load`, in the browser and on the server. */
export interface LoadContext {
  api: Client;
  queryClient: QueryClient;
}

export interface PageProps<Path extends string = string> {
  /** The path pattern of the route, for a page that serves several routes. */
  path: string;
  params: Params<Path>;
  search: URLSearchParams;
}

export interface PageModule<Path extends string = string> {
  Page: ComponentType<PageProps<Path>>;
  /** Fills the query cache. It must have no other effect, because links under the pointer are preloaded. */
  load?: (context: LoadContext, props: PageProps<Path>) => Promise<unknown>;
  /** Title of the shell that is rendered for a guarded page until the browser knows the reader. */
  title?: string;
  /** Skeleton of a guarded page in the shell, of the same shape as the page. */
  Shell?: ComponentType<{ search: URLSearchParams }>;
}

/** `site`: with header and footer; `bare`: the page alone. */
export type Layout = 'site' | 'bare';

export interface PageRoute<Path extends string = string> {
  path: Path;
  /** Key of the page's chunk in the manifest. */
  file: string;
  page: () => Promise<PageModule<Path>>;
  layout: Layout;
  /** Set for pages that visitors can read without code: how long loading the code may be delayed. */
  staticMode?: StaticMode;
}

export interface RedirectRoute<Path extends string = string> {
  path: Path;
  redirect: string;
}

/** Routes that share an access key, which names the rule that must allow them. */
export interface RouteGroup<Child extends AnyRoute = AnyRoute> {
  access: string;
  children: readonly Child[];
}

export type AnyRoute = (Omit<PageRoute, 'page'> & { page: () => Promise<unknown> }) | RedirectRoute;

/** Thrown by a page's `load`, or by a redirect route. */
export class Redirect extends Error {
  readonly to: string;
  readonly status: 301 | 302;

  constructor(to: string, status: 301 | 302 = 302) {
    super(`redirect to ${to}`);
    this.name = 'Redirect';
    this.to = to;
    this.status = status;
  }
}

/** Thrown by a page's `load` when nothing exists at its URL. */
export class NotFoundError extends Error {}

/** The page's code could not be fetched, usually because a new version was deployed. */
class ChunkLoadError extends Error {}

export interface View {
  /** Path and search, base path removed. */
  url: string;
  status: 200 | 404 | 410 | 500;
  layout: Layout;
  file?: string;
  staticMode?: StaticMode;
  Page?: ComponentType<PageProps>;
  /** Called when React has hydrated the page. */
  onHydrated?: () => void;
  title?: string;
  Shell?: ComponentType<{ search: URLSearchParams }>;
  /** The path pattern of the route, used for the access check. */
  path?: string;
  params: Record<string, string>;
  search: URLSearchParams;
}

interface NavigateOptions {
  replace?: boolean;
  /** Keep the scroll position and the focus. */
  keepScroll?: boolean;
}

export interface Router {
  readonly basePath: string;
  view: () => View;
  isPending: () => boolean;
  subscribe: (listener: () => void) => () => void;
  /** Matches the URL, fetches the page's code and loads its data. Throws Redirect and errors of `load`. */
  resolve: (url: string) => Promise<View>;
  /** The view of a server-rendered static page, without its code; undefined when the page needs its code at once. */
  createStaticView: (url: string) => View | undefined;
  setView: (view: View) => void;
  navigate: (to: string, options?: NavigateOptions) => Promise<void>;
  preload: (url: string) => void;
  hasRoute: (url: string) => boolean;
  /** Adds the base path. */
  href: (path: string) => string;
  /** Called when the view is in the document; then scrolls and moves the focus. */
  onCommitted: () => void;
  start: () => () => void;
}

const CHUNK_TIMEOUT_MS = 120_000;

/** Treats code that does not load in time as missing. */
function withTimeout<T>(code: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout>;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not loaded within ${CHUNK_TIMEOUT_MS} ms`)), CHUNK_TIMEOUT_MS);
  });
  return Promise.race([code, timeout]).finally(() => clearTimeout(timer));
}

// Not `new URL(url, base)`, which would parse `//other.site` as another host.
const parseUrl = (url: string) => new URL(`http://app${url}`);

export const failedView = (url: string): View => ({
  url,
  status: 500,
  layout: 'site',
  params: {},
  search: new URLSearchParams(),
});
/** 410: the content was deleted. */
export const notFoundView = (url: string, status: 404 | 410 = 404): View => ({ ...failedView(url), status });

export interface RouterOptions {
  match: (pathname: string) => Match<AnyRoute> | undefined;
  context: LoadContext;
  basePath: string;
  /** Loads the data of the layouts, in parallel with the page's data. */
  loadLayoutData: () => Promise<unknown>;
}

export function createRouter({ match, context, basePath, loadLayoutData }: RouterOptions): Router {
  const listeners = new Set<() => void>();
  let current = notFoundView('');
  let isPending = false;
  /** Incremented by every navigation, so that a superseded one can stop. */
  let latestNavigation = 0;
  let afterCommit: (() => void) | undefined;
  let leaveStaticPage: (() => void) | undefined;

  function emit(): void {
    for (const listener of listeners) listener();
  }

  function setView(view: View): void {
    current = view;
    emit();
  }

  async function resolve(url: string): Promise<View> {
    const { pathname, searchParams: search } = parseUrl(url);
    const found = match(pathname);
    if (found === undefined) {
      await loadLayoutData();
      return notFoundView(url);
    }
    const { item, params } = found;
    if ('redirect' in item) throw new Redirect(item.redirect + parseUrl(url).search);
    const ready = loadLayoutData();
    const { Page, load, title, Shell } = (await withTimeout(item.page()).catch((cause: unknown) => {
      ready.catch(() => {});
      throw new ChunkLoadError(item.file, { cause });
    })) as PageModule;
    try {
      await Promise.all([ready, load?.(context, { path: item.path, params, search })]);
    } catch (error) {
      const status = asCallError(error)?.status;
      if (error instanceof NotFoundError || status === 404 || status === 410)
        return notFoundView(url, status === 410 ? 410 : 404);
      throw error;
    }
    const { path, layout, file, staticMode } = item;
    return { url, status: 200, layout, file, staticMode, Page, title, Shell, path, params, search };
  }

  function createStaticView(url: string): View | undefined {
    const { pathname, searchParams: search } = parseUrl(url);
    const found = match(pathname);
    if (found === undefined || 'redirect' in found.item || found.item.staticMode === undefined)
      return undefined;
    const { path, layout, file, page, staticMode } = found.item;
    const { Page, onLeave, onHydrated } = createStaticPage<PageProps>(
      async () => ((await page()) as PageModule).Page,
    );
    leaveStaticPage = onLeave;
    return {
      url,
      status: 200,
      layout,
      file,
      staticMode,
      Page,
      onHydrated,
      path,
      params: found.params,
      search,
    };
  }

  /** Null when the page's code cannot be fetched. */
  async function tryResolve(to: string): Promise<View | Redirect | null> {
    const url = to.replace(/#.*/, '');
    try {
      return await resolve(url);
    } catch (error) {
      if (error instanceof Redirect) return error;
      return error instanceof ChunkLoadError ? null : failedView(url);
    }
  }

  async function runNavigation(to: string, commit: (view: View, to: string) => void): Promise<void> {
    latestNavigation += 1;
    const navigation = latestNavigation;
    isPending = true;
    emit();
    const result = await tryResolve(to);
    if (navigation !== latestNavigation) return;
    if (result === null) return location.assign(basePath + to);
    if (result instanceof Redirect) return runNavigation(result.to, commit);
    isPending = false;
    leaveStaticPage?.();
    commit(result, to);
    setView(result);
  }

  const browser = createBrowserHistory({
    basePath,
    current: () => current.url,
    hasRoute,
    preload,
    onLink: (to, options) => void navigate(to, options),
    onTraverse: (from, restore) =>
      void runNavigation(from, (_, to) => {
        if (to !== from) browser.recordEntry(basePath + to, true);
        afterCommit = restore;
      }),
    onTraverseWithinPage() {
      latestNavigation += 1;
      isPending = false;
      emit();
    },
  });

  function navigate(requestedUrl: string, options: NavigateOptions = {}): Promise<void> {
    if (!hasRoute(requestedUrl)) {
      location.assign(basePath + requestedUrl);
      return Promise.resolve();
    }
    return runNavigation(requestedUrl, (view, to) => {
      const sameUrl = view.url === current.url && to === view.url;
      browser.recordEntry(basePath + to, options.replace === true || sameUrl);
      if (options.keepScroll !== true) afterCommit = browser.scrollToTarget;
    });
  }

  function hasRoute(url: string): boolean {
    return match(parseUrl(url).pathname) !== undefined;
  }

  function preload(url: string): void {
    resolve(url).catch(() => {
      // Ignored: a click will fail in the same way and show the error.
    });
  }

  return {
    basePath,
    view: () => current,
    isPending: () => isPending,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    resolve,
    createStaticView,
    setView,
    navigate,
    preload,
    hasRoute,
    href: (path) => basePath + path,
    onCommitted() {
      const run = afterCommit;
      afterCommit = undefined;
      run?.();
    },
    start() {
      // Add the search parameters that the server ignored.
      const url = browser.currentUrl();
      if (current.status === 200 && url !== current.url)
        setView({ ...current, url, search: parseUrl(url).searchParams });
      return browser.start();
    },
  };
}
