import type { IncomingMessage } from 'node:http';
import { textBefore } from '@mozhan/contract/text-scan.ts';
import { trafficDimension } from '@mozhan/contract/traffic.ts';
import { createForwardedReader } from '../../../address.ts';
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
  parseUtm,
  readablePath,
  readLoadHeaders,
  UNKNOWN,
  withoutWww,
} from './rules.ts';
import { parseUserAgent } from './user-agent.ts';

const READ_INTERVAL_MS = 250;
const WRITE_INTERVAL_MS = 10_000;
/** Page loads whose headers are read at a time, so that neither peaks nor attacks cost more than some milliseconds. */
const MAX_WAITING = 120;
/** Distinct values of a dimension in memory; further ones are counted together. */
const MAX_VALUES = 1000;
/** Visitors in memory; further ones are counted as views only. */
const MAX_VISITORS = 10_000;
const MAX_REMEMBERED = 2000;
const MAX_FORWARDED_LENGTH = 300;

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
  const known = counts.get(value);
  if (known !== undefined || counts.size < MAX_VALUES) counts.set(value, (known ?? 0) + by);
  else counts.set(OTHER, (counts.get(OTHER) ?? 0) + by);
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

interface Load {
  url: string;
  rawHeaders: readonly string[];
  connection: string;
}

/**
 * Collects page loads, reads their headers four times a second and adds the counts to the figures of the day every ten
 * seconds, so that a cached page costs an array entry. Of an interval with more loads than can be read, the others are added
 * to views and visits in proportion. A crash loses what was counted since the last write.
 */
export function createTrafficCounter({
  config,
  pool,
  clock,
  log,
}: Pick<Services, 'config' | 'pool' | 'clock' | 'log'>): TrafficCounter {
  const db = createDb(pool);
  const readAddress = createForwardedReader(config);
  const addressOf = memoize((addresses) => {
    const [connection = '', forwarded = ''] = addresses.split('\n');
    return readAddress(connection, forwarded);
  });
  const siteHost = withoutWww(URL.parse(config.siteUrl ?? '')?.hostname ?? '');
  const sourceOf = memoize(parseReferrer);
  const agentOf = memoize(parseUserAgent);
  const regionOfAddress = memoize((address) => regionOf(address) || UNKNOWN);
  const hostOf = memoize((host) => withoutWww(host.toLowerCase().replace(/:\d+$/, '')));
  const pathOf = memoize(readablePath);
  let counts = createCounts();
  let waiting: Load[] = [];
  let unread = 0;

  function read({ url: fullUrl, rawHeaders, connection }: Load): void {
    const headers = readLoadHeaders(rawHeaders);
    const agent = isPageLoad(headers) ? agentOf(headers.userAgent) : null;
    if (agent === null) return;
    const url = fullUrl.slice(config.basePath.length);
    const escapedPath = textBefore(url, '?');
    const path = pathOf(escapedPath);
    const source = sourceOf(headers.referrer);
    // Requests of the service worker have the site of the worker.
    const isInternal =
      (headers.fetchSite === 'same-origin' && headers.fetchDest !== 'empty') ||
      (source.host !== '' && (source.host === siteHost || source.host === hostOf(headers.host)));
    counts.views += 1;
    add(counts.values.page, path);
    if (!isInternal) counts.visits += 1;
    if (headers.isUntracked) return;
    // Proxies append, so only the end of a long list can be trusted.
    const forwarded = headers.forwardedFor.slice(-MAX_FORWARDED_LENGTH);
    const address = addressOf(`${connection}\n${forwarded}`);
    addVisitor(counts.visitors, `${address}\n${headers.userAgent.slice(0, MAX_HEADER_LENGTH)}`);
    if (isInternal) return;
    const label = labelOf(source);
    const { values } = counts;
    add(values.source, label);
    add(values.region, regionOfAddress(address));
    add(values.device, agent.device);
    add(values.browser, agent.browser);
    add(values.system, agent.system);
    if (source.engine !== undefined) add(values.searchEngine, source.engine);
    for (const [dimension, value] of parseUtm(url.slice(escapedPath.length))) add(values[dimension], value);
    const essay = essayOf(path);
    if (essay !== undefined) add(counts.essays, `${essay}\n${label}`);
  }

  function readWaiting(): void {
    const loads = waiting;
    const { views, visits } = counts;
    waiting = [];
    for (const load of loads) read(load);
    if (unread === 0) return;
    counts.views += Math.round((unread * (counts.views - views)) / loads.length);
    counts.visits += Math.round((unread * (counts.visits - visits)) / loads.length);
    unread = 0;
  }

  async function write(): Promise<void> {
    readWaiting();
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
  const timers = [setInterval(readWaiting, READ_INTERVAL_MS), setInterval(flush, WRITE_INTERVAL_MS)];
  for (const timer of timers) timer.unref();

  return {
    count({ url = '', rawHeaders, socket }) {
      if (waiting.length < MAX_WAITING)
        waiting.push({ url, rawHeaders, connection: socket.remoteAddress ?? '' });
      else unread += 1;
    },
    flush,
    async close() {
      for (const timer of timers) clearInterval(timer);
      await flush();
    },
  };
}
