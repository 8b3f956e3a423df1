import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CallError, invalidField } from '@mozhan/contract/errors.ts';
import {
  type updateInfoPage as call,
  type InfoPageName,
  infoPageNames,
  type SiteSettings,
} from '@mozhan/contract/site.ts';
import type { z } from 'zod';
import { type Ctx, inTransaction, invalidate, logChange, type Viewer } from '../../../../ctx.ts';
import { callerOf, SYSTEM_CALLER } from '../../../../threads/fair-queue.ts';
import { createPreviewToken, getSiteSettings, updateSiteSettings } from '../../../platform/settings/index.ts';
import { renderMarkdown } from '../../../platform/text/index.ts';
import { hasUpload } from '../../../platform/uploads/index.ts';
import * as queries from '../queries/site.ts';
import type { InfoPageRow } from '../tables.ts';
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

/** Inserts the bundled pages that are missing; existing pages are never overwritten. */
export async function seedInfoPages(ctx: Ctx): Promise<void> {
  const present = new Set((await queries.listInfoPages(ctx.db)).map((page) => page.name));
  for (const name of infoPageNames.filter((each) => !present.has(each))) {
    const { title, content } = await readBundledPage(name);
    const page = {
      name,
      title,
      content,
      ...(await renderMarkdown(SYSTEM_CALLER, content, { siteUrl: ctx.services.config.siteUrl })),
      updatedAt: ctx.now,
    };
    await queries.insertInfoPage(ctx.db, page);
  }
}

/** The first line is the title. */
async function readBundledPage(name: InfoPageName): Promise<{ title: string; content: string }> {
  const text = await readFile(join(import.meta.dirname, '../pages', `${name}.md`), 'utf8');
  const [, title, content] = /^# (.+?)\n+(.+)$/s.exec(text) ?? [];
  if (title === undefined || content === undefined) throw new Error(`no title in ${name}.md`);
  return { title, content };
}

/** Optimistic locking: fails with `STALE_VERSION` if the page changed since it was read. */
export async function updateInfoPage(
  ctx: Ctx,
  viewer: Viewer,
  input: z.output<typeof call.input>,
): Promise<InfoPageRow> {
  const rendered =
    input.content === undefined
      ? undefined
      : await renderMarkdown(callerOf(ctx), input.content, { siteUrl: ctx.services.config.siteUrl });
  return inTransaction(ctx, async (ctx) => {
    const before = await queries.lockInfoPage(ctx.db, input.page);
    if (before.version !== input.version) throw new CallError('STALE_VERSION');
    const { title = before.title, content = before.content } = input;
    const page: InfoPageRow = {
      name: input.page,
      title,
      content,
      html: rendered?.html ?? before.html,
      toc: rendered?.toc ?? before.toc,
      version: before.version + 1,
      updatedAt: ctx.now,
    };
    await queries.updateInfoPage(ctx.db, page);
    // The bundled version is not in the history yet.
    await queries.insertInfoPageVersion(ctx.db, before, null);
    await queries.insertInfoPageVersion(ctx.db, page, viewer.id);
    invalidate(ctx, `page:${page.name}`);
    logChange(
      ctx,
      `page:${page.name}`,
      { title: before.title, content: before.content, version: before.version },
      { title, content, version: page.version },
    );
    return page;
  });
}
