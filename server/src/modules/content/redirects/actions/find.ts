import type { Services } from '../../../../ctx.ts';
import { createDb } from '../../../../db/client.ts';
import { createLookup } from '../../../../db/lookup.ts';
import { systemCtx } from '../../../../jobs.ts';
import { essayPathOf } from '../../essays/index.ts';
import { addMissing, type MissingCount } from '../queries/missing-paths.ts';
import { addHits, type FoundRow, findForAddresses, type HitCount } from '../queries/redirects.ts';
import {
  type Address,
  folderOf,
  isMobileEssay,
  locationOf,
  missingAddressOf,
  normalizeAddress,
} from '../rules/addresses.ts';

/** Collected in memory and written together, at most once in this time. */
const WRITE_INTERVAL_MS = 1000;
const MAX_COUNTED = 10_000;
const MAX_WRITTEN = 1000;

const findByAddress = createLookup((db) => async (keys) => {
  const addresses = keys.map((key): Address => {
    const [path, query] = JSON.parse(key);
    return { path, query };
  });
  const found = await findForAddresses(db, addresses);
  return new Map(
    keys.flatMap((key, index) => (found.has(index) ? [[key, found.get(index) as FoundRow]] : [])),
  );
});

/** A map that forgets its oldest entry when it is full. */
function remember<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.size > MAX_COUNTED ? map.keys() : [];
  if (oldest !== undefined) map.delete(oldest);
}

/** Counts in memory what is written later. An address that was not found is listed from its second request on. */
function createCounters() {
  const hits = new Map<string, Omit<HitCount, 'id'>>();
  const missing = new Map<string, Omit<MissingCount, 'path'>>();
  const unwritten = new Set<string>();

  return {
    addHit(id: string, now: Date): void {
      remember(hits, id, { hits: (hits.get(id)?.hits ?? 0) + 1, lastAt: now });
    },
    addMissing(path: string, now: Date): void {
      const known = missing.get(path);
      remember(missing, path, {
        hits: (known?.hits ?? 0) + 1,
        firstAt: known?.firstAt ?? now,
        lastAt: now,
      });
      if (known !== undefined) unwritten.add(path);
    },
    takeHits(): HitCount[] {
      const taken = [...hits].slice(0, MAX_WRITTEN).map(([id, count]) => ({ id, ...count }));
      for (const { id } of taken) hits.delete(id);
      return taken;
    },
    takeMissing(): MissingCount[] {
      const taken = [...unwritten].slice(0, MAX_WRITTEN);
      return taken.flatMap((path) => {
        unwritten.delete(path);
        const entry = missing.get(path);
        if (entry === undefined) return [];
        const { hits: count, firstAt, lastAt } = entry;
        missing.set(path, { ...entry, hits: 0 });
        return [{ path, hits: count, firstAt, lastAt }];
      });
    },
  };
}

/** Lookups are cached until a redirect changes, or the essay or page that one leads to. */
const tagsOf = (found: FoundRow | null): Set<string> =>
  new Set([
    'redirects',
    ...(found?.essay_id == null ? [] : [`essay:${found.essay_id}`]),
    ...(found?.target?.startsWith('/page/') ? ['pages'] : []),
  ]);

/** Finds redirects for requests that would get a 404, and counts both their hits and the requests that stay without one. */
export function createRedirectFinder(services: Services) {
  const { clock, log, pages, config } = services;
  const counters = createCounters();
  const db = createDb(services.pool);

  async function write(): Promise<void> {
    const hits = counters.takeHits();
    if (hits.length > 0) await addHits(db, hits);
    const missing = counters.takeMissing();
    if (missing.length > 0) await addMissing(db, missing);
  }

  let running = Promise.resolve();
  const writeNext = () => {
    running = running.then(write).catch((error: unknown) => log.warn({ err: error }, 'redirect counts'));
  };
  const timer = setInterval(writeNext, WRITE_INTERVAL_MS);
  timer.unref();

  async function find(address: Address, beforeQuery: () => void): Promise<FoundRow | null> {
    const key = JSON.stringify([address.path, address.query]);
    const { value } = await pages.redirectResult(key, async () => {
      beforeQuery();
      const found = await findByAddress(systemCtx(services), key);
      return { value: found, tags: tagsOf(found) };
    });
    return value as FoundRow | null;
  }

  async function findFolder(address: Address, beforeQuery: () => void): Promise<FoundRow | null> {
    const folder = folderOf(address);
    return folder === null ? null : find(folder, beforeQuery);
  }

  return {
    /** `beforeQuery` runs before the database is asked, and may throw. */
    async find(
      pathname: string,
      search: string,
      beforeQuery: () => void,
    ): Promise<{ location: string } | { page: string } | null> {
      const address = normalizeAddress(pathname, search);
      if (address === null) return null;
      const found = (await find(address, beforeQuery)) ?? (await findFolder(address, beforeQuery));
      if (found === null) return null;
      const { id, essay_id: essayId, slug, query } = found;
      // The page of a deleted essay says so.
      if (essayId !== null && found.deleted) return { page: `/essay/detail/${essayId}.html` };
      // The new address could tell the title of something that is not public.
      if (found.hidden) return null;
      counters.addHit(id, clock());
      const path = essayId === null ? (found.target ?? '/') : essayPathOf({ id: essayId, slug });
      const target =
        isMobileEssay(pathname) && essayId !== null ? path.replace('/detail/', '/mdetail/') : path;
      return { location: locationOf({ target, query }, { basePath: config.basePath, search }) };
    },
    countMissing(pathname: string, search: string): void {
      const path = missingAddressOf(pathname, search);
      if (path !== null) counters.addMissing(path, clock());
    },
    /** Writes what has been counted. */
    async close(): Promise<void> {
      clearInterval(timer);
      writeNext();
      await running;
    },
  };
}
