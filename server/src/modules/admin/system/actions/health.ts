import { readFile, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Health } from '@mozhan/contract/health.ts';
import type { Ctx, Services } from '../../../../ctx.ts';
import { dayOf } from '../../../../day.ts';
import { compareMigrations } from '../../../../db/migrate.ts';
import * as queries from '../queries/health.ts';
import { checksOf, worstOf } from '../rules/health.ts';

/** Whoever has not answered by then is shown as broken. */
const PATIENCE_MS = 3000;
/** What takes a while to add up is as old as this at the most. */
const STORED_MS = 5 * 60_000;

const manifest = join(import.meta.dirname, '../../../../../../package.json');

/** Every part fails alone; why is for the log, where nobody reads addresses who should not. */
async function part<T>(ctx: Ctx, name: string, find: () => Promise<T>): Promise<T | null> {
  const late = sleep(PATIENCE_MS, undefined, { ref: false }).then(() => {
    throw new Error('no answer in time');
  });
  return Promise.race([find(), late]).catch((error: unknown) => {
    ctx.services.log.warn({ err: error, part: name }, 'health');
    return null;
  });
}

async function timed(work: () => Promise<void>): Promise<number> {
  const begun = performance.now();
  await work();
  return Math.round((performance.now() - begun) * 10) / 10;
}

const stored = new WeakMap<Services, { at: number; bytes: number }>();

async function findStoredBytes({ services, db, now }: Ctx): Promise<number> {
  const known = stored.get(services);
  if (known !== undefined && now.getTime() - known.at < STORED_MS) return known.bytes;
  const bytes = await queries.findStoredBytes(db);
  stored.set(services, { at: now.getTime(), bytes });
  return bytes;
}

async function findDatabase({ services, db }: Ctx): Promise<Health['database']> {
  const latencyMs = await timed(() => queries.ping(db));
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
  return ping === null ? null : { latencyMs: await part(ctx, 'redis', () => timed(ping)) };
}

async function findCodes({ services, db, now }: Ctx): Promise<Health['codes']> {
  const sent = await queries.findSentCodes(db, dayOf(now));
  const { codeBudgets: budgets } = services.config;
  return {
    sms: services.sms === null ? null : { sent: sent.sms, budget: budgets.sms },
    mail: services.mailer === null ? null : { sent: sent.mail, budget: budgets.mail },
  };
}

async function findBackup({ db }: Ctx): Promise<Health['backup']> {
  return { last: (await queries.findLastBackup(db))?.toISOString() ?? null };
}

async function findVersion(): Promise<string> {
  const { version }: { version: string } = JSON.parse(await readFile(manifest, 'utf8'));
  return version;
}

export async function readHealth(ctx: Ctx): Promise<Health> {
  const { services, now } = ctx;
  const [database, migrations, redis, storage, queue, disk, counts, backup, codes, version] =
    await Promise.all([
      part(ctx, 'database', () => findDatabase(ctx)),
      part(ctx, 'migrations', () => compareMigrations(services.pool)),
      findRedis(ctx),
      part(ctx, 'storage', () => findStorage(ctx)),
      part(ctx, 'queue', () => findQueue(ctx)),
      part(ctx, 'disk', () => findDisk(ctx)),
      part(ctx, 'live', () => services.live.countConnections()),
      part(ctx, 'backup', () => findBackup(ctx)),
      part(ctx, 'codes', () => findCodes(ctx)),
      part(ctx, 'version', findVersion),
    ]);
  const parts = {
    database,
    redis,
    storage,
    queue,
    disk,
    process: {
      version: version ?? '',
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
  const checks = checksOf({ ...parts, migrations }, now);
  return { state: worstOf(checks), checks, ...parts };
}
