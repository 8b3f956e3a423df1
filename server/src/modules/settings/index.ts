import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { type SiteSettings, siteSettings } from '#contract/site.ts';
import { type Ctx, shows } from '../../ctx.ts';
import type { Db } from '../../db/client.ts';
import { settings } from './tables.ts';

export const defaultSite: SiteSettings = {
  title: '墨栈',
  tagline: '写下代码背后的思考',
  logo: '',
  navTheme: 'light',
  colorPrimary: '#ff6968',
  layout: 'top',
  contentWidth: 'Fixed',
  fixedHeader: true,
  fixSiderbar: true,
  colorWeak: false,
  pwa: false,
  icp: '',
  psb: '',
};

async function find(db: Db, key: string): Promise<unknown> {
  const [row] = await db.select({ value: settings.value }).from(settings).where(eq(settings.key, key));
  return row?.value;
}

/** The site's settings: what operators changed, over the defaults. */
export async function getSiteSettings(ctx: Ctx): Promise<SiteSettings> {
  shows(ctx, 'site');
  const stored = siteSettings.partial().parse((await find(ctx.db, 'site')) ?? {});
  return { ...defaultSite, ...stored };
}

/** Made by whichever process comes first, then the same for all. */
export async function getSecret(db: Db, now: Date): Promise<string> {
  await db
    .insert(settings)
    .values({ key: 'secret', value: randomBytes(32).toString('base64url'), updatedAt: now })
    .onConflictDoNothing();
  return String(await find(db, 'secret'));
}

/** True for exactly one caller, ever: marks something as done in the caller's transaction. */
export async function claim(db: Db, key: string, now: Date): Promise<boolean> {
  const inserted = await db
    .insert(settings)
    .values({ key, value: true, updatedAt: now })
    .onConflictDoNothing()
    .returning({ key: settings.key });
  return inserted.length > 0;
}
