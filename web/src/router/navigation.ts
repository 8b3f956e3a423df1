import { asCallError } from '@mozhan/client/errors.ts';
import type { Client } from '@mozhan/contract/client.ts';
import type { QueryClient } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import { listenToBrowser } from './browser-history.ts';
import type { Match, Params } from './match.ts';
import { type Still, stillPage } from './still-page.ts';

/** What a page may use to load its data, in the browser and on the server alike. */
export interface LoadContext {
  api: Client;
  queryClient: QueryClient;
}

export interface PageProps<Path extends string = string> {
  /** As in the table: for a page that serves several. */
  path: string;
  params: Params<Path>;
  search: URLSearchParams;
}

export interface PageModule<Path extends string = string> {
  Page: ComponentType<PageProps<Path>>;
  /** Fills the query cache; has no other effect, since links under the pointer are loaded ahead. */
  load?: (context: LoadContext, props: PageProps<Path>) => Promise<unknown>;
  /** Of the neutral shell that stands for a page with an access key until the browser knows its reader. */
  title?: string;
}

/** `site`: header and footer around the page; `bare`: the page alone. */
export type Layout = 'site' | 'bare';

export interface PageRoute<Path extends string = string> {
  path: Path;
  /** Key of the page's chunk in the manifest. */
  file: string;
  page: () => Promise<PageModule<Path>>;
  layout: Layout;
  /** Complete as the server rendered it: for how long its code can wait. */
  still?: Still;
}

export interface RedirectRoute<Path extends string = string> {
  path: Path;
  redirect: string;
}

/** Routes that share an access key: the name of the rule that must allow them. */
export interface RouteGroup<Child extends AnyRoute = AnyRoute> {
  access: string;
  children: readonly Child[];
}

/** Any entry of the table, whatever parameters its page takes. */
export type AnyRoute = (Omit<PageRoute, 'page'> & { page: () => Promise<unknown> }) | RedirectRoute;

/** Thrown by a page's `load`, or met in the route table. */
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

/** Thrown by a page's `load` when there is nothing at its address. */
export class NotFound extends Error {}

/** The page's code could not be fetched, usually because a newer version has replaced it. */
class ChunkMissing extends Error {}

export interface View {
  /** Path and search, base path removed. */
  url: string;
  status: 200 | 404 | 410 | 500;
  layout: Layout;
  file?: string;
  still?: Still;
  Page?: ComponentType<PageProps>;
  /** To be called when React has taken over what the server rendered. */
  takenOver?: () => void;
  title?: string;
  /** As in the table; decides whether the reader may see it. */
  path?: string;
  params: Record<string, string>;
  search: URLSearchParams;
}

interface NavigateOptions {
  replace?: boolean;
  /** Stay at the place in the page and with the focus. */
  keep?: boolean;
}

export interface Router {
  readonly basePath: string;
  view: () => View;
  pending: () => boolean;
  subscribe: (listener: () => void) => () => void;
  /** Match, fetch the page's code, load its data. Throws Redirect and whatever `load` throws. */
  resolve: (url: string) => Promise<View>;
  /** The view of a page that the server rendered, before its code is there; undefined: it needs its code at once. */
  adopt: (url: string) => View | undefined;
  show: (view: View) => void;
  navigate: (to: string, options?: NavigateOptions) => Promise<void>;
  preload: (url: string) => void;
  knows: (url: string) => boolean;
  /** The path with the base path, for attributes. */
  href: (path: string) => string;
  /** The view is in the document: time to scroll and to move the focus. */
  committed: () => void;
  start: () => () => void;
}

const CHUNK_MS = 120_000;

