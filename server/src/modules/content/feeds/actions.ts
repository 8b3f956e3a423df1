import { CallError } from '@mozhan/contract/errors.ts';
import { infoPageNames } from '@mozhan/contract/site.ts';
import { type Ctx, inTx, shows } from '../../../ctx.ts';
import { getSiteSettings } from '../../platform/settings/index.ts';
import { listEnabledCategories } from '../categories/index.ts';
import type { PictureText } from './picture.ts';
import * as queries from './queries.ts';
import * as views from './views.ts';

/** What a feed tells of: everything, a category by its slug, or an author. */
export type FeedScope = { slug?: string; authorId?: string };
export type FeedFormat = 'atom' | 'json';

const FEED_SIZE = 20;
/** The protocol allows more; a part of this size is made in a moment. */
const PART_SIZE = 20_000;
const MAX_WRITERS = 50_000;

const siteUrlOf = (ctx: Ctx): string => ctx.services.config.siteUrl ?? '';

async function getCategory(ctx: Ctx, slug: string) {
  const category = (await listEnabledCategories(ctx)).find((each) => each.slug === slug);
  if (category === undefined) throw new CallError('NOT_FOUND');
  return category;
}

async function findSubject(ctx: Ctx, { slug, authorId }: FeedScope) {
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
    shows(ctx, `user:${authorId}`);
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
  return { title, description: tagline, page: '/home', folder: '', of: {} };
}

/** The newest essays, each as much of it as everyone may read. */
export async function makeFeed(ctx: Ctx, scope: FeedScope, format: FeedFormat): Promise<string> {
  const siteUrl = siteUrlOf(ctx);
  const { title, description, page, folder, of } = await findSubject(ctx, scope);
  shows(ctx, 'essays');
  const rows = await queries.listNewest(ctx.db, { ...of, limit: FEED_SIZE });
  for (const { essay } of rows) shows(ctx, `essay:${essay.id}`, `user:${essay.authorId}`);
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

/** Where each part but the first begins; the essays since the last time are divided into parts first. */
async function divide(ctx: Ctx): Promise<queries.Place[]> {
  const known = await queries.listPlaces(ctx.db);
  if ((await queries.findPlace(ctx.db, known.at(-1) ?? null, PART_SIZE)) === null) return known;
  return inTx(ctx, async (ctx) => {
    await queries.lockPlaces(ctx.db);
    const places = await queries.listPlaces(ctx.db);
    for (;;) {
      const next = await queries.findPlace(ctx.db, places.at(-1) ?? null, PART_SIZE);
      if (next === null) return places;
      await queries.insertPlace(ctx.db, next);
      places.push(next);
    }
  });
}

export async function makeSitemapIndex(ctx: Ctx): Promise<string> {
  const siteUrl = siteUrlOf(ctx);
  shows(ctx, 'essays');
  const places = await divide(ctx);
  const numbered = Array.from({ length: places.length + 1 }, (_, index) => String(index + 1));
  return views.toSitemapIndex(
    ['pages', 'authors', ...numbered].map((part) => `${siteUrl}/sitemap/${part}.xml`),
  );
}

async function listPages(ctx: Ctx): Promise<views.SitemapEntry[]> {
  const categories = await listEnabledCategories(ctx);
  const paths = [
    '/home',
    ...categories.map(({ slug }) => `/essay/${slug}.html`),
    ...infoPageNames.map((name) => `/${name}.html`),
  ];
  return paths.map((path) => ({ url: siteUrlOf(ctx) + path }));
}

async function listAuthors(ctx: Ctx): Promise<views.SitemapEntry[]> {
  const writers = await queries.listWriters(ctx.db, MAX_WRITERS);
  return writers.map(({ id }) => ({ url: views.authorUrl(siteUrlOf(ctx), id) }));
}

async function listEssays(ctx: Ctx, number: number): Promise<views.SitemapEntry[]> {
  const places = await queries.listPlaces(ctx.db);
  if (number > places.length + 1) throw new CallError('NOT_FOUND');
  const [start = null, end = null] = [places[number - 2], places[number - 1]];
  const rows = await queries.listShelved(ctx.db, { start, end, limit: PART_SIZE + 1 });
  const next = rows[PART_SIZE];
  // Essays came back to this part, or into it: the rest of it is the next part from now on.
  if (next !== undefined && end !== null && next.publishedAt !== null)
    await queries.insertPlace(ctx.db, { publishedAt: next.publishedAt, essayId: next.id });
  return rows.slice(0, PART_SIZE).map((row) => views.toEssayEntry(siteUrlOf(ctx), row));
}

/** A part of the sitemap: the pages of the site, its writers, or some of its essays. */
export async function makeSitemapPart(ctx: Ctx, part: string): Promise<string> {
  if (part === 'pages') return views.toSitemap(await listPages(ctx));
  if (part === 'authors') return views.toSitemap(await listAuthors(ctx));
  if (!/^[1-9]\d{0,5}$/.test(part)) throw new CallError('NOT_FOUND');
  return views.toSitemap(await listEssays(ctx, Number(part)));
}

/** What a picture is drawn from: an essay's title, a category's name, or the name of the site. */
export async function getPictureText(ctx: Ctx, name: string): Promise<PictureText> {
  const { title: site, tagline } = await getSiteSettings(ctx);
  if (/^[0-9a-f]{32}$/.test(name)) {
    shows(ctx, `essay:${name}`);
    const title = await queries.findShelvedTitle(ctx.db, name);
    if (title === null) throw new CallError('NOT_FOUND');
    return { title, site };
  }
  if (name === 'site') return { title: tagline || site, site };
  return { title: (await getCategory(ctx, name)).name, site };
}
