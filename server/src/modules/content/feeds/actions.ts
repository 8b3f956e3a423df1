import { CallError } from '@mozhan/contract/errors.ts';
import { infoPageNames } from '@mozhan/contract/page-address.ts';
import { addPageTags, type Ctx, inTransaction } from '../../../ctx.ts';
import { getSiteSettings } from '../../platform/settings/index.ts';
import { listEnabledCategories } from '../categories/index.ts';
import { columnPathOf } from '../essays/index.ts';
import { listPagePaths } from '../site/index.ts';
import type { OgImageText } from './og-image.ts';
import * as queries from './queries.ts';
import * as views from './views.ts';

/** All essays, those of a category, of an author, of a column, or with a tag. */
export type FeedScope = { slug?: string; authorId?: string; columnId?: string; tag?: string };
export type FeedFormat = 'atom' | 'json';

const FEED_SIZE = 20;
/** The protocol allows 50,000; smaller parts render faster. */
const PART_SIZE = 20_000;
const MAX_WRITERS = 50_000;
const MAX_COLUMNS = 50_000;

const siteUrlOf = (ctx: Ctx): string => ctx.services.config.siteUrl ?? '';

async function getCategory(ctx: Ctx, slug: string) {
  const category = (await listEnabledCategories(ctx)).find((each) => each.slug === slug);
  if (category === undefined) throw new CallError('NOT_FOUND');
  return category;
}

async function getFeedSubject(ctx: Ctx, { slug, authorId, columnId, tag }: FeedScope) {
  const { title, tagline } = await getSiteSettings(ctx);
  if (slug !== undefined) {
    const category = await getCategory(ctx, slug);
    return {
      title: `${category.name} · ${title}`,
      description: '',
      page: `/essay/${slug}.html`,
      folder: `/essay/${slug}`,
      of: { categoryId: category.id },
    };
  }
  if (authorId !== undefined) {
    addPageTags(ctx, `user:${authorId}`);
    const author = await queries.findAuthor(ctx.db, authorId);
    if (author === null) throw new CallError('NOT_FOUND');
    return {
      title: `${author.displayName} · ${title}`,
      description: author.bio,
      page: `/user/home/${authorId}.html`,
      folder: `/user/${authorId}`,
      of: { authorId },
    };
  }
  if (columnId !== undefined) {
    addPageTags(ctx, `column:${columnId}`);
    const column = await queries.findColumn(ctx.db, columnId);
    if (column === null) throw new CallError('NOT_FOUND');
    return {
      title: `${column.name} · ${title}`,
      description: column.summary,
      page: columnPathOf(columnId),
      folder: `/column/${columnId}`,
      of: { columnId },
    };
  }
  if (tag !== undefined) {
    const name = await queries.findTagName(ctx.db, tag);
    if (name === null) throw new CallError('NOT_FOUND');
    return {
      title: `${name} · ${title}`,
      description: '',
      page: `/home?${new URLSearchParams({ tag: name })}`,
      folder: `/tag/${encodeURIComponent(name)}`,
      of: { tag: name },
    };
  }
  return { title, description: tagline, page: '/home', folder: '', of: {} };
}

export async function renderFeed(ctx: Ctx, scope: FeedScope, format: FeedFormat): Promise<string> {
  const siteUrl = siteUrlOf(ctx);
  const { title, description, page, folder, of } = await getFeedSubject(ctx, scope);
  addPageTags(ctx, 'essays');
  const rows = await queries.listNewest(ctx.db, { ...of, limit: FEED_SIZE });
  for (const { essay } of rows) addPageTags(ctx, `essay:${essay.id}`, `user:${essay.authorId}`);
  const feed: views.Feed = {
    title,
    description,
    home: siteUrl + page,
    atom: `${siteUrl}${folder}/feed.xml`,
    json: `${siteUrl}${folder}/feed.json`,
    rows,
  };
  return format === 'atom' ? views.toAtom(feed, siteUrl) : views.toJsonFeed(feed, siteUrl);
}

