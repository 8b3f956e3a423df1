import { defaultSettings } from '@mozhan/contract/default-settings.ts';
import { type SiteSettings, siteSettings } from '@mozhan/contract/site.ts';
import { eq, sql } from 'drizzle-orm';
import { ConfigError } from '../../../config/config.ts';
import { type Ctx, changed, inTx, shows, touch } from '../../../ctx.ts';
import type { Db } from '../../../db/client.ts';
import { createLookup } from '../../../db/lookup.ts';
import { type Encryption, keyIdOf } from '../../../secrets/encryption.ts';
import { newSiteSecret, placeOf, wrongKey } from '../../../secrets/secrets.ts';
import { settings } from './tables.ts';

export { makePreview, readPreview } from './preview.ts';

/** What operators changed of the site. */
const SITE = 'site';

/** Undefined when nobody set it. */
export async function findSetting(db: Db, key: string): Promise<unknown> {
  const [row] = await db.select({ value: settings.value }).from(settings).where(eq(settings.key, key));
  return row?.value;
}

const findShared = createLookup((db) => {
  const query = db
    .select({ key: settings.key, value: settings.value })
    .from(settings)
    .where(sql`${settings.key} = any(${sql.placeholder('keys')}::text[])`)
    .prepare('settings');
  return async (keys) => new Map((await query.execute({ keys })).map(({ key, value }) => [key, value]));
});

/** The site's settings: what operators changed, over the defaults; in a preview, as they would be. */
export async function getSiteSettings(ctx: Ctx): Promise<SiteSettings> {
  shows(ctx, 'site');
  return { ...overDefaults((await findShared(ctx, SITE)) ?? {}), ...ctx.preview };
}

const storedSettings = siteSettings.partial();

const overDefaults = (stored: unknown): SiteSettings => ({
  ...defaultSettings,
  ...storedSettings.parse(stored),
});

/** Changes the given fields; whoever changes others at the same moment loses nothing. */
export function updateSiteSettings(ctx: Ctx, given: Partial<SiteSettings>): Promise<SiteSettings> {
  return inTx(ctx, async (ctx) => {
    const isSite = eq(settings.key, SITE);
    await ctx.db.insert(settings).values({ key: SITE, value: {}, updatedAt: ctx.now }).onConflictDoNothing();
    const [stored] = await ctx.db.select().from(settings).where(isSite).for('update');
    const before = overDefaults(stored?.value);
    const [merged] = await ctx.db
      .update(settings)
      .set({ value: sql`${settings.value} || ${JSON.stringify(given)}::jsonb`, updatedAt: ctx.now })
      .where(isSite)
      .returning();
    const after = overDefaults(merged?.value);
    const isGiven = ([field]: [string, unknown]) => field in given;
    const fields = (all: SiteSettings) => Object.fromEntries(Object.entries(all).filter(isGiven));
    touch(ctx, 'site');
    changed(ctx, 'setting:site', fields(before), fields(after));
    return after;
  });
}

/** Made by whichever process comes first, then the same for all. */
export async function getSecret(db: Db, now: Date, encryption: Encryption): Promise<string> {
  await db
    .insert(settings)
    .values({ key: 'secret', value: encryption.encrypt(placeOf.site, newSiteSecret()), updatedAt: now })
    .onConflictDoNothing();
  const value = String(await findSetting(db, 'secret'));
  const keyId = keyIdOf(value);
  if (keyId === null) throw new ConfigError('数据库里的机密还没有加密：请先用 npm start 启动一次');
  if (!encryption.hasKey(keyId)) throw wrongKey(keyId);
  return encryption.decrypt(placeOf.site, value);
}

/** Changes the given fields of what a module keeps here under a key of its own. */
export async function updateSetting(ctx: Ctx, key: string, given: object): Promise<void> {
  await ctx.db
    .insert(settings)
    .values({ key, value: given, updatedAt: ctx.now })
    .onConflictDoUpdate({
      target: settings.key,
      set: { value: sql`${settings.value} || excluded.value`, updatedAt: ctx.now },
    });
}

/** Whether it is marked as done. */
export const isClaimed = async (db: Db, key: string): Promise<boolean> =>
  (await db.$count(settings, eq(settings.key, key))) > 0;

/** True for exactly one caller, ever: marks something as done in the caller's transaction. */
export async function claim(db: Db, key: string, now: Date): Promise<boolean> {
  const inserted = await db
    .insert(settings)
    .values({ key, value: true, updatedAt: now })
    .onConflictDoNothing()
    .returning({ key: settings.key });
  return inserted.length > 0;
}
