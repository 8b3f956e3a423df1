import { statfs } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Health } from '@mozhan/contract/health.ts';
import { TIME_LIMIT_FACTOR } from '../../../../config/time-limits.ts';
import type { Ctx, Services } from '../../../../ctx.ts';
import { chinaDayOf } from '../../../../day.ts';
import { compareMigrations } from '../../../../db/migrate.ts';
import { VERSION } from '../../../../version.ts';
import { findLastUpdate } from '../../backups/index.ts';
import * as queries from '../queries/health.ts';
import { runChecks, worstState } from '../rules/health.ts';

/** A part without a response in this time is reported as broken. */
const TIMEOUT_MS = 3000 * TIME_LIMIT_FACTOR;
/** The sum of stored bytes is expensive, so it is cached. */
const STORED_BYTES_TTL_MS = 5 * 60_000;

/** Each part fails independently; the error is only logged, because it may contain a URL with a password. */
async function tryPart<T>(ctx: Ctx, name: string, find: () => Promise<T>): Promise<T | null> {
  const timeout = sleep(TIMEOUT_MS, undefined, { ref: false }).then(() => {
    throw new Error('timed out');
  });
  return Promise.race([find(), timeout]).catch((error: unknown) => {
    ctx.services.log.warn({ err: error, part: name }, 'health');
    return null;
  });
}

async function measureMs(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return Math.round((performance.now() - startedAt) * 10) / 10;
}

const storedBytesCache = new WeakMap<Services, { at: number; bytes: number }>();

async function findStoredBytes({ services, db, now }: Ctx): Promise<number> {
  const cached = storedBytesCache.get(services);
  if (cached !== undefined && now.getTime() - cached.at < STORED_BYTES_TTL_MS) return cached.bytes;
  const bytes = await queries.findStoredBytes(db);
  storedBytesCache.set(services, { at: now.getTime(), bytes });
  return bytes;
}

async function findDatabase({ services, db }: Ctx): Promise<Health['database']> {
  const latencyMs = await measureMs(() => queries.ping(db));
  return {
    ...(await queries.findDatabaseFigures(db)),
    embedded: services.config.databaseUrl === undefined,
    latencyMs,
  };
}

async function findQueue({ db }: Ctx): Promise<Health['queue']> {
  const { oldest, ...counts } = await queries.findQueueFigures(db);
  return { ...counts, oldest: oldest?.toISOString() ?? null };
}

async function findStorage(ctx: Ctx): Promise<Health['storage']> {
  return { ...(await ctx.services.files.check()), bytes: await findStoredBytes(ctx) };
}

async function findDisk({ services }: Ctx): Promise<Health['disk']> {
  const { bavail, blocks, bsize } = await statfs(services.config.dataDir);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}

async function findRedis(ctx: Ctx): Promise<Health['redis']> {
  const { ping } = ctx.services.live;
  return ping === null ? null : { latencyMs: await tryPart(ctx, 'redis', () => measureMs(ping)) };
}

async function findCodes({ services, db, now }: Ctx): Promise<Health['codes']> {
  const sent = await queries.findSentCodes(db, chinaDayOf(now));
  const { codeBudgets: budgets } = services.config;
  return {
    sms: services.sms === null ? null : { sent: sent.sms, budget: budgets.sms },
    mail: services.mailer === null ? null : { sent: sent.mail, budget: budgets.mail },
  };
}

async function findBackup({ db }: Ctx): Promise<Health['backup']> {
  return { last: (await queries.findLastBackup(db))?.toISOString() ?? null };
}

export async function readHealth(ctx: Ctx): Promise<Health> {
  const { services, now } = ctx;
  const [database, migrations, redis, storage, queue, disk, counts, backup, codes, update] =
    await Promise.all([
      tryPart(ctx, 'database', () => findDatabase(ctx)),
      tryPart(ctx, 'migrations', () => compareMigrations(services.pool)),
      findRedis(ctx),
      tryPart(ctx, 'storage', () => findStorage(ctx)),
      tryPart(ctx, 'queue', () => findQueue(ctx)),
      tryPart(ctx, 'disk', () => findDisk(ctx)),
      tryPart(ctx, 'live', () => services.live.countConnections()),
      tryPart(ctx, 'backup', () => findBackup(ctx)),
      tryPart(ctx, 'codes', () => findCodes(ctx)),
      tryPart(ctx, 'update', () => findLastUpdate(ctx.db)),
    ]);
  const parts = {
    database,
    redis,
    storage,
    queue,
    disk,
    process: {
      version: VERSION,
      update: update === null ? null : { from: update.from, at: update.at },
      node: process.versions.node,
      uptime: Math.floor(process.uptime()),
      memoryBytes: process.memoryUsage.rss(),
      workers: counts?.length ?? 1,
    },
    live: counts === null ? null : { connections: counts.reduce((sum, count) => sum + count, 0) },
    mail: { configured: services.mailer !== null },
    codes,
    backup,
  };
  const checks = runChecks({ ...parts, migrations }, now);
  return { state: worstState(checks), checks, ...parts };
}
