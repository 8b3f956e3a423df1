import { invalidField } from '@mozhan/contract/errors.ts';
import type { SiteSettings } from '@mozhan/contract/site.ts';
import { type Ctx, inTransaction, type Viewer } from '../../../../ctx.ts';
import { createPreviewToken, getSiteSettings, updateSiteSettings } from '../../../platform/settings/index.ts';
import { hasUpload } from '../../../platform/uploads/index.ts';
import { queueRanking } from '../../essays/index.ts';
import { toVariables, type Variables } from '../variables.ts';

export const getVariables = async (ctx: Ctx): Promise<Variables> =>
  toVariables(await getSiteSettings(ctx), ctx.services.config);

export function updateSettings(
  ctx: Ctx,
  viewer: Viewer,
  changes: Partial<SiteSettings>,
): Promise<SiteSettings> {
  return inTransaction(ctx, async (ctx) => {
    await checkLogo(ctx, viewer, changes);
    if (changes.hotDays !== undefined || changes.hotFloor !== undefined) await queueRanking(ctx);
    return updateSiteSettings(ctx, changes);
  });
}

async function checkLogo(ctx: Ctx, viewer: Viewer, { logo }: Partial<SiteSettings>): Promise<void> {
  if (!logo?.startsWith('/') || logo === (await getSiteSettings(ctx)).logo) return;
  if (!(await hasUpload(ctx.db, viewer.id, logo))) throw invalidField('logo', '请先上传图片，再设为标志');
}

/** Returns the URL of the home page with these settings applied but not saved. */
export async function previewSettings(
  ctx: Ctx,
  viewer: Viewer,
  changes: Partial<SiteSettings>,
): Promise<string> {
  await checkLogo(ctx, viewer, changes);
  return `/home?preview=${createPreviewToken(ctx.services.secret, changes, ctx.now)}`;
}
