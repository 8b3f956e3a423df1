import type { Permission } from '@mozhan/contract/client.ts';
import type { TokenScope } from '@mozhan/contract/define.ts';
import type { SearchEngines } from '@mozhan/contract/search-engines.ts';
import type { SiteSettings } from '@mozhan/contract/site.ts';
import type { Switches } from '@mozhan/contract/switches.ts';
import type { Identity } from '@mozhan/contract/users.ts';
import { sql } from 'drizzle-orm';
import type { FastifyBaseLogger } from 'fastify';
import type pg from 'pg';
import type { Config } from './config/config.ts';
import type { Db } from './db/client.ts';
import { isDeadlock } from './db/errors.ts';
import type { FileStore, ReceivedFile } from './files/files.ts';
import type { PageCache } from './http/page-cache.ts';
import type { Live } from './live/live.ts';
import type { Metrics } from './metrics.ts';
import type { MailSamples } from './module.ts';
import type { LoadedBans } from './modules/accounts/bans/index.ts';
import type { TrafficCounter } from './modules/admin/traffic/index.ts';
import type { Providers } from './modules/payments/orders/index.ts';
import type { Mailer, SmsSender } from './modules/platform/mail-sms/index.ts';
import type { Encryption } from './secrets/encryption.ts';
import type { SharedState } from './shared-state.ts';

export interface Services {
  config: Config;
  pool: pg.Pool;
  /** Connections for prepared look-ups by key. */
  lookupPool: pg.Pool;
  /** Connections with the planner settings of full-text search. */
  searchPool: pg.Pool;
  log: FastifyBaseLogger;
  clock: () => Date;
  /** Signs challenges, codes and download links. Created at the first start and the same in every process. */
  secret: string;
  encryption: Encryption;
  live: Live;
  pages: PageCache;
  /** What operators have closed. */
  switches: SharedState<Switches>;
  searchEngines: SharedState<SearchEngines>;
  metrics: Metrics;
  bans: SharedState<LoadedBans>;
  traffic: TrafficCounter;
  files: FileStore;
  mailer: Mailer | null;
  sms: SmsSender | null;
  mailSamples: MailSamples;
  /** Cron expressions of the scheduled jobs, in UTC. */
  schedule: Readonly<Record<string, string>>;
  /** Deletes a user's data in all modules when the account is closed. */
  eraseUser: (ctx: Ctx, user: Viewer) => Promise<void>;
  /** Tells all modules that an essay's address changes, in the transaction that changes it. */
  essayMoved: (ctx: Ctx, move: EssayMove) => Promise<void>;
  /** Whether this installation has a route for the path, without the base path. */
  isOwnPath: (path: string) => Promise<boolean>;
  providers: Providers;
}

/** Creates a value when an app first needs it, such as a queue; tests run several apps in one process. */
export function oncePerApp<T>(create: (services: Services) => T): (services: Services) => T {
  const created = new WeakMap<Services, { value: T }>();
  return (services) => {
    const existing = created.get(services);
    if (existing !== undefined) return existing.value;
    const value = create(services);
    created.set(services, { value });
    return value;
  };
}

export interface EssayMove {
  essayId: string;
  /** The address that must keep working, without the base path; null if nobody can know one. */
  oldPath: string | null;
  /** The address that the essay takes; null if it has only that of its id. */
  newPath: string | null;
}

export interface Viewer {
  id: string;
  sessionId: string;
  account: string;
  displayName: string;
  curIdentity: Identity;
  isStaff: boolean;
  isSuper: boolean;
  permissions: readonly Permission[];
  mustChangePassword: boolean;
  /** The scopes of the API token of this request; undefined for a signed-in session. */
  scopes?: readonly TokenScope[];
}

export interface Requester {
  requestId: string;
  address: string;
  /** Browser and system, such as `Chrome · Windows`. */
  device: string;
  userAgent: string;
  /** Province or country; '' when unknown. */
  region: string;
}

interface Effects {
  tags: Set<string>;
  afterCommit: (() => void)[];
}

export interface Ctx {
  services: Services;
  db: Db;
  viewer: Viewer | null;
  now: Date;
  requester: Requester;
  /** Aborted when the client disconnects or the request times out; null outside a request. */
  signal: AbortSignal | null;
  /** The uploaded file of a call that accepts one; deleted after the call. */
  file: ReceivedFile | null;
  /** Value of the response header `token`; '' makes the client delete its token. */
  reply: { token?: string };
  /** Collects the cache tags of everything that the rendered page displays; null when no page is rendered. */
  pageTags: Set<string> | null;
  /** Unsaved settings with which a page is previewed. */
  preview?: Partial<SiteSettings>;
  changes: { target: string; before: unknown; after: unknown }[];
  effects: Effects | null;
}

/** A transaction that PostgreSQL aborts because of a deadlock is retried. */
const MAX_ATTEMPTS = 3;

/** Runs `work` in a transaction, or in the current one if there is one. Effects run in order after the commit. */
export async function inTransaction<T>(ctx: Ctx, work: (ctx: Ctx) => Promise<T>): Promise<T> {
  if (ctx.effects !== null) return work(ctx);
  const changes = ctx.changes.length;
  for (let attempt = 1; ; attempt++) {
    try {
      return await runTransaction(ctx, work);
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isDeadlock(error)) throw error;
      ctx.changes.length = changes;
    }
  }
}

async function runTransaction<T>(ctx: Ctx, work: (ctx: Ctx) => Promise<T>): Promise<T> {
  const effects: Effects = { tags: new Set(), afterCommit: [] };
  const result = await ctx.db.transaction(async (tx) => {
    const value = await work({ ...ctx, db: tx, effects });
    await publishInvalidations(tx, [...effects.tags]);
    return value;
  });
  // Before the response is sent, so that this process never serves the old page again; other processes get the notification.
  ctx.services.pages.invalidate(effects.tags);
  for (const effect of effects.afterCommit) effect();
  return result;
}

/** A PostgreSQL notification is limited to 8000 bytes; a tag takes about fifty. */
const MAX_TAGS_PER_NOTIFICATION = 100;

async function publishInvalidations(db: Db, tags: string[]): Promise<void> {
  for (let from = 0; from < tags.length; from += MAX_TAGS_PER_NOTIFICATION) {
    const payload = tags.slice(from, from + MAX_TAGS_PER_NOTIFICATION).join(' ');
    await db.execute(sql`select pg_notify('pages', ${payload})`);
  }
}

export function afterCommit(ctx: Ctx, effect: () => void): void {
  if (ctx.effects === null) throw new Error('afterCommit must be called inside inTransaction');
  ctx.effects.afterCommit.push(effect);
}

/** Makes the user's open pages reload the account data after the transaction has committed. */
export const notifyAccountChanged = (ctx: Ctx, userId: string): void =>
  afterCommit(ctx, () => ctx.services.live.emitToUser(userId, 'account'));

/** Invalidates every cached page with one of these tags when the transaction commits. */
export function invalidate(ctx: Ctx, ...tags: string[]): void {
  if (ctx.effects === null) throw new Error('invalidate must be called inside inTransaction');
  for (const tag of tags) ctx.effects.tags.add(tag);
}

/** Tags the page being rendered, so that `invalidate` with one of these tags removes it from the cache. */
export function addPageTags(ctx: Ctx, ...tags: string[]): void {
  for (const tag of tags) ctx.pageTags?.add(tag);
}

/** Records what a staff call changed, for the operation log. */
export function logChange(ctx: Ctx, target: string, before: unknown, after: unknown): void {
  ctx.changes.push({ target, before, after });
}
