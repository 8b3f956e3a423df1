import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CallError, invalid } from '@mozhan/contract/errors.ts';
import {
  type updateInfoPage as call,
  type InfoPageName,
  infoPageNames,
  type SiteSettings,
} from '@mozhan/contract/site.ts';
import type { z } from 'zod';
import { type Ctx, changed, inTx, touch, type Viewer } from '../../../../ctx.ts';
import { callerOf, SYSTEM } from '../../../../threads/fair-queue.ts';
import { getSiteSettings, makePreview, updateSiteSettings } from '../../../platform/settings/index.ts';
import { renderMarkdown } from '../../../platform/text/index.ts';
import { hasUpload } from '../../../platform/uploads/index.ts';
import * as queries from '../queries/site.ts';
import type { InfoPageRow } from '../tables.ts';
import { type Variables, variablesOf } from '../variables.ts';

export const getVariables = async (ctx: Ctx): Promise<Variables> =>
  variablesOf(await getSiteSettings(ctx), ctx.services.config);

export function updateSettings(
  ctx: Ctx,
  viewer: Viewer,
  given: Partial<SiteSettings>,
): Promise<SiteSettings> {
  return inTx(ctx, async (ctx) => {
    await checkLogo(ctx, viewer, given);
    return updateSiteSettings(ctx, given);
  });
}

async function checkLogo(ctx: Ctx, viewer: Viewer, { logo }: Partial<SiteSettings>): Promise<void> {
  if (!logo?.startsWith('/') || logo === (await getSiteSettings(ctx)).logo) return;
  if (!(await hasUpload(ctx.db, viewer.id, logo))) throw invalid('logo', '请先上传图片，再设为标志');
}

/** Where the home page can be seen as if these had been saved. */
export async function previewSettings(
  ctx: Ctx,
  viewer: Viewer,
  given: Partial<SiteSettings>,
): Promise<string> {
  await checkLogo(ctx, viewer, given);
  return `/home?preview=${makePreview(ctx.services.secret, given, ctx.now)}`;
}

/** The pages that came with the program, where they are missing; what is there stays as operators left it. */
export async function seedInfoPages(ctx: Ctx): Promise<void> {
  const present = new Set((await queries.listInfoPages(ctx.db)).map((page) => page.name));
  for (const name of infoPageNames.filter((each) => !present.has(each))) {
    const { title, content } = await readPage(name);
    const page = {
      name,
      title,
      content,
      ...(await renderMarkdown(SYSTEM, content, { siteUrl: ctx.services.config.siteUrl })),
      updatedAt: ctx.now,
    };
    await queries.insertInfoPage(ctx.db, page);
  }
}

/** Title in the first line, then the text. */
async function readPage(name: InfoPageName): Promise<{ title: string; content: string }> {
  const text = await readFile(join(import.meta.dirname, '../pages', `${name}.md`), 'utf8');
  const [, title, content] = /^# (.+?)\n+(.+)$/s.exec(text) ?? [];
  if (title === undefined || content === undefined) throw new Error(`no title in ${name}.md`);
  return { title, content };
}

/** Whoever saves with the version that is stored wins; the next one has to look at the new text first. */
export async function updateInfoPage(
  ctx: Ctx,
  viewer: Viewer,
  input: z.output<typeof call.input>,
): Promise<InfoPageRow> {
  const rendered =
    input.content === undefined
      ? undefined
      : await renderMarkdown(callerOf(ctx), input.content, { siteUrl: ctx.services.config.siteUrl });
  return inTx(ctx, async (ctx) => {
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
    // The one that came with the program is not among them yet.
    await queries.insertVersion(ctx.db, before, null);
    await queries.insertVersion(ctx.db, page, viewer.id);
    touch(ctx, `page:${page.name}`);
    changed(
      ctx,
      `page:${page.name}`,
      { title: before.title, content: before.content, version: before.version },
      { title, content, version: page.version },
    );
    return page;
  });
}
