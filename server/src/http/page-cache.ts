export type Encoding = 'br' | 'gzip';

interface Packed {
  /** Quickly, for whoever asks first. */
  bytes: Promise<Buffer>;
  /** Asked for again, it is packed as well as it can be. */
  isImproving: boolean;
  best?: Buffer;
}

/** A rendered page. */
export interface CachedPage {
  status: number;
  /** None for what no client may keep. */
  etag: string | null;
  headers: Record<string, string>;
  content: Buffer;
  /** As far as somebody has asked for it; null: to be sent as it is. */
  packed: Partial<Record<Encoding, Packed>> | null;
  /** What it shows: `site`, `user:ID`, … */
  tags: ReadonlySet<string>;
  renderedAt: number;
  /** It is not sent once it is older; otherwise for `FRESH_MS`, and some time longer while it is rendered anew. */
  maxAgeMs?: number;
}

export interface PageCache {
  /** The page under a key, rendered once however many ask for it at the same time. */
  get: (key: string, render: () => Promise<CachedPage>) => Promise<CachedPage>;
  /** The page under a key if it can be sent as it is. */
  fresh: (key: string) => CachedPage | undefined;
  /** A page from `fresh` was sent. */
  countHit: () => void;
  drop: (tags: Iterable<string>) => void;
  /** Off, nothing is kept: for as long as changes made by other processes cannot be heard of. */
  setOpen: (open: boolean) => void;
  stats: () => { pages: number; bytes: number; hits: number; misses: number };
}

const MAX_BYTES = 64 * 1024 * 1024;
/** Of what is kept for seconds only: its addresses are without number, such as searches, and must not push pages out. */
const MAX_BRIEF = { bytes: 8 * 1024 * 1024, pages: 1000 };
/** After this long a page is still served, while a fresh one is rendered for the next reader. */
const FRESH_MS = 60_000;
/** A page nobody has refreshed for this long is rendered anew before it is served. */
const STALE_MS = 10 * 60_000;

/** Its key, what the objects take, and as much again for its packed forms, which come later. */
const weight = (key: string, { content, packed }: CachedPage) =>
  key.length + 1024 + content.length * (packed === null ? 1 : 2);

/** What the site's own pages add to every call, so that nothing on the way keeps the answer. */
const TIME = /([?&])t=\d{1,16}(&|$)/;

/** Of a call's answer: apart from the pages, whatever their addresses are. */
export const callKey = (path: string): string =>
  `call ${path.replace(TIME, (_found, before: string, after: string) => (after === '' ? '' : before))}`;

/** Bounded, least recently used out first. */
function createShelf(max: { bytes: number; pages: number }) {
  const pages = new Map<string, CachedPage>();
  let bytes = 0;

  function remove(key: string): void {
    const page = pages.get(key);
    if (page === undefined) return;
    pages.delete(key);
    bytes -= weight(key, page);
  }

  return {
    pages,
    bytes: () => bytes,
    remove,
    add(key: string, page: CachedPage): void {
      remove(key);
      pages.set(key, page);
      bytes += weight(key, page);
      for (const oldest of pages.keys()) {
        if (bytes <= max.bytes && pages.size <= max.pages) break;
        remove(oldest);
      }
    },
    /** Used last, so dropped last. */
    touch(key: string, page: CachedPage): void {
      pages.delete(key);
      pages.set(key, page);
    },
    clear(): void {
      pages.clear();
      bytes = 0;
    },
  };
}

/**
 * A dropped tag takes with it every stored page that shows it. A rendering under way may have read the old rows: it is
 * answered to whoever asked before, never joined by those who ask after, and stored only when it turns out not to show
 * what was dropped.
 */
export function createPageCache(now: () => number = Date.now): PageCache {
  const lasting = createShelf({ bytes: MAX_BYTES, pages: Number.POSITIVE_INFINITY });
  const brief = createShelf(MAX_BRIEF);
  const shelves = [lasting, brief];
  let rendering = new Map<string, Promise<CachedPage>>();
  /** For each rendering under way, what was dropped since it began. */
  const dropped = new Set<Set<string>>();
  let generation = 0;
  let isOpen = true;
  let hits = 0;
  let misses = 0;

  const shelfOf = ({ maxAgeMs }: CachedPage) => (maxAgeMs === undefined ? lasting : brief);
  const find = (key: string) => lasting.pages.get(key) ?? brief.pages.get(key);

  function fill(key: string, render: () => Promise<CachedPage>): Promise<CachedPage> {
    const underWay = rendering.get(key);
    if (underWay !== undefined) return underWay;
    const begun = generation;
    const group = rendering;
    const meanwhile = new Set<string>();
    dropped.add(meanwhile);
    const promise = render()
      .then((page) => {
        // Unknown addresses are without number: they must not push real pages out.
        const isCurrent = begun === generation && page.tags.isDisjointFrom(meanwhile);
        if (isOpen && isCurrent && page.status === 200) shelfOf(page).add(key, page);
        return page;
      })
      .finally(() => {
        dropped.delete(meanwhile);
        group.delete(key);
      });
    group.set(key, promise);
    return promise;
  }

  return {
    get(key, render) {
      const page = find(key);
      const age = page === undefined ? Number.POSITIVE_INFINITY : now() - page.renderedAt;
      if (page === undefined || age > (page.maxAgeMs ?? STALE_MS)) {
        misses += 1;
        return fill(key, render);
      }
      hits += 1;
      shelfOf(page).touch(key, page);
      // Refreshing is for the next reader; if it fails, this one already has its page.
      if (age > FRESH_MS) fill(key, render).catch(() => {});
      return Promise.resolve(page);
    },
    fresh(key) {
      const page = find(key);
      if (page === undefined || now() - page.renderedAt > (page.maxAgeMs ?? FRESH_MS)) return undefined;
      shelfOf(page).touch(key, page);
      return page;
    },
    countHit() {
      hits += 1;
    },
    drop(tags) {
      const gone = new Set(tags);
      if (gone.size === 0) return;
      rendering = new Map();
      for (const meanwhile of dropped) for (const tag of gone) meanwhile.add(tag);
      for (const { pages, remove } of shelves) {
        for (const [key, page] of pages) if (!page.tags.isDisjointFrom(gone)) remove(key);
      }
    },
    setOpen(open) {
      isOpen = open;
      generation += 1;
      rendering = new Map();
      for (const shelf of shelves) shelf.clear();
    },
    stats: () => ({
      pages: lasting.pages.size + brief.pages.size,
      bytes: lasting.bytes() + brief.bytes(),
      hits,
      misses,
    }),
  };
}