/** Adds part boundaries for essays published since the last call. Returns where each part but the first begins. */
async function updatePartStarts(ctx: Ctx): Promise<queries.PartStart[]> {
  const known = await queries.listPartStarts(ctx.db);
  if ((await queries.findPartStart(ctx.db, known.at(-1) ?? null, PART_SIZE)) === null) return known;
  return inTransaction(ctx, async (ctx) => {
    await queries.lockParts(ctx.db);
    const partStarts = await queries.listPartStarts(ctx.db);
    for (;;) {
      const next = await queries.findPartStart(ctx.db, partStarts.at(-1) ?? null, PART_SIZE);
      if (next === null) return partStarts;
      await queries.insertPartStart(ctx.db, next);
      partStarts.push(next);
    }
  });
}

export async function renderSitemapIndex(ctx: Ctx): Promise<string> {
  const siteUrl = siteUrlOf(ctx);
  addPageTags(ctx, 'essays');
  const partStarts = await updatePartStarts(ctx);
  const numbered = Array.from({ length: partStarts.length + 1 }, (_, index) => String(index + 1));
  return views.toSitemapIndex(
    ['pages', 'authors', 'columns', ...numbered].map((part) => `${siteUrl}/sitemap/${part}.xml`),
  );
}

async function listPages(ctx: Ctx): Promise<views.SitemapEntry[]> {
  const categories = await listEnabledCategories(ctx);
  const paths = [
    '/home',
    ...categories.map(({ slug }) => `/essay/${slug}.html`),
    ...infoPageNames.map((name) => `/${name}.html`),
  ];
  const siteUrl = siteUrlOf(ctx);
  const pages = await listPagePaths(ctx);
  return [
    ...paths.map((path) => ({ url: siteUrl + path })),
    ...pages.map(({ path, ...changed }) => ({ url: siteUrl + path, ...changed })),
  ];
}

async function listAuthors(ctx: Ctx): Promise<views.SitemapEntry[]> {
  const writers = await queries.listWriters(ctx.db, MAX_WRITERS);
  return writers.map(({ id }) => ({ url: views.authorUrl(siteUrlOf(ctx), id) }));
}

async function listColumns(ctx: Ctx): Promise<views.SitemapEntry[]> {
  const columns = await queries.listFilledColumns(ctx.db, MAX_COLUMNS);
  return columns.map(({ id }) => ({ url: siteUrlOf(ctx) + columnPathOf(id) }));
}

async function listEssays(ctx: Ctx, number: number): Promise<views.SitemapEntry[]> {
  const partStarts = await queries.listPartStarts(ctx.db);
  if (number > partStarts.length + 1) throw new CallError('NOT_FOUND');
  const [start = null, end = null] = [partStarts[number - 2], partStarts[number - 1]];
  const rows = await queries.listShelved(ctx.db, { start, end, limit: PART_SIZE + 1 });
  const next = rows[PART_SIZE];
  // The part has grown beyond its size, so the rest becomes a new part.
  if (next !== undefined && end !== null && next.publishedAt !== null)
    await queries.insertPartStart(ctx.db, { publishedAt: next.publishedAt, essayId: next.id });
  return rows.slice(0, PART_SIZE).map((row) => views.toEssayEntry(siteUrlOf(ctx), row));
}

/** `part` is `pages`, `authors`, `columns` or the number of a part with essays. */
export async function renderSitemapPart(ctx: Ctx, part: string): Promise<string> {
  if (part === 'pages') return views.toSitemap(await listPages(ctx));
  if (part === 'authors') return views.toSitemap(await listAuthors(ctx));
  if (part === 'columns') return views.toSitemap(await listColumns(ctx));
  if (!/^[1-9]\d{0,5}$/.test(part)) throw new CallError('NOT_FOUND');
  return views.toSitemap(await listEssays(ctx, Number(part)));
}

/** `name` is the id of an essay or of a column, the slug of a category, or `site`. */
export async function getOgImageText(ctx: Ctx, name: string): Promise<OgImageText> {
  const { title: site, tagline } = await getSiteSettings(ctx);
  if (/^[0-9a-f]{32}$/.test(name)) {
    addPageTags(ctx, `essay:${name}`, `column:${name}`);
    const title =
      (await queries.findShelvedTitle(ctx.db, name)) ??
      (await queries.findColumn(ctx.db, name))?.name ??
      null;
    if (title === null) throw new CallError('NOT_FOUND');
    return { title, site };
  }
  if (name === 'site') return { title: tagline || site, site };
  return { title: (await getCategory(ctx, name)).name, site };
}
