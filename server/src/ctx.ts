import type { Permission } from '@mozhan/contract/client.ts';
import type { Scope } from '@mozhan/contract/define.ts';
import type { SiteSettings } from '@mozhan/contract/site.ts';
import type { Identity } from '@mozhan/contract/users.ts';
import { sql } from 'drizzle-orm';
import type { FastifyBaseLogger } from 'fastify';
import type pg from 'pg';
import type { Config } from './config/config.ts';
import type { Db } from './db/client.ts';
import { isDeadlock } from './db/errors.ts';
import type { Files, ReceivedFile } from './files/files.ts';
import type { PageCache } from './http/page-cache.ts';
import type { Live } from './live/live.ts';
import type { Providers } from './modules/payments/orders/index.ts';
import type { Mailer, SmsSender } from './modules/platform/mail-sms/index.ts';
import type { Encryption } from './secrets/encryption.ts';

/** What one process holds for its whole life. */
export interface Services {
  config: Config;
  pool: pg.Pool;
  /** For named look-ups by key. */
  lookups: pg.Pool;
  /** For searching. */
  searches: pg.Pool;
  log: FastifyBaseLogger;
  clock: () => Date;
  /** Signs challenges, codes and download links; made at first start, the same in every process. */
  secret: string;
  /** For secrets in the database. */
  encryption: Encryption;
  live: Live;
  pages: PageCache;
  files: Files;
  mailer: Mailer | null;
  sms: SmsSender | null;
  /** Jobs that come by themselves, and when: minute, hour, day, month, day of the week, in UTC. */
  schedule: Readonly<Record<string, string>>;
  /** Removes what the modules keep of a user whose account is closed. */
  erase: (ctx: Ctx, user: Viewer) => Promise<void>;
  /** Those who take money for us, as far as they are configured. */
  providers: Providers;
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
  /** Known by an API token, which may do no more than this; none: signed in. */
  scopes?: readonly Scope[];
}

/** Where a request comes from. */
export interface Asker {
  requestId: string;
  address: string;
  /** `Chrome · Windows`. */
  device: string;
  userAgent: string;
  /** Province or country, '' when unknown. */
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
  asker: Asker;
  /** Aborted when nobody waits for the answer any more; none for work that no request asked for. */
  signal: AbortSignal | null;
  /** The uploaded file of a file call, there until the call is answered. */
  file: ReceivedFile | null;
  /** What the response header `token` will carry; '' tells the client to forget its token. */
  reply: { token?: string };
  /** What a page shows is collected here while it is rendered. */
  shown: Set<string> | null;
  /** Settings that a page is tried with before they are saved. */
  preview?: Partial<SiteSettings>;
  /** What a staff write changed, for the operation log. */
  changes: { target: string; before: unknown; after: unknown }[];
  effects: Effects | null;
}

/** What the database breaks off because two waited for each other is done once more, this often at the most. */
const ATTEMPTS = 3;

/** Runs `work` in one transaction; inside another it joins it. Effects happen after commit, in order. */
export async function inTx<T>(ctx: Ctx, work: (ctx: Ctx) => Promise<T>): Promise<T> {
  if (ctx.effects !== null) return work(ctx);
  const changes = ctx.changes.length;
  for (let attempt = 1; ; attempt++) {
    try {
      return await runTx(ctx, work);
    } catch (error) {
      if (attempt === ATTEMPTS || !isDeadlock(error)) throw error;
      ctx.changes.length = changes;
    }
  }
}

async function runTx<T>(ctx: Ctx, work: (ctx: Ctx) => Promise<T>): Promise<T> {
  const effects: Effects = { tags: new Set(), afterCommit: [] };
  const result = await ctx.db.transaction(async (tx) => {
    const value = await work({ ...ctx, db: tx, effects });
    await announce(tx, [...effects.tags]);
    return value;
  });
  // Before anyone is answered: this process never serves the old page again. Others hear the notification.
  ctx.services.pages.drop(effects.tags);
  for (const effect of effects.afterCommit) effect();
  return result;
}

/** A notification holds less than eight thousand bytes, of which a tag takes some fifty. */
const TAGS_AT_ONCE = 100;

async function announce(db: Db, tags: string[]): Promise<void> {
  for (let from = 0; from < tags.length; from += TAGS_AT_ONCE) {
    const some = tags.slice(from, from + TAGS_AT_ONCE).join(' ');
    await db.execute(sql`select pg_notify('pages', ${some})`);
  }
}

/** Runs once the transaction is committed, never if it fails. */
export function afterCommit(ctx: Ctx, effect: () => void): void {
  if (ctx.effects === null) throw new Error('afterCommit is for use inside inTx');
  ctx.effects.afterCommit.push(effect);
}

/** Tells a person's open pages to fetch their own account again, once the transaction is committed. */
export const accountChanged = (ctx: Ctx, userId: string): void =>
  afterCommit(ctx, () => ctx.services.live.toUser(userId, 'account'));

/** Drops every cached page that shows this, when the transaction commits. */
export function touch(ctx: Ctx, ...tags: string[]): void {
  if (ctx.effects === null) throw new Error('touch is for use inside inTx');
  for (const tag of tags) ctx.effects.tags.add(tag);
}

/** Notes that what is being read here will be on the page. */
export function shows(ctx: Ctx, ...tags: string[]): void {
  for (const tag of tags) ctx.shown?.add(tag);
}

/** Says what a staff write changed. */
export function changed(ctx: Ctx, target: string, before: unknown, after: unknown): void {
  ctx.changes.push({ target, before, after });
}
