/**
 * Makes what was read readable again without a connection. The server puts `self.site` before this text: a change of
 * the build or of the site's look makes it another worker, which waits until the reader asks for it. With `null`
 * offline support is off, and what an earlier worker kept is given up. Built as one file, it must import nothing.
 */
import type { WorkerSite } from './document/offline-page.tsx';

interface LifeEvent extends Event {
  waitUntil: (work: Promise<unknown>) => void;
}
interface FetchEvent extends LifeEvent {
  request: Request;
  respondWith: (response: Promise<Response>) => void;
}
interface Message extends LifeEvent {
  /** What to keep: addresses of pages and of their files. Or: take over at once. */
  data: { keep: string[] } | 'skipWaiting';
}

/** The part of a worker's surroundings that is used here; TypeScript knows either them or a page's. */
interface Surroundings {
  site: WorkerSite | null;
  location: Location;
  registration: ServiceWorkerRegistration;
  clients: { claim: () => Promise<void> };
  skipWaiting: () => Promise<void>;
  addEventListener: {
    (type: 'install' | 'activate', listener: (event: LifeEvent) => void): void;
    (type: 'fetch', listener: (event: FetchEvent) => void): void;
    (type: 'message', listener: (event: Message) => void): void;
  };
}

const worker = self as unknown as Surroundings;
/** Another site may live under another path of the same host. */
const OWN = `mozhan ${worker.registration.scope} `;

async function dropCaches(kept: string[] = []): Promise<void> {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith(OWN) && !kept.includes(name));
  await Promise.all(old.map((name) => caches.delete(name)));
}

function leave(): void {
  worker.addEventListener('install', () => void worker.skipWaiting());
  worker.addEventListener('activate', (event) => {
    event.waitUntil(dropCaches().then(() => worker.registration.unregister()));
  });
}

/** Pages beyond this many: the ones read longest ago go. */
const MOST_PAGES = 100;
/** Below these no page is kept, nor anything that could be someone's own. */
const NOT_PAGES = /^\/(api|admin|files|assets)(\/|$)/;

function serve({ version, basePath, files, offline }: WorkerSite): void {
  const FILES = `${OWN}files ${version}`;
  const PAGES = `${OWN}pages ${version}`;
  const home = `${basePath}/home`;

  const isFile = ({ pathname, search }: URL) =>
    pathname.startsWith(`${basePath}/assets/`) || files.includes(pathname + search);
  const isPage = ({ pathname }: URL) =>
    pathname.startsWith(`${basePath}/`) && !NOT_PAGES.test(pathname.slice(basePath.length));

  async function install(): Promise<void> {
    const [kept, pages] = await Promise.all([caches.open(FILES), caches.open(PAGES)]);
    await kept.addAll(files);
    // Where the site is opened from a home screen; it can be kept later as well.
    await pages.add(home).catch(() => {});
  }

  /** Files have the hash of their content in their name: what is kept never changes. */
  async function openFile(request: Request): Promise<Response> {
    const cache = await caches.open(FILES);
    const kept = await cache.match(request);
    if (kept !== undefined) return kept;
    const response = await fetch(request);
    if (response.ok) await cache.put(request, response.clone());
    return response;
  }

  /** Every page is the same for everyone. Parameters may hold what is one reader's own, so such pages are not kept. */
  async function keepPage({ pathname, search }: URL, response: Response): Promise<void> {
    const isHtml = response.headers.get('content-type')?.startsWith('text/html') === true;
    if (search !== '' || !isHtml || response.status !== 200 || response.redirected) return;
    const cache = await caches.open(PAGES);
    // Taken out first, it goes to the end of the row.
    await cache.delete(pathname);
    await cache.put(pathname, response);
    const rows = await cache.keys();
    await Promise.all(rows.slice(0, -MOST_PAGES).map((row) => cache.delete(row)));
  }

  async function openPage({
    request,
    waitUntil,
  }: Pick<FetchEvent, 'request' | 'waitUntil'>): Promise<Response> {
    const url = new URL(request.url);
    try {
      const response = await fetch(request);
      waitUntil(keepPage(url, response.clone()));
      return response;
    } catch {
      const path = url.pathname === `${basePath}/` ? home : url.pathname;
      const kept = await (await caches.open(PAGES)).match(path);
      return kept ?? new Response(offline, { headers: { 'content-type': 'text/html; charset=utf-8' } });
    }
  }

  /** Pages that were opened before this worker was there, or without loading a document. */
  async function keep(address: string): Promise<void> {
    const url = new URL(address);
    if (url.origin !== worker.location.origin) return;
    if (isFile(url)) await openFile(new Request(address));
    else if (isPage(url) && url.search === '') await keepPage(url, await fetch(address));
  }

  worker.addEventListener('install', (event) => event.waitUntil(install()));
  worker.addEventListener('activate', (event) => {
    event.waitUntil(dropCaches([FILES, PAGES]).then(() => worker.clients.claim()));
  });
  worker.addEventListener('message', (event) => {
    if (event.data === 'skipWaiting') void worker.skipWaiting();
    else event.waitUntil(Promise.allSettled(event.data.keep.map(keep)));
  });
  worker.addEventListener('fetch', (event) => {
    const url = new URL(event.request.url);
    if (event.request.method !== 'GET' || url.origin !== worker.location.origin) return;
    if (isFile(url)) event.respondWith(openFile(event.request));
    else if (event.request.mode === 'navigate' && isPage(url)) {
      event.respondWith(openPage({ request: event.request, waitUntil: (work) => event.waitUntil(work) }));
    }
  });
}

if (worker.site === null) leave();
else serve(worker.site);
