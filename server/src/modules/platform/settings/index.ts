import { defaultSettings } from '@mozhan/contract/default-settings.ts';
import { type SiteSettings, siteSettings } from '@mozhan/contract/site.ts';
import { eq, sql } from 'drizzle-orm';
import { ConfigError } from '../../../config/config.ts';
import { addPageTags, type Ctx, inTransaction, invalidate, logChange } from '../../../ctx.ts';
import type { Db } from '../../../db/client.ts';
import { createLookup } from '../../../db/lookup.ts';
import { type Encryption, keyIdOf } from '../../../secrets/encryption.ts';
import { newSiteSecret, secretContextOf, wrongKeyError } from '../../../secrets/secrets.ts';
import { settings } from './tables.ts';

export { createPreviewToken, parsePreviewToken } from './preview.ts';
export { defaultSwitches, loadSwitches, SWITCHES_TAG, updateSwitches } from './switches.ts';

const SITE_KEY = 'site';

/** Returns undefined if the key is not set. */
export async function findSetting(db: Db, key: string): Promise<unknown> {
  const [row] = await db.select({ value: settings.value }).from(settings).where(eq(settings.key, key));
  return row?.value;
}

const findCachedSetting = createLookup((db) => {
  const query = db
    .select({ key: settings.key, value: settings.value })
    .from(settings)
    .where(sql`${settings.key} = any(${sql.placeholder('keys')}::text[])`)
    .prepare('settings');
  return async (keys) => new Map((await query.execute({ keys })).map(({ key, value }) => [key, value]));
});

const SITE_TAG = 'site';

const readStoredSettings = async (ctx: Ctx): Promise<SiteSettings> =>
  mergeWithDefaults((await findCachedSetting(ctx, SITE_KEY)) ?? {});

/** Merges defaults, the values set by operators, and those of a preview. Pages share what was read until it changes. */
export async function getSiteSettings(ctx: Ctx): Promise<SiteSettings> {
  if (ctx.pageTags === null) return { ...(await readStoredSettings(ctx)), ...ctx.preview };
  addPageTags(ctx, SITE_TAG);
  const { value } = await ctx.services.pages.callResult('settings', async () => ({
    value: await readStoredSettings(ctx),
    tags: new Set([SITE_TAG]),
  }));
  return { ...value, ...ctx.preview };
}

const storedSettings = siteSettings.partial();

const mergeWithDefaults = (stored: unknown): SiteSettings => ({
  ...defaultSettings,
  ...storedSettings.parse(stored),
});

/** Updates only the given fields, so that concurrent changes of other fields are kept. */
export function updateSiteSettings(ctx: Ctx, given: Partial<SiteSettings>): Promise<SiteSettings> {
  return inTransaction(ctx, async (ctx) => {
    const isSite = eq(settings.key, SITE_KEY);
    await ctx.db
      .insert(settings)
      .values({ key: SITE_KEY, value: {}, updatedAt: ctx.now })
      .onConflictDoNothing();
    const [stored] = await ctx.db.select().from(settings).where(isSite).for('update');
    const before = mergeWithDefaults(stored?.value);
    const [merged] = await ctx.db
      .update(settings)
      .set({ value: sql`${settings.value} || ${JSON.stringify(given)}::jsonb`, updatedAt: ctx.now })
      .where(isSite)
      .returning();
    const after = mergeWithDefaults(merged?.value);
    const isGiven = ([field]: [string, unknown]) => field in given;
    const fields = (all: SiteSettings) => Object.fromEntries(Object.entries(all).filter(isGiven));
    invalidate(ctx, SITE_TAG);
    logChange(ctx, 'setting:site', fields(before), fields(after));
    return after;
  });
}

/** The first process creates the secret; all others read it. */
export async function getSecret(db: Db, now: Date, encryption: Encryption): Promise<string> {
  await db
    .insert(settings)
    .values({
      key: 'secret',
      value: encryption.encrypt(secretContextOf.site, newSiteSecret()),
      updatedAt: now,
    })
    .onConflictDoNothing();
  const value = String(await findSetting(db, 'secret'));
  const keyId = keyIdOf(value);
  if (keyId === null) throw new ConfigError('数据库里的机密还没有加密：请先用 npm start 启动一次');
  if (!encryption.hasKey(keyId)) throw wrongKeyError(keyId);
  return encryption.decrypt(secretContextOf.site, value);
}

export async function updateSetting(ctx: Pick<Ctx, 'db' | 'now'>, key: string, given: object): Promise<void> {
  await ctx.db
    .insert(settings)
    .values({ key, value: given, updatedAt: ctx.now })
    .onConflictDoUpdate({
      target: settings.key,
      set: { value: sql`${settings.value} || excluded.value`, updatedAt: ctx.now },
    });
}

export const isClaimed = async (db: Db, key: string): Promise<boolean> =>
  (await db.$count(settings, eq(settings.key, key))) > 0;

/** Marks a one-time task as done in the caller's transaction; returns true for the first caller only. */
export async function claimOnce(db: Db, key: string, now: Date): Promise<boolean> {
  const inserted = await db
    .insert(settings)
    .values({ key, value: true, updatedAt: now })
    .onConflictDoNothing()
    .returning({ key: settings.key });
  return inserted.length > 0;
}
