export type Encoding = 'br' | 'gzip';

interface CompressedContent {
  /** Fast compression, for the first request. */
  bytes: Promise<Buffer>;
  /** Whether the better compression has been started, by the second request. */
  isImproving: boolean;
  best?: Buffer;
}

export interface CachedPage {
  status: number;
  etag: string | null;
  headers: Record<string, string>;
  content: Buffer;
  /** Compressed content by encoding, created on request; null: sent uncompressed. */
  compressed: Partial<Record<Encoding, CompressedContent>> | null;
  /** Cache tags of the displayed data: `site`, `user:ID`, … */
  tags: ReadonlySet<string>;
  renderedAt: number;
  /** Maximum age when sent. Without it, `FRESH_MS`, and up to `STALE_MS` while the page is rendered again. */
  maxAgeMs?: number;
}

interface CallResult<T = unknown> {
  value: T;
  tags: ReadonlySet<string>;
  /** Estimate, in bytes. */
  size: number;
  createdAt: number;
}

export interface PageCache {
  /** Returns the cached page or renders it; concurrent requests share one rendering. */
  get: (key: string, render: () => Promise<CachedPage>) => Promise<CachedPage>;
  getFresh: (key: string) => CachedPage | undefined;
  /** Runs a call once for all pages that need its result, until one of its tags is invalidated. */
  callResult: <T>(
    key: string,
    call: () => Promise<Pick<CallResult<T>, 'value' | 'tags'>>,
  ) => Promise<Pick<CallResult<T>, 'value' | 'tags'>>;
  /** Looks up the redirect of an address; kept apart, so that a flood of unknown addresses evicts nothing else. */
  redirectResult: (
    key: string,
    find: () => Promise<Pick<CallResult, 'value' | 'tags'>>,
  ) => Promise<Pick<CallResult, 'value'>>;
  countHit: () => void;
  invalidate: (tags: Iterable<string>) => void;
  /** Disabled while invalidations of other processes cannot be received; disabling clears the cache. */
  setEnabled: (open: boolean) => void;
  stats: () => { pages: number; bytes: number; hits: number; misses: number };
}

const MAX_BYTES = 64 * 1024 * 1024;
/** Separate limit for entries that live for seconds, such as searches, whose many URLs must not evict pages. */
const MAX_SHORT_LIVED = { bytes: 8 * 1024 * 1024, entries: 1000 };
/** An older page is still served, while a fresh one is rendered in the background. */
const FRESH_MS = 60_000;
/** An older page is rendered again before it is served. */
const STALE_MS = 10 * 60_000;
/** Counters change without invalidating a tag, so results are limited in age. */
const CALL_RESULT_MAX_AGE_MS = 20_000;
const MAX_REDIRECT_RESULTS = { bytes: 8 * 1024 * 1024, entries: 10_000 };
const MAX_CALL_RESULTS = { bytes: 16 * 1024 * 1024, entries: 1000 };

/** Includes the key, object overhead and the compressed forms that are created later. */
const estimateSize = (key: string, { content, compressed }: CachedPage) =>
  key.length + 1024 + content.length * (compressed === null ? 1 : 2);

/** The parameter `t` that the site's pages add to calls to bypass caches. */
const TIMESTAMP_PARAM = /([?&])t=\d{1,16}(&|$)/;

/** The cache key of an API response; the prefix separates it from page URLs. */
export const callKey = (path: string): string =>
  `call ${path.replace(TIMESTAMP_PARAM, (_found, before: string, after: string) => (after === '' ? '' : before))}`;

/** About the bytes of a JSON value in memory. Serializing it to get its length takes ten times as long. */
function estimateValueSize(value: unknown): number {
  if (typeof value === 'string') return 16 + 2 * value.length;
  if (typeof value !== 'object' || value === null) return 8;
  let size = 16;
  for (const each of Object.values(value)) size += 8 + estimateValueSize(each);
  return size;
}

interface Tagged {
  tags: ReadonlySet<string>;
}

/** A bounded map that evicts the least recently used entries. */
function createLru<T extends Tagged>(
  max: { bytes: number; entries: number },
  sizeOf: (key: string, entry: T) => number,
) {
  const entries = new Map<string, T>();
  let bytes = 0;

  function remove(key: string): void {
    const entry = entries.get(key);
    if (entry === undefined) return;
    entries.delete(key);
    bytes -= sizeOf(key, entry);
  }

  return {
    size: () => entries.size,
    bytes: () => bytes,
    get: (key: string) => entries.get(key),
    add(key: string, entry: T): void {
      remove(key);
      entries.set(key, entry);
      bytes += sizeOf(key, entry);
      for (const oldest of entries.keys()) {
        if (bytes <= max.bytes && entries.size <= max.entries) break;
        remove(oldest);
      }
    },
    touch(key: string, entry: T): void {
      entries.delete(key);
      entries.set(key, entry);
    },
    invalidate(tags: ReadonlySet<string>): void {
      for (const [key, entry] of entries) if (!entry.tags.isDisjointFrom(tags)) remove(key);
    },
    clear(): void {
      entries.clear();
      bytes = 0;
    },
  };
}

