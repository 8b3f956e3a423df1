import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isOn } from '@mozhan/contract/enums.ts';
import { CallError, invalidField } from '@mozhan/contract/errors.ts';
import type { PageReference } from '@mozhan/contract/navigation.ts';
import { FRIEND_LINKS_PATH, infoPageNames, isInfoPageName, pagePath } from '@mozhan/contract/page-address.ts';
import type * as calls from '@mozhan/contract/site.ts';
import type { z } from 'zod';
import { addPageTags, type Ctx, inTransaction, invalidate, logChange, type Viewer } from '../../../../ctx.ts';
import { newId } from '../../../../db/id.ts';
import { type Prepared, prepareThenRun } from '../../../../prepared.ts';
import { callerOf } from '../../../../threads/fair-queue.ts';
import { renderMarkdown } from '../../../platform/text/index.ts';
import { getNavigation, lockNavigation } from '../queries/navigation.ts';
import * as queries from '../queries/pages.ts';
import { listLinkedPages, listPagesInNavigation, toPageReference } from '../rules/navigation.ts';
import { findFreeSlug, toPageSlug } from '../rules/page-slugs.ts';
import type { PageRow } from '../tables.ts';
import { countEnabledFriendLinks, FRIEND_LINKS_TAG } from './friend-links.ts';

/** Of everything that depends on which pages exist. */
const PAGES_TAG = 'pages';
const MAX_PAGES = 200;

const tagOf = (page: Pick<PageRow, 'id' | 'slug'>): string => `page:${toPageReference(page)}`;

export const renderPage = (ctx: Ctx, content: string) =>
  renderMarkdown(callerOf(ctx), content, { siteUrl: ctx.services.config.siteUrl });

export async function getInfoPage(ctx: Ctx, name: PageReference): Promise<PageRow> {
  addPageTags(ctx, `page:${name}`);
  return queries.getPage(ctx.db, name);
}

export async function getPublishedPage(ctx: Ctx, slug: string): Promise<PageRow> {
  addPageTags(ctx, PAGES_TAG);
  const page = await queries.getPublishedPage(ctx.db, slug);
  addPageTags(ctx, tagOf(page));
  return page;
}

/** Paths of pages besides those that come with the program, for the sitemap. */
export async function listPagePaths(ctx: Ctx): Promise<{ path: string; changedAt?: Date }[]> {
  addPageTags(ctx, PAGES_TAG, FRIEND_LINKS_TAG);
  const pages = await queries.listPublishedPages(ctx.db);
  const hasFriendLinks = (await countEnabledFriendLinks(ctx)) > 0;
  return [
    ...pages.map(({ slug, updatedAt }) => ({ path: pagePath(slug), changedAt: updatedAt })),
    ...(hasFriendLinks ? [{ path: FRIEND_LINKS_PATH }] : []),
  ];
}

/** References to the pages that header or footer link to. */
export const listShownPages = async (ctx: Ctx): Promise<Set<string>> =>
  listLinkedPages(await getNavigation(ctx.db));

/** Inserts the bundled pages that are missing; existing pages are never overwritten. */
export async function seedInfoPages(ctx: Ctx): Promise<void> {
  const present = new Set((await queries.listInfoPages(ctx.db)).map(({ slug }) => slug));
  for (const slug of infoPageNames.filter((each) => !present.has(each))) {
    const { title, content } = await readBundledPage(slug);
    const page = toNewPage(ctx, { slug, title, content }, await renderPage(ctx, content));
    await queries.insertInfoPage(ctx.db, { ...page, published: true });
  }
}

/** The first line is the title. */
async function readBundledPage(name: string): Promise<{ title: string; content: string }> {
  const text = await readFile(join(import.meta.dirname, '../pages', `${name}.md`), 'utf8');
  const [, title, content] = /^# (.+?)\n+(.+)$/s.exec(text) ?? [];
  if (title === undefined || content === undefined) throw new Error(`no title in ${name}.md`);
  return { title, content };
}

/** A draft. */
export const toNewPage = (
  ctx: Ctx,
  given: Pick<PageRow, 'slug' | 'title' | 'content'>,
  { html, toc }: Pick<PageRow, 'html' | 'toc'>,
): PageRow => ({
  id: newId(),
  ...given,
  html,
  toc,
  version: 1,
  published: false,
  publishedAt: null,
  updatedAt: ctx.now,
  transferId: null,
  importKey: null,
  importedVersion: null,
});

const toLog = ({ title, slug, published, content, version }: PageRow) => ({
  title,
  slug,
  published,
  content,
  version,
});

