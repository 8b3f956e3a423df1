import { invalidField } from '@mozhan/contract/errors.ts';
import { type Ctx, inTransaction, invalidate } from '../../../../ctx.ts';
import type { Prepared } from '../../../../prepared.ts';
import { lockNavigation } from '../queries/navigation.ts';
import * as queries from '../queries/pages.ts';
import { listPagesInNavigation } from '../rules/navigation.ts';
import { findFreeSlug, toPageSlug } from '../rules/page-slugs.ts';
import type { PageRow } from '../tables.ts';
import { insertPage, renderPage, storeUpdate, toNewPage } from './pages.ts';

const MAX_TITLE_LENGTH = 50;
const MAX_CONTENT_LENGTH = 100_000;
/** The index limits the length of a key. */
const MAX_KEY_LENGTH = 500;

export interface IncomingPage {
  /** Any text: a slug of this site is made of it, and a number is added if that is taken. */
  slug: string;
  title: string;
  content: string;
  publishedAt: Date | null;
  updatedAt: Date | null;
  isPublished: boolean;
  /** The import that brings the page. */
  transferId: string;
  /** Identifies the page among those of its source; by default the slug. */
  key?: string;
  /** Earlier imports of the same source, whose pages are updated instead of created again. */
  earlierTransferIds?: readonly string[];
}

export interface ImportedPage {
  id: string;
  slug: string;
  /** `kept`: it exists and is the same, or was edited on this site. */
  outcome: 'created' | 'updated' | 'kept';
  version: number;
}

/** The slugs that new pages will get if they are imported in this order. */
export async function planPageSlugs(
  ctx: Ctx,
  pages: readonly Pick<IncomingPage, 'slug' | 'title'>[],
): Promise<string[]> {
  const taken = await queries.listSlugs(ctx.db);
  return pages.map(({ slug, title }) => {
    const free = findFreeSlug(toPageSlug(slug === '' ? title : slug), taken);
    taken.add(free);
    return free;
  });
}

/** Titles are single lines. */
const toTitle = (text: string): string =>
  [...text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()].slice(0, MAX_TITLE_LENGTH).join('').trim() ||
  '无题';

const removeNul = (text: string): string => text.replaceAll('\0', '');

/** Creates a page, or updates the one that the same source brought before unless it was edited since. */
export async function importPage(ctx: Ctx, incoming: IncomingPage): Promise<ImportedPage> {
  const { slug, transferId, isPublished, earlierTransferIds = [] } = incoming;
  const content = removeNul(incoming.content);
  if (content.length > MAX_CONTENT_LENGTH)
    throw invalidField('content', `正文超过 ${MAX_CONTENT_LENGTH / 10_000} 万字`);
  const wanted = toPageSlug(slug === '' ? incoming.title : slug);
  const title = toTitle(incoming.title);
  const key = removeNul(incoming.key ?? wanted).slice(0, MAX_KEY_LENGTH);
  const published = isPublished && content.trim() !== '';
  const dates = {
    publishedAt: published ? (incoming.publishedAt ?? ctx.now) : null,
    updatedAt: incoming.updatedAt ?? incoming.publishedAt ?? ctx.now,
  };
  const rendered = await renderPage(ctx, content);
  return inTransaction(ctx, async (ctx) => {
    await queries.lockPageCreation(ctx.db);
    const before = await queries.lockImportedPage(ctx.db, [transferId, ...earlierTransferIds], key);
    if (before === null) {
      const page: PageRow = {
        ...toNewPage(ctx, { slug: wanted, title, content }, rendered),
        ...dates,
        published,
        transferId,
        importKey: key,
        importedVersion: 1,
      };
      const created = await insertPage(ctx, page, wanted);
      await queries.insertPageVersion(ctx.db, created, ctx.viewer?.id ?? null);
      return { id: created.id, slug: created.slug, outcome: 'created', version: 1 };
    }
    const { id, version } = before;
    const isSame = before.title === title && before.content === content && before.published === published;
    if (isSame || version !== before.importedVersion)
      return { id, slug: before.slug, outcome: 'kept', version };
    const next = version + 1;
    const page: PageRow = { ...before, ...rendered, ...dates, title, content, published };
    await storeUpdate(ctx, before, { ...page, version: next, importedVersion: next }, ctx.viewer?.id ?? null);
    return { id, slug: before.slug, outcome: 'updated', version: next };
  });
}

export type PageContent = Pick<PageRow, 'title' | 'content' | 'published' | 'publishedAt' | 'updatedAt'>;

/**
 * Replaces what an import brought by a later state of it, which is not an edit. The result is the content before, or
 * null if the page was edited or removed since.
 */
export async function prepareImportedPage(
  ctx: Ctx,
  id: string,
  change: (before: PageContent) => PageContent,
): Promise<Prepared<PageContent | null>> {
  const given = await queries.findPageById(ctx.db, id);
  if (given === null) return async () => null;
  const { title, content, published, publishedAt, updatedAt } = given;
  const before = { title, content, published, publishedAt, updatedAt };
  const changed = change(before);
  const next = { ...changed, title: toTitle(changed.title), content: removeNul(changed.content) };
  if (next.content.length > MAX_CONTENT_LENGTH)
    throw invalidField('content', `正文超过 ${MAX_CONTENT_LENGTH / 10_000} 万字`);
  const rendered = await renderPage(ctx, next.content);
  return (ctx) =>
    inTransaction(ctx, async (ctx) => {
      const page = await queries.lockPageById(ctx.db, id);
      if (page === null || page.version !== given.version || page.version !== page.importedVersion)
        return null;
      const version = page.version + 1;
      const isPublished = next.published && next.content.trim() !== '';
      const after: PageRow = { ...page, ...rendered, ...next, published: isPublished };
      await storeUpdate(ctx, page, { ...after, version, importedVersion: version }, ctx.viewer?.id ?? null);
      return before;
    });
}

/** Removes the pages that an import created, except those that were edited since. */
export function removeImportedPages(
  ctx: Ctx,
  transferId: string,
  ids?: readonly string[],
): Promise<{ removedIds: string[]; kept: { id: string; title: string }[] }> {
  return inTransaction(ctx, async (ctx) => {
    const imported = (await queries.lockImportedPages(ctx.db, transferId)).filter(
      ({ id }) => ids === undefined || ids.includes(id),
    );
    const isUnchanged = ({ version, importedVersion }: queries.ListedPageRow) => version === importedVersion;
    const removedIds = imported.filter(isUnchanged).map(({ id }) => id);
    const kept = imported.filter((page) => !isUnchanged(page)).map(({ id, title }) => ({ id, title }));
    if (removedIds.length > 0) {
      await queries.removePages(ctx.db, removedIds);
      invalidate(ctx, 'pages', ...removedIds.map((id) => `page:${id}`));
      const linked = listPagesInNavigation(await lockNavigation(ctx.db, 'share'));
      if (removedIds.some((id) => linked.has(id))) invalidate(ctx, 'site');
    }
    return { removedIds, kept };
  });
}
