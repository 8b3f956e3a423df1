import type { TocEntry } from '../../platform/text/index.ts';
import { escapeXml } from './xhtml.ts';

export interface BookMetadata {
  /** A UUID without dashes. */
  id: string;
  title: string;
  author: string;
  publisher: string;
  summary: string;
  tags: readonly string[];
  /** URL of the essay; '' if the site URL is not configured. */
  url: string;
  publishedAt: Date | null;
  updatedAt: Date;
}

/** An item of the EPUB manifest. */
export interface BookFile {
  id: string;
  href: string;
  type: string;
  properties?: string;
}

const HEAD = '<?xml version="1.0" encoding="utf-8"?>';

export const containerXml = [
  HEAD,
  '<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">',
  '<rootfiles><rootfile full-path="EPUB/package.opf" media-type="application/oebps-package+xml"/></rootfiles>',
  '</container>',
].join('\n');

const urnOf = (id: string): string =>
  `urn:uuid:${id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')}`;
/** EPUB requires times without fractions of a second. */
const toTime = (time: Date): string => time.toISOString().replace(/\.\d+Z$/, 'Z');

export function toPackage(
  metadata: BookMetadata,
  files: readonly BookFile[],
  spine: readonly string[],
): string {
  const optional = (name: string, value: string) =>
    value === '' ? [] : [`<dc:${name}>${escapeXml(value)}</dc:${name}>`];
  return [
    HEAD,
    '<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="book" xml:lang="zh-CN">',
    '<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">',
    `<dc:identifier id="book">${urnOf(metadata.id)}</dc:identifier>`,
    `<dc:title>${escapeXml(metadata.title)}</dc:title>`,
    '<dc:language>zh-CN</dc:language>',
    `<dc:creator>${escapeXml(metadata.author)}</dc:creator>`,
    ...optional('publisher', metadata.publisher),
    ...optional('description', metadata.summary),
    ...optional('source', metadata.url),
    ...metadata.tags.flatMap((tag) => optional('subject', tag)),
    ...(metadata.publishedAt === null ? [] : optional('date', toTime(metadata.publishedAt))),
    `<meta property="dcterms:modified">${toTime(metadata.updatedAt)}</meta>`,
    '<meta name="cover" content="cover-image"/>',
    '</metadata>',
    '<manifest>',
    ...files.map(
      ({ id, href, type, properties }) =>
        `<item id="${id}" href="${href}" media-type="${type}"${properties === undefined ? '' : ` properties="${properties}"`}/>`,
    ),
    '</manifest>',
    '<spine>',
    ...spine.map((id) => `<itemref idref="${id}"/>`),
    '</spine>',
    '</package>',
  ].join('\n');
}

export const toDocument = (title: string, body: string): string =>
  [
    HEAD,
    '<!DOCTYPE html>',
    '<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" lang="zh-CN" xml:lang="zh-CN">',
    `<head><title>${escapeXml(title)}</title><link rel="stylesheet" type="text/css" href="style.css"/></head>`,
    `<body>${body}</body>`,
    '</html>',
  ].join('\n');

/** Nests headings of level 3 under the preceding heading of level 2. */
export function toNavigation(
  title: string,
  toc: readonly TocEntry[],
  ids: ReadonlyMap<string, string>,
): string {
  const linkTo = ({ id, text }: TocEntry) =>
    `<a href="text.xhtml#${ids.get(id) ?? ''}">${escapeXml(text)}</a>`;
  const chapters: { link: string; sections: string[] }[] = [];
  for (const entry of toc.filter(({ id }) => ids.has(id))) {
    const last = chapters.at(-1);
    if (entry.level > 2 && last !== undefined) last.sections.push(`<li>${linkTo(entry)}</li>`);
    else chapters.push({ link: linkTo(entry), sections: [] });
  }
  const items = chapters.map(
    ({ link, sections }) => `<li>${link}${sections.length === 0 ? '' : `<ol>${sections.join('')}</ol>`}</li>`,
  );
  const first = `<li><a href="text.xhtml">${escapeXml(title)}</a></li>`;
  return toDocument(
    '目录',
    `<nav epub:type="toc" id="toc"><h1>目录</h1><ol>${first}${items.join('')}</ol></nav>`,
  );
}

/** Light colours only; most e-book readers have their own dark mode. */
export const bookStyle = `body { line-height: 1.75; }
h1, h2, h3, h4, h5, h6 { line-height: 1.4; }
.by { color: #716a63; font-size: .9em; }
a { color: #c5373a; }
img { max-width: 100%; height: auto; }
figure { margin: 1em 0; }
figcaption, .lost { color: #716a63; font-size: .85em; }
figure.picture { text-align: center; }
.w-50 img { width: 50%; }
.w-75 img { width: 75%; }
.w-100 img { width: 100%; }
.cover { margin: 0; text-align: center; }
.cover img { max-height: 100%; }
pre { padding: .8em 1em; background: #f7f5f2; font-size: .85em; line-height: 1.6; white-space: pre-wrap; overflow-wrap: anywhere; }
code, kbd, samp { font-family: monospace; }
.lit { background: #ffe9a8; }
.tk-keyword, .tk-deleted { color: #b2344a; }
.tk-string, .tk-inserted { color: #3d6b35; }
.tk-constant, .tk-type { color: #8a4f12; }
.tk-function { color: #2f5f8f; }
.tk-comment { color: #6f675f; }
table { border-collapse: collapse; }
th, td { padding: .3em .6em; border: 1px solid #d8d2cb; }
.left { text-align: left; }
.center { text-align: center; }
.right { text-align: right; }
blockquote, .callout { margin: 1em 0; padding-left: 1em; border-left: 3px solid #d8d2cb; color: #57514b; }
.callout-title { font-weight: bold; }
.math-display { margin: 1em 0; text-align: center; }
.task-list-item { list-style: none; }
.footnotes { margin-top: 2em; border-top: 1px solid #d8d2cb; font-size: .9em; }
`;