/**
 * Concurrent requests for one key share one promise. A promise that is pending when a tag is invalidated may have read old
 * rows: later requests do not share it, and its result is stored only if it does not have that tag.
 */
function createSingleFlight<T extends Tagged>(store: (key: string, value: T) => void) {
  let pending = new Map<string, Promise<T>>();
  /** For each pending promise, the tags invalidated since it started. */
  const invalidatedSince = new Set<Set<string>>();
  let generation = 0;

  return {
    load(key: string, load: () => Promise<T>): Promise<T> {
      const shared = pending.get(key);
      if (shared !== undefined) return shared;
      const startedIn = generation;
      const group = pending;
      const invalidated = new Set<string>();
      invalidatedSince.add(invalidated);
      const promise = load()
        .then((value) => {
          if (startedIn === generation && value.tags.isDisjointFrom(invalidated)) store(key, value);
          return value;
        })
        .finally(() => {
          invalidatedSince.delete(invalidated);
          group.delete(key);
        });
      group.set(key, promise);
      return promise;
    },
    invalidate(tags: ReadonlySet<string>): void {
      pending = new Map();
      for (const invalidated of invalidatedSince) for (const tag of tags) invalidated.add(tag);
    },
    /** Prevents the results of pending promises from being stored. */
    reset(): void {
      generation += 1;
      pending = new Map();
    },
  };
}

/** Caches pages and call results, which are removed when one of their tags is invalidated. */
export function createPageCache(now: () => number = Date.now): PageCache {
  const longLived = createLru({ bytes: MAX_BYTES, entries: Number.POSITIVE_INFINITY }, estimateSize);
  const shortLived = createLru(MAX_SHORT_LIVED, estimateSize);
  const resultSize = (key: string, { size }: CallResult) => key.length + 1024 + size;
  const callResults = createLru<CallResult>(MAX_CALL_RESULTS, resultSize);
  const redirectResults = createLru<CallResult>(MAX_REDIRECT_RESULTS, resultSize);
  const maps = [longLived, shortLived, callResults, redirectResults];
  let isEnabled = true;
  let hits = 0;
  let misses = 0;

  const mapOf = ({ maxAgeMs }: CachedPage) => (maxAgeMs === undefined ? longLived : shortLived);
  const find = (key: string) => longLived.get(key) ?? shortLived.get(key);

  const pageFlight = createSingleFlight<CachedPage>((key, page) => {
    // Unknown URLs are unlimited, and their error pages must not evict real pages.
    if (isEnabled && page.status === 200) mapOf(page).add(key, page);
  });
  const callFlight = createSingleFlight<CallResult>((key, result) => {
    if (isEnabled) callResults.add(key, result);
  });
  const redirectFlight = createSingleFlight<CallResult>((key, result) => {
    if (isEnabled) redirectResults.add(key, result);
  });
  const flights = [pageFlight, callFlight, redirectFlight];

  async function loadResult(call: () => Promise<Pick<CallResult, 'value' | 'tags'>>): Promise<CallResult> {
    const createdAt = now();
    const { value, tags } = await call();
    return { value, tags, size: estimateValueSize(value), createdAt };
  }

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
      // A failed refresh is ignored, because this request already has a page.
      if (age > FRESH_MS) pageFlight.load(key, render).catch(() => {});
      return Promise.resolve(page);
    },
    getFresh(key) {
      const page = find(key);
      if (page === undefined || now() - page.renderedAt > (page.maxAgeMs ?? FRESH_MS)) return undefined;
      mapOf(page).touch(key, page);
      return page;
    },
    callResult<T>(key: string, call: () => Promise<Pick<CallResult<T>, 'value' | 'tags'>>) {
      const cached = callResults.get(key);
      if (cached === undefined || now() - cached.createdAt > CALL_RESULT_MAX_AGE_MS) {
        return callFlight.load(key, () => loadResult(call)) as Promise<CallResult<T>>;
      }
      callResults.touch(key, cached);
      return Promise.resolve(cached as CallResult<T>);
    },
    redirectResult(key, find) {
      const cached = redirectResults.get(key);
      if (cached === undefined) return redirectFlight.load(key, () => loadResult(find));
      redirectResults.touch(key, cached);
      return Promise.resolve(cached);
    },
    countHit() {
      hits += 1;
    },
    invalidate(tags) {
      const invalidatedTags = new Set(tags);
      if (invalidatedTags.size === 0) return;
      for (const flight of flights) flight.invalidate(invalidatedTags);
      for (const map of maps) map.invalidate(invalidatedTags);
    },
    setEnabled(enabled) {
      isEnabled = enabled;
      for (const flight of flights) flight.reset();
      for (const map of maps) map.clear();
    },
    stats: () => ({
      pages: longLived.size() + shortLived.size(),
      bytes: longLived.bytes() + shortLived.bytes(),
      hits,
      misses,
    }),
  };
}
