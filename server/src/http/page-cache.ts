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

/** The result of a call as an anonymous visitor gets it. */
interface CallResult {
  value: unknown;
  tags: ReadonlySet<string>;
  /** Estimate, in bytes. */
  size: number;
  createdAt: number;
}

export interface PageCache {
  /** The page under a key, rendered once however many ask for it at the same time. */
  get: (key: string, render: () => Promise<CachedPage>) => Promise<CachedPage>;
  /** The page under a key if it can be sent as it is. */
  fresh: (key: string) => CachedPage | undefined;
  /** Runs a call once for all pages that need its result, until one of its tags is dropped. */
  callResult: (key: string, call: () => Promise<Pick<CallResult, 'value' | 'tags'>>) => Promise<CallResult>;
  /** A page from `fresh` was sent. */
  countHit: () => void;
  drop: (tags: Iterable<string>) => void;
  /** Off, nothing is kept: for as long as changes made by other processes cannot be heard of. */
  setOpen: (open: boolean) => void;
  stats: () => { pages: number; bytes: number; hits: number; misses: number };
}

const MAX_BYTES = 64 * 1024 * 1024;
/** Of what is kept for seconds only: its addresses are without number, such as searches, and must not push pages out. */
const MAX_BRIEF = { bytes: 8 * 1024 * 1024, entries: 1000 };
/** After this long a page is still served, while a fresh one is rendered for the next reader. */
const FRESH_MS = 60_000;
/** A page nobody has refreshed for this long is rendered anew before it is served. */
const STALE_MS = 10 * 60_000;
/** Counters change without dropping a tag: a rendered page shows values that are at most this old. */
const CALL_RESULT_MAX_AGE_MS = 20_000;
const MAX_CALL_RESULTS = { bytes: 16 * 1024 * 1024, entries: 1000 };

/** Its key, what the objects take, and as much again for its packed forms, which come later. */
const weight = (key: string, { content, packed }: CachedPage) =>
  key.length + 1024 + content.length * (packed === null ? 1 : 2);

/** What the site's own pages add to every call, so that nothing on the way keeps the answer. */
const TIME = /([?&])t=\d{1,16}(&|$)/;

/** Of a call's answer: apart from the pages, whatever their addresses are. */
export const callKey = (path: string): string =>
  `call ${path.replace(TIME, (_found, before: string, after: string) => (after === '' ? '' : before))}`;

interface Tagged {
  tags: ReadonlySet<string>;
}

/** A bounded map that evicts the least recently used entries. */
function createLru<T extends Tagged>(
  max: { bytes: number; entries: number },
  weightOf: (key: string, entry: T) => number,
) {
  const entries = new Map<string, T>();
  let bytes = 0;

  function remove(key: string): void {
    const entry = entries.get(key);
    if (entry === undefined) return;
    entries.delete(key);
    bytes -= weightOf(key, entry);
  }

  return {
    size: () => entries.size,
    bytes: () => bytes,
    get: (key: string) => entries.get(key),
    add(key: string, entry: T): void {
      remove(key);
      entries.set(key, entry);
      bytes += weightOf(key, entry);
      for (const oldest of entries.keys()) {
        if (bytes <= max.bytes && entries.size <= max.entries) break;
        remove(oldest);
      }
    },
    touch(key: string, entry: T): void {
      entries.delete(key);
      entries.set(key, entry);
    },
    drop(tags: ReadonlySet<string>): void {
      for (const [key, entry] of entries) if (!entry.tags.isDisjointFrom(tags)) remove(key);
    },
    clear(): void {
      entries.clear();
      bytes = 0;
    },
  };
}

/**
 * Concurrent requests for one key share one promise. A promise that is pending when a tag is dropped may have read the
 * old rows: later requests do not share it, and its result is stored only if it does not have that tag.
 */
