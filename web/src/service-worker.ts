/**
 * Serves visited pages from a cache when the network is unavailable. The server prepends `self.site = …` to this script,
 * so every change of the build or of the site's appearance produces a new worker, which waits until the reader accepts
 * the update. `self.site = null` means that offline support is off: the worker deletes its caches and unregisters. It is
 * built as one file and must not import anything at run time.
 */
import type { ServiceWorkerConfig } from './document/offline-page.tsx';

interface ExtendableEvent extends Event {
  waitUntil: (promise: Promise<unknown>) => void;
}
interface FetchEvent extends ExtendableEvent {
  request: Request;
  respondWith: (response: Promise<Response>) => void;
}
interface WorkerMessageEvent extends ExtendableEvent {
  /** URLs of pages and files to cache, or the request to activate immediately. */
  data: { keep: string[] } | 'skipWaiting';
}

/** The members of `ServiceWorkerGlobalScope` used here; the DOM and worker type libraries cannot be loaded together. */
interface WorkerScope {
  site: ServiceWorkerConfig | null;
  location: Location;
  registration: ServiceWorkerRegistration;
  clients: { claim: () => Promise<void> };
  skipWaiting: () => Promise<void>;
  addEventListener: {
    (type: 'install' | 'activate', listener: (event: ExtendableEvent) => void): void;
    (type: 'fetch', listener: (event: FetchEvent) => void): void;
    (type: 'message', listener: (event: WorkerMessageEvent) => void): void;
  };
}

const worker = self as unknown as WorkerScope;
/** Contains the scope, because another site may run under another path of the same host. */
const CACHE_PREFIX = `mozhan ${worker.registration.scope} `;

async function deleteCaches(except: string[] = []): Promise<void> {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith(CACHE_PREFIX) && !except.includes(name));
  await Promise.all(old.map((name) => caches.delete(name)));
}

function uninstall(): void {
  worker.addEventListener('install', () => void worker.skipWaiting());
  worker.addEventListener('activate', (event) => {
    event.waitUntil(deleteCaches().then(() => worker.registration.unregister()));
  });
}

/** Least recently read pages are evicted first. */
const MAX_CACHED_PAGES = 100;
/** Paths that are never cached as pages, because they may contain private data. */
const EXCLUDED_PATHS = /^\/(api|admin|files|assets)(\/|$)/;

function serve({ version, basePath, files, offline }: ServiceWorkerConfig): void {
  const FILES = `${CACHE_PREFIX}files ${version}`;
  const PAGES = `${CACHE_PREFIX}pages ${version}`;
  const home = `${basePath}/home`;

  const isFile = ({ pathname, search }: URL) =>
    pathname.startsWith(`${basePath}/assets/`) || files.includes(pathname + search);
  const isPage = ({ pathname }: URL) =>
    pathname.startsWith(`${basePath}/`) && !EXCLUDED_PATHS.test(pathname.slice(basePath.length));

  async function install(): Promise<void> {
    const [fileCache, pageCache] = await Promise.all([caches.open(FILES), caches.open(PAGES)]);
    await fileCache.addAll(files);
    // The home page is the start page of the installed app. A failure here is not fatal: it is cached on the next visit.
    await pageCache.add(home).catch(() => {});
  }

  /** File names contain a content hash, so a cached file never becomes stale. */
  async function fetchFile(request: Request): Promise<Response> {
    const cache = await caches.open(FILES);
    const cached = await cache.match(request);
    if (cached !== undefined) return cached;
    const response = await fetch(request);
    if (response.ok) await cache.put(request, response.clone());
    return response;
  }

  /** Pages are the same for everyone, but search parameters may contain personal data, so such URLs are not cached. */
  async function cachePage({ pathname, search }: URL, response: Response): Promise<void> {
    const isHtml = response.headers.get('content-type')?.startsWith('text/html') === true;
    if (search !== '' || !isHtml || response.status !== 200 || response.redirected) return;
    const cache = await caches.open(PAGES);
    // Deleting first moves the page to the end of the cache's insertion order.
    await cache.delete(pathname);
    await cache.put(pathname, response);
    const requests = await cache.keys();
    await Promise.all(requests.slice(0, -MAX_CACHED_PAGES).map((request) => cache.delete(request)));
  }

  async function fetchPage({
    request,
    waitUntil,
  }: Pick<FetchEvent, 'request' | 'waitUntil'>): Promise<Response> {
    const url = new URL(request.url);
    try {
      const response = await fetch(request);
      waitUntil(cachePage(url, response.clone()));
      return response;
    } catch {
      const path = url.pathname === `${basePath}/` ? home : url.pathname;
      const cached = await (await caches.open(PAGES)).match(path);
      return cached ?? new Response(offline, { headers: { 'content-type': 'text/html; charset=utf-8' } });
    }
  }

  /** Caches a URL that the page opened before this worker was active, or by client-side navigation. */
  async function cacheUrl(address: string): Promise<void> {
    const url = new URL(address);
    if (url.origin !== worker.location.origin) return;
    if (isFile(url)) await fetchFile(new Request(address));
    else if (isPage(url) && url.search === '') await cachePage(url, await fetch(address));
  }

  worker.addEventListener('install', (event) => event.waitUntil(install()));
  worker.addEventListener('activate', (event) => {
    event.waitUntil(deleteCaches([FILES, PAGES]).then(() => worker.clients.claim()));
  });
  worker.addEventListener('message', (event) => {
    if (event.data === 'skipWaiting') void worker.skipWaiting();
    else event.waitUntil(Promise.allSettled(event.data.keep.map(cacheUrl)));
  });
  worker.addEventListener('fetch', (event) => {
    const url = new URL(event.request.url);
    if (event.request.method !== 'GET' || url.origin !== worker.location.origin) return;
    if (isFile(url)) event.respondWith(fetchFile(event.request));
    else if (event.request.mode === 'navigate' && isPage(url)) {
      event.respondWith(fetchPage({ request: event.request, waitUntil: (work) => event.waitUntil(work) }));
    }
  });
}

if (worker.site === null) uninstall();
else serve(worker.site);
