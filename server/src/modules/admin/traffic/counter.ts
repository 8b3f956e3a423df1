import type { IncomingMessage } from 'node:http';
import { textBefore } from '@mozhan/contract/text-scan.ts';
import { type TrafficDimension, trafficDimension } from '@mozhan/contract/traffic.ts';
import { createAddressReader } from '../../../address.ts';
import type { Services } from '../../../ctx.ts';
import { chinaDayOf } from '../../../day.ts';
import { createDb } from '../../../db/client.ts';
import { regionOf } from '../../../http/requester.ts';
import { addToDay, type TrafficCounts } from './queries/write.ts';
import {
  essayOf,
  isPageLoad,
  labelOf,
  MAX_HEADER_LENGTH,
  OTHER,
  parseReferrer,
  parseUserAgent,
  parseUtm,
  readablePath,
  readLoadHeaders,
  UNKNOWN,
  withoutWww,
} from './rules.ts';

const WRITE_INTERVAL_MS = 10_000;
/** Distinct values of a dimension between two writes; further ones are counted together. */
const MAX_VALUES = 1000;
/** Visitors between two writes; further ones are counted as views only. */
const MAX_VISITORS = 10_000;
const MAX_REMEMBERED = 2000;

/** Remembers the results for short texts, because most requests repeat them; forgets all when full. */
function memoize<T>(parse: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const parsed = parse(text.slice(0, MAX_HEADER_LENGTH));
    if (known.size >= MAX_REMEMBERED) known.clear();
    if (text.length <= MAX_HEADER_LENGTH) known.set(text, parsed);
    return parsed;
  };
}

function createCounts(): TrafficCounts {
  const maps = trafficDimension.options.map((dimension) => [dimension, new Map()]);
  return { views: 0, visits: 0, values: Object.fromEntries(maps), essays: new Map(), visitors: new Set() };
}

function add(counts: Map<string, number>, value: string, by = 1): void {
  const key = counts.has(value) || counts.size < MAX_VALUES ? value : OTHER;
  counts.set(key, (counts.get(key) ?? 0) + by);
}

function addVisitor(visitors: Set<string>, visitor: string): void {
  if (visitors.size < MAX_VISITORS) visitors.add(visitor);
}

/** Adds what could not be written to what has been counted since. */
function merge(counts: TrafficCounts, unwritten: TrafficCounts): void {
  counts.views += unwritten.views;
  counts.visits += unwritten.visits;
  for (const dimension of trafficDimension.options)
    for (const [value, count] of unwritten.values[dimension]) add(counts.values[dimension], value, count);
  for (const [key, count] of unwritten.essays) add(counts.essays, key, count);
  for (const visitor of unwritten.visitors) addVisitor(counts.visitors, visitor);
}

export interface TrafficCounter {
  /** Counts a page that is sent. */
  count: (request: IncomingMessage) => void;
  /** Writes what has been counted; otherwise it is written every few seconds. */
  flush: () => Promise<void>;
  close: () => Promise<void>;
}

/**
 * Counts page loads in memory and adds them to the figures of the day every few seconds, so that a cached page costs some
 * map entries. A crash loses what was counted since the last write.
 */
export function createTrafficCounter({
  config,
  pool,
  clock,
  log,
}: Pick<Services, 'config' | 'pool' | 'clock' | 'log'>): TrafficCounter {
  const db = createDb(pool);
  const addressOf = createAddressReader(config);
  const siteHost = withoutWww(URL.parse(config.siteUrl ?? '')?.hostname ?? '');
  const sourceOf = memoize(parseReferrer);
  const agentOf = memoize(parseUserAgent);
  const regionOfAddress = memoize((address) => regionOf(address) || UNKNOWN);
  const hostOf = memoize((host) => withoutWww(host.toLowerCase().replace(/:\d+$/, '')));
  const pathOf = memoize(readablePath);
  let counts = createCounts();

  function count(request: IncomingMessage): void {
    const headers = readLoadHeaders(request.rawHeaders);
    const agent = isPageLoad(headers) ? agentOf(headers.userAgent) : null;
    if (agent === null) return;
    const url = (request.url ?? '').slice(config.basePath.length);
    const escapedPath = textBefore(url, '?');
    const path = pathOf(escapedPath);
    const source = sourceOf(headers.referrer);
    const isInternal =
      headers.fetchSite === 'same-origin' ||
      (source.host !== '' && (source.host === siteHost || source.host === hostOf(headers.host)));
    counts.views += 1;
    add(counts.values.page, path);
    if (!isInternal) counts.visits += 1;
    if (headers.isUntracked) return;
    const address = addressOf(request);
    addVisitor(counts.visitors, `${address}\n${headers.userAgent.slice(0, MAX_HEADER_LENGTH)}`);
    if (isInternal) return;
    const label = labelOf(source);
    const values: [TrafficDimension, string][] = [
      ['source', label],
      ['region', regionOfAddress(address)],
      ['device', agent.device],
      ['browser', agent.browser],
      ['system', agent.system],
      ...parseUtm(url.slice(escapedPath.length)),
    ];
    if (source.engine !== undefined) values.push(['searchEngine', source.engine]);
    for (const [dimension, value] of values) add(counts.values[dimension], value);
    const essay = essayOf(path);
    if (essay !== undefined) add(counts.essays, `${essay}\n${label}`);
  }

  async function write(): Promise<void> {
    if (counts.views === 0) return;
    const taken = counts;
    counts = createCounts();
    try {
      await addToDay(db, chinaDayOf(clock()), taken);
    } catch (error) {
      merge(counts, taken);
      log.warn({ err: error }, 'traffic');
    }
  }

  let running = Promise.resolve();
  const flush = () => {
    running = running.then(write);
    return running;
  };
  const timer = setInterval(flush, WRITE_INTERVAL_MS);
  timer.unref();

  return {
    count,
    flush,
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}