function createSingleFlight<T extends Tagged>(store: (key: string, value: T) => void) {
  let pending = new Map<string, Promise<T>>();
  /** For each pending promise, the tags dropped since it started. */
  const droppedSince = new Set<Set<string>>();
  let generation = 0;

  return {
    load(key: string, load: () => Promise<T>): Promise<T> {
      const shared = pending.get(key);
      if (shared !== undefined) return shared;
      const startedIn = generation;
      const group = pending;
      const dropped = new Set<string>();
      droppedSince.add(dropped);
      const promise = load()
        .then((value) => {
          if (startedIn === generation && value.tags.isDisjointFrom(dropped)) store(key, value);
          return value;
        })
        .finally(() => {
          droppedSince.delete(dropped);
          group.delete(key);
        });
      group.set(key, promise);
      return promise;
    },
    drop(tags: ReadonlySet<string>): void {
      pending = new Map();
      for (const dropped of droppedSince) for (const tag of tags) dropped.add(tag);
    },
    /** Results of pending promises are not stored. */
    reset(): void {
      generation += 1;
      pending = new Map();
    },
  };
}

/** Dropping a tag removes every page and every call result that has it. */
export function createPageCache(now: () => number = Date.now): PageCache {
  const lasting = createLru({ bytes: MAX_BYTES, entries: Number.POSITIVE_INFINITY }, weight);
  const brief = createLru(MAX_BRIEF, weight);
  const callResults = createLru<CallResult>(MAX_CALL_RESULTS, (key, { size }) => key.length + 1024 + size);
  const maps = [lasting, brief, callResults];
  let isOpen = true;
  let hits = 0;
  let misses = 0;

  const mapOf = ({ maxAgeMs }: CachedPage) => (maxAgeMs === undefined ? lasting : brief);
  const find = (key: string) => lasting.get(key) ?? brief.get(key);

  const pageFlight = createSingleFlight<CachedPage>((key, page) => {
    // There are unlimited unknown URLs: their error pages must not evict real pages.
    if (isOpen && page.status === 200) mapOf(page).add(key, page);
  });
  const callFlight = createSingleFlight<CallResult>((key, result) => {
    if (isOpen) callResults.add(key, result);
  });
  const flights = [pageFlight, callFlight];

  return {
    get(key, render) {
      const page = find(key);
      const age = page === undefined ? Number.POSITIVE_INFINITY : now() - page.renderedAt;
      if (page === undefined || age > (page.maxAgeMs ?? STALE_MS)) {
        misses += 1;
        return pageFlight.load(key, render);
      }
      hits += 1;
      mapOf(page).touch(key, page);
      // Refreshing is for the next reader; if it fails, this one already has its page.
      if (age > FRESH_MS) pageFlight.load(key, render).catch(() => {});
      return Promise.resolve(page);
    },
    fresh(key) {
      const page = find(key);
      if (page === undefined || now() - page.renderedAt > (page.maxAgeMs ?? FRESH_MS)) return undefined;
      mapOf(page).touch(key, page);
      return page;
    },
    callResult(key, call) {
      const cached = callResults.get(key);
      if (cached === undefined || now() - cached.createdAt > CALL_RESULT_MAX_AGE_MS) {
        const createdAt = now();
        return callFlight.load(key, async () => {
          const { value, tags } = await call();
          return { value, tags, size: 2 * (JSON.stringify(value)?.length ?? 0), createdAt };
        });
      }
      callResults.touch(key, cached);
      return Promise.resolve(cached);
    },
    countHit() {
      hits += 1;
    },
    drop(tags) {
      const gone = new Set(tags);
      if (gone.size === 0) return;
      for (const flight of flights) flight.drop(gone);
      for (const map of maps) map.drop(gone);
    },
    setOpen(open) {
      isOpen = open;
      for (const flight of flights) flight.reset();
      for (const map of maps) map.clear();
    },
    stats: () => ({
      pages: lasting.size() + brief.size(),
      bytes: lasting.bytes() + brief.bytes(),
      hits,
      misses,
    }),
  };
}
