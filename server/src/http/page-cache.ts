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

/** What a call answered a visitor, for the pages that show it. */
interface KeptAnswer {
  value: unknown;
  /** What it shows. */
  tags: ReadonlySet<string>;
  /** About how many bytes it takes. */
  size: number;
  madeAt: number;
}

export interface PageCache {
  /** The page under a key, rendered once however many ask for it at the same time. */
  get: (key: string, render: () => Promise<CachedPage>) => Promise<CachedPage>;
  /** The page under a key if it can be sent as it is. */
  fresh: (key: string) => CachedPage | undefined;
  /** What a call answers a visitor, asked once for all pages that show it, until a tag of its is dropped. */
  answer: (key: string, ask: () => Promise<Pick<KeptAnswer, 'value' | 'tags'>>) => Promise<KeptAnswer>;
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
/** Pages are rendered from answers that are no older; counts, which drop nothing, are at most that much behind. */
const ANSWER_MS = 20_000;
const MAX_ANSWERS = { bytes: 16 * 1024 * 1024, entries: 1000 };

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

/** Bounded, least recently used out first. */
function createShelf<T extends Tagged>(
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
    /** Used last, so dropped last. */
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
 * Makes what is asked for once, however many ask at the same time. What is being made may have read the old rows when
 * a tag is dropped: it is answered to whoever asked before, never joined by those who ask after, and stored only when
 * it turns out not to show what was dropped.
 */
function createMaker<T extends Tagged>(store: (key: string, made: T) => void) {
  let underWay = new Map<string, Promise<T>>();
  /** For each under way, what was dropped since it began. */
  const dropped = new Set<Set<string>>();
  let generation = 0;

  return {
    make(key: string, make: () => Promise<T>): Promise<T> {
      const joined = underWay.get(key);
      if (joined !== undefined) return joined;
      const begun = generation;
      const group = underWay;
      const meanwhile = new Set<string>();
      dropped.add(meanwhile);
      const promise = make()
        .then((made) => {
          if (begun === generation && made.tags.isDisjointFrom(meanwhile)) store(key, made);
          return made;
        })
        .finally(() => {
          dropped.delete(meanwhile);
          group.delete(key);
        });
      group.set(key, promise);
      return promise;
    },
    drop(tags: ReadonlySet<string>): void {
      underWay = new Map();
      for (const meanwhile of dropped) for (const tag of tags) meanwhile.add(tag);
    },
    /** Nothing that is under way is stored. */
    restart(): void {
      generation += 1;
      underWay = new Map();
    },
  };
}

/** A dropped tag takes with it every stored page that shows it, and every answer. */
export function createPageCache(now: () => number = Date.now): PageCache {
  const lasting = createShelf({ bytes: MAX_BYTES, entries: Number.POSITIVE_INFINITY }, weight);
  const brief = createShelf(MAX_BRIEF, weight);
  const answers = createShelf<KeptAnswer>(MAX_ANSWERS, (key, { size }) => key.length + 1024 + size);
  const shelves = [lasting, brief, answers];
  let isOpen = true;
  let hits = 0;
  let misses = 0;

  const shelfOf = ({ maxAgeMs }: CachedPage) => (maxAgeMs === undefined ? lasting : brief);
  const find = (key: string) => lasting.get(key) ?? brief.get(key);

  const pageMaker = createMaker<CachedPage>((key, page) => {
    // Unknown addresses are without number: they must not push real pages out.
    if (isOpen && page.status === 200) shelfOf(page).add(key, page);
  });
  const answerMaker = createMaker<KeptAnswer>((key, answer) => {
    if (isOpen) answers.add(key, answer);
  });
  const makers = [pageMaker, answerMaker];

  return {
    get(key, render) {
      const page = find(key);
      const age = page === undefined ? Number.POSITIVE_INFINITY : now() - page.renderedAt;
      if (page === undefined || age > (page.maxAgeMs ?? STALE_MS)) {
        misses += 1;
        return pageMaker.make(key, render);
      }
      hits += 1;
      shelfOf(page).touch(key, page);
      // Refreshing is for the next reader; if it fails, this one already has its page.
      if (age > FRESH_MS) pageMaker.make(key, render).catch(() => {});
      return Promise.resolve(page);
    },
    fresh(key) {
      const page = find(key);
      if (page === undefined || now() - page.renderedAt > (page.maxAgeMs ?? FRESH_MS)) return undefined;
      shelfOf(page).touch(key, page);
      return page;
    },
    answer(key, ask) {
      const kept = answers.get(key);
      if (kept === undefined || now() - kept.madeAt > ANSWER_MS) {
        const madeAt = now();
        return answerMaker.make(key, async () => {
          const { value, tags } = await ask();
          return { value, tags, size: 2 * (JSON.stringify(value)?.length ?? 0), madeAt };
        });
      }
      answers.touch(key, kept);
      return Promise.resolve(kept);
    },
    countHit() {
      hits += 1;
    },
    drop(tags) {
      const gone = new Set(tags);
      if (gone.size === 0) return;
      for (const maker of makers) maker.drop(gone);
      for (const shelf of shelves) shelf.drop(gone);
    },
    setOpen(open) {
      isOpen = open;
      for (const maker of makers) maker.restart();
      for (const shelf of shelves) shelf.clear();
    },
    stats: () => ({
      pages: lasting.size() + brief.size(),
      bytes: lasting.bytes() + brief.bytes(),
      hits,
      misses,
    }),
  };
}
