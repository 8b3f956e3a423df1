import { replaceSections, replaceTags, splitTags } from '@mozhan/contract/text-scan.ts';
import { essayPathOf } from '../essays/index.ts';
import type { EssayRow } from '../essays/tables.ts';
import type { FeedRow } from './queries.ts';

export interface Feed {
  title: string;
  description: string;
  /** URL of the page; `atom` and `json` are those of the feed itself. */
  home: string;
  atom: string;
  json: string;
  rows: FeedRow[];
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: XML forbids these even when escaped
const NOT_XML = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;
const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export const escapeXml = (text: string): string =>
  text
    .toWellFormed()
    .replace(NOT_XML, '')
    .replace(/[&<>"]/g, (char) => entities[char] ?? char);

const essayUrl = (siteUrl: string, essay: Pick<EssayRow, 'id' | 'slug'>): string =>
  siteUrl + essayPathOf(essay);
export const authorUrl = (siteUrl: string, id: string): string => `${siteUrl}/user/home/${id}.html`;
const fileUrl = (siteUrl: string, path: string): string =>
  path === '' || /^https?:/.test(path) ? path : siteUrl + path;

/** Independent of the site's URL, so it stays the same when the site moves. */
const urnOf = (id: string): string =>
  `urn:uuid:${id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')}`;

const URL_ATTRIBUTE = / (href|src|srcset)="([^"]*)"/gi;

/** Makes relative URLs absolute, because feed readers show the text on other sites. */
export function withAbsoluteUrls(html: string, siteUrl: string, pageUrl: string): string {
  const toAbsolute = (address: string): string => {
    if (address.startsWith('#')) return pageUrl + address;
    return /^\/(?!\/)/.test(address) ? siteUrl + address : address;
  };
  return replaceTags(html, (tag) =>
    tag.replace(URL_ATTRIBUTE, (_, name: string, value: string) => {
      const isList = name.toLowerCase() === 'srcset';
      return ` ${name}="${isList ? value.split(/,\s+/).map(toAbsolute).join(', ') : toAbsolute(value)}"`;
    }),
  );
}

const STORED_DIAGRAM = /<figure class="diagram" data-diagram="stored">/g;
const FIGURE_END = /<\/figure>/g;

function lightDrawing(html: string): string {
  for (const part of splitTags(html))
    if ('tag' in part && part.tag.startsWith('<img class="diagram-light"')) return part.tag;
  return '';
}

/** Feed readers have no stylesheet of the site, so a diagram is one picture. */
const simplifyDiagrams = (html: string): string =>
  replaceSections(html, {
    open: STORED_DIAGRAM,
    close: () => ({ name: 'figure', pattern: FIGURE_END }),
    replace: (_, inside) => `<figure>${lightDrawing(inside)}</figure>`,
  });

const isLocked = ({ essay }: FeedRow): boolean => essay.price > 0 || essay.memberFree;

function htmlOf(row: FeedRow, siteUrl: string): string {
  const url = essayUrl(siteUrl, row.essay);
  const more = isLocked(row) ? `<p><a href="${escapeXml(url)}">到网站阅读全文</a></p>` : '';
  return withAbsoluteUrls(simplifyDiagrams(row.html), siteUrl, url) + more;
}

const published = ({ essay }: FeedRow): string => (essay.publishedAt ?? essay.updatedAt).toISOString();

function toEntry(row: FeedRow, siteUrl: string): string {
  const { essay, author, category } = row;
  const terms = [...(category === null ? [] : [category.name]), ...essay.tags];
  return [
    '<entry>',
    `<id>${urnOf(essay.id)}</id>`,
    `<title>${escapeXml(essay.title)}</title>`,
    `<link rel="alternate" type="text/html" href="${escapeXml(essayUrl(siteUrl, essay))}"/>`,
    `<published>${published(row)}</published>`,
    `<updated>${essay.updatedAt.toISOString()}</updated>`,
    `<author><name>${escapeXml(author.displayName)}</name><uri>${escapeXml(authorUrl(siteUrl, author.id))}</uri></author>`,
    ...terms.map((term) => `<category term="${escapeXml(term)}"/>`),
    `<summary>${escapeXml(essay.summary)}</summary>`,
    `<content type="html">${escapeXml(htmlOf(row, siteUrl))}</content>`,
    '</entry>',
  ].join('\n');
}

const updatedOf = (rows: FeedRow[]): string =>
  new Date(Math.max(0, ...rows.map(({ essay }) => essay.updatedAt.getTime()))).toISOString();

export function toAtom(feed: Feed, siteUrl: string): string {
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="zh-CN">',
    `<id>${escapeXml(feed.atom)}</id>`,
    `<title>${escapeXml(feed.title)}</title>`,
    ...(feed.description === '' ? [] : [`<subtitle>${escapeXml(feed.description)}</subtitle>`]),
    `<link rel="self" type="application/atom+xml" href="${escapeXml(feed.atom)}"/>`,
    `<link rel="alternate" type="text/html" href="${escapeXml(feed.home)}"/>`,
    `<updated>${updatedOf(feed.rows)}</updated>`,
    ...feed.rows.map((row) => toEntry(row, siteUrl)),
    '</feed>',
    '',
  ].join('\n');
}

export function toJsonFeed(feed: Feed, siteUrl: string): string {
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: feed.title,
    home_page_url: feed.home,
    feed_url: feed.json,
    ...(feed.description === '' ? {} : { description: feed.description }),
    language: 'zh-CN',
    items: feed.rows.map((row) => ({
      id: urnOf(row.essay.id),
      url: essayUrl(siteUrl, row.essay),
      title: row.essay.title,
      summary: row.essay.summary,
      content_html: htmlOf(row, siteUrl),
      ...(row.essay.cover === '' ? {} : { image: fileUrl(siteUrl, row.essay.cover) }),
      date_published: published(row),
      date_modified: row.essay.updatedAt.toISOString(),
      authors: [{ name: row.author.displayName, url: authorUrl(siteUrl, row.author.id) }],
      tags: row.essay.tags,
    })),
  });
}

export interface SitemapEntry {
  url: string;
  changedAt?: Date;
}

const XML_HEAD = '<?xml version="1.0" encoding="utf-8"?>';
const SITEMAP = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

export const toSitemap = (entries: SitemapEntry[]): string =>
  [
    XML_HEAD,
    `<urlset ${SITEMAP}>`,
    ...entries.map(
      ({ url, changedAt }) =>
        `<url><loc>${escapeXml(url)}</loc>${changedAt === undefined ? '' : `<lastmod>${changedAt.toISOString()}</lastmod>`}</url>`,
    ),
    '</urlset>',
    '',
  ].join('\n');

export const toSitemapIndex = (urls: string[]): string =>
  [
    XML_HEAD,
    `<sitemapindex ${SITEMAP}>`,
    ...urls.map((url) => `<sitemap><loc>${escapeXml(url)}</loc></sitemap>`),
    '</sitemapindex>',
    '',
  ].join('\n');

export const toEssayEntry = (siteUrl: string, essay: Pick<EssayRow, 'id' | 'slug' | 'updatedAt'>) => ({
  url: essayUrl(siteUrl, essay),
  changedAt: essay.updatedAt,
});