/** A page without text must not become public. */
function requireContent({ published, content }: PageRow): void {
  if (published && content.trim() === '') throw invalidField('content', '先写正文，再发布');
}

/** Invalidates cached pages that show the page or link to it. */
export async function invalidatePage(ctx: Ctx, before: PageRow | null, after: PageRow | null): Promise<void> {
  const page = after ?? before;
  if (page === null) return;
  invalidate(ctx, tagOf(page));
  const isListed = (row: PageRow | null) => row?.published === true;
  if (isListed(before) !== isListed(after) || before?.slug !== after?.slug) invalidate(ctx, PAGES_TAG);
  const hasSameLink =
    isListed(before) === isListed(after) && before?.slug === after?.slug && before?.title === after?.title;
  if (hasSameLink) return;
  const navigation = await lockNavigation(ctx.db, 'share');
  if (listPagesInNavigation(navigation).has(toPageReference(page))) invalidate(ctx, 'site');
}

/** Inserts a page under the given slug, or under a free one made of `wanted`. */
export async function insertPage(ctx: Ctx, page: PageRow, wanted?: string): Promise<PageRow> {
  await queries.lockPageCreation(ctx.db);
  if ((await queries.countOwnPages(ctx.db)) >= MAX_PAGES) throw new CallError('TOO_MANY_PAGES');
  const slug = wanted === undefined ? page.slug : findFreeSlug(wanted, await queries.listSlugs(ctx.db));
  const row = { ...page, slug };
  await queries.insertPage(ctx.db, row);
  await invalidatePage(ctx, null, row);
  return row;
}

export async function prepareCreate(
  ctx: Ctx,
  viewer: Viewer,
  { title, slug = '', content = '', published }: z.output<typeof calls.createPage.input>,
): Promise<Prepared<PageRow>> {
  const draft = toNewPage(ctx, { slug, title, content }, await renderPage(ctx, content));
  const page: PageRow = isOn(published, false) ? { ...draft, published: true, publishedAt: ctx.now } : draft;
  requireContent(page);
  return (ctx) =>
    inTransaction(ctx, async (ctx) => {
      const row = await insertPage(ctx, page, slug === '' ? toPageSlug(title) : undefined);
      await queries.insertPageVersion(ctx.db, row, viewer.id);
      logChange(ctx, tagOf(row), null, toLog(row));
      return row;
    });
}

type Update = z.output<typeof calls.updatePage.input>;

function requireAllowed(before: PageRow, { slug = before.slug, published }: Update): void {
  if (isInfoPageName(before.slug) && (slug !== before.slug || !isOn(published, true)))
    throw new CallError('PAGE_BUILT_IN');
}

/** Optimistic locking: fails with `STALE_VERSION` if the page changed since it was read. */
export async function prepareUpdate(ctx: Ctx, viewer: Viewer, input: Update): Promise<Prepared<PageRow>> {
  const rendered = input.content === undefined ? {} : await renderPage(ctx, input.content);
  return (ctx) =>
    inTransaction(ctx, async (ctx) => {
      const before = await queries.lockPage(ctx.db, input.page);
      if (before.version !== input.version) throw new CallError('STALE_VERSION');
      requireAllowed(before, input);
      const { title = before.title, content = before.content, slug = before.slug } = input;
      const published = isOn(input.published, before.published);
      const page: PageRow = {
        ...before,
        ...rendered,
        title,
        content,
        slug,
        published,
        publishedAt: before.publishedAt ?? (published && !before.published ? ctx.now : null),
        version: before.version + 1,
        updatedAt: ctx.now,
      };
      requireContent(page);
      await storeUpdate(ctx, before, page, viewer.id);
      logChange(ctx, tagOf(page), toLog(before), toLog(page));
      return page;
    });
}

export const updatePage = prepareThenRun(prepareUpdate);

export async function storeUpdate(
  ctx: Ctx,
  before: PageRow,
  page: PageRow,
  userId: string | null,
): Promise<void> {
  if (page.slug !== before.slug) await queries.replaceSlug(ctx.db, before, page.slug, ctx.now);
  await queries.updatePage(ctx.db, page);
  // The bundled version is not in the history yet.
  await queries.insertPageVersion(ctx.db, before, null);
  await queries.insertPageVersion(ctx.db, page, userId);
  await invalidatePage(ctx, before, page);
}

export const removePage = (ctx: Ctx, reference: PageReference): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    const page = await queries.lockPage(ctx.db, reference);
    if (isInfoPageName(page.slug)) throw new CallError('PAGE_BUILT_IN');
    await queries.removePages(ctx.db, [page.id]);
    await invalidatePage(ctx, page, null);
    logChange(ctx, tagOf(page), toLog(page), null);
  });