/** A page's code that does not come counts as missing. */
function inTime<T>(code: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout>;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer in ${CHUNK_MS} ms`)), CHUNK_MS);
  });
  return Promise.race([code, late]).finally(() => clearTimeout(timer));
}

// Not `new URL(url, base)`: there `//other.site` would be another host.
const parse = (url: string) => new URL(`http://app${url}`);

export const failedView = (url: string): View => ({
  url,
  status: 500,
  layout: 'site',
  params: {},
  search: new URLSearchParams(),
});
/** 410: there was something once. */
export const missingView = (url: string, status: 404 | 410 = 404): View => ({ ...failedView(url), status });

export interface RouterOptions {
  /** The route of a path. */
  match: (pathname: string) => Match<AnyRoute> | undefined;
  context: LoadContext;
  basePath: string;
  /** What the layouts need, beside every page's own data. */
  prepare: () => Promise<unknown>;
}

export function createRouter({ match, context, basePath, prepare }: RouterOptions): Router {
  const listeners = new Set<() => void>();
  let current = missingView('');
  let waiting = false;
  /** Counts navigations, so that one overtaken by another does nothing more. */
  let latest = 0;
  let afterCommit: (() => void) | undefined;
  let leaveStill: (() => void) | undefined;

  function emit(): void {
    for (const listener of listeners) listener();
  }

  function show(view: View): void {
    current = view;
    emit();
  }

  async function resolve(url: string): Promise<View> {
    const { pathname, searchParams: search } = parse(url);
    const found = match(pathname);
    if (found === undefined) {
      await prepare();
      return missingView(url);
    }
    const { item, params } = found;
    if ('redirect' in item) throw new Redirect(item.redirect + parse(url).search);
    const ready = prepare();
    const { Page, load, title } = (await inTime(item.page()).catch((cause: unknown) => {
      ready.catch(() => {});
      throw new ChunkMissing(item.file, { cause });
    })) as PageModule;
    try {
      await Promise.all([ready, load?.(context, { path: item.path, params, search })]);
    } catch (error) {
      const status = asCallError(error)?.status;
      if (error instanceof NotFound || status === 404 || status === 410)
        return missingView(url, status === 410 ? 410 : 404);
      throw error;
    }
    const { path, layout, file, still } = item;
    return { url, status: 200, layout, file, still, Page, title, path, params, search };
  }

  function adopt(url: string): View | undefined {
    const { pathname, searchParams: search } = parse(url);
    const found = match(pathname);
    if (found === undefined || 'redirect' in found.item || found.item.still === undefined) return undefined;
    const { path, layout, file, page, still } = found.item;
    const { Page, leave, takenOver } = stillPage<PageProps>(async () => ((await page()) as PageModule).Page);
    leaveStill = leave;
    return { url, status: 200, layout, file, still, Page, takenOver, path, params: found.params, search };
  }

  /** Null when the page's code cannot be fetched. */
  async function resolveOrFail(to: string): Promise<View | Redirect | null> {
    const url = to.replace(/#.*/, '');
    try {
      return await resolve(url);
    } catch (error) {
      if (error instanceof Redirect) return error;
      return error instanceof ChunkMissing ? null : failedView(url);
    }
  }

  async function go(to: string, commit: (view: View, to: string) => void): Promise<void> {
    latest += 1;
    const turn = latest;
    waiting = true;
    emit();
    const result = await resolveOrFail(to);
    if (turn !== latest) return;
    if (result === null) return location.assign(basePath + to);
    if (result instanceof Redirect) return go(result.to, commit);
    waiting = false;
    leaveStill?.();
    commit(result, to);
    show(result);
  }

  const browser = listenToBrowser({
    basePath,
    current: () => current.url,
    knows,
    preload,
    open: (to, options) => void navigate(to, options),
    travelled: (from, restore) =>
      void go(from, (_, to) => {
        if (to !== from) browser.record(basePath + to, true);
        afterCommit = restore;
      }),
    stayed() {
      latest += 1;
      waiting = false;
      emit();
    },
  });

  function navigate(wanted: string, options: NavigateOptions = {}): Promise<void> {
    if (!knows(wanted)) {
      location.assign(basePath + wanted);
      return Promise.resolve();
    }
    return go(wanted, (view, to) => {
      const sameUrl = view.url === current.url && to === view.url;
      browser.record(basePath + to, options.replace === true || sameUrl);
      if (options.keep !== true) afterCommit = browser.arrive;
    });
  }

  function knows(url: string): boolean {
    return match(parse(url).pathname) !== undefined;
  }

  function preload(url: string): void {
    resolve(url).catch(() => {
      // The click will meet the same trouble and show it.
    });
  }

  return {
    basePath,
    view: () => current,
    pending: () => waiting,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    resolve,
    adopt,
    show,
    navigate,
    preload,
    knows,
    href: (path) => basePath + path,
    committed() {
      const run = afterCommit;
      afterCommit = undefined;
      run?.();
    },
    start() {
      // The server left out the parameters that only matter here.
      const url = browser.here();
      if (current.status === 200 && url !== current.url)
        show({ ...current, url, search: parse(url).searchParams });
      return browser.start();
    },
  };
}
