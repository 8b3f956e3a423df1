import { allowedTags } from '@mozhan/contract/allowed-tags.ts';
import { splitTags } from '@mozhan/contract/text-scan.ts';
import { mathTags } from '../../platform/text/index.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: XML forbids these even when escaped
const NOT_XML = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;
const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export const escapeXml = (text: string): string =>
  text
    .toWellFormed()
    .replace(NOT_XML, '')
    .replace(/[&<>"]/g, (char) => entities[char] ?? char);

/** The text module writes every attribute in double quotes or without a value. */
const TAG = /^<(\/?)([a-z][a-z0-9]*)/i;
const ATTRIBUTE = /([a-z][\w:-]*)(?:="([^"]*)")?/gi;
const VOID = new Set(['br', 'hr', 'img', 'input']);
const KEPT_ATTRIBUTES = new Set([
  ...['class', 'title', 'alt', 'width', 'height', 'colspan', 'rowspan', 'scope', 'start', 'reversed', 'open'],
  ...['role', 'aria-label'],
]);
/** Attributes of formulas that are removed. */
const DROPPED_ATTRIBUTES = /^(style|tabindex|data-.*)$/;
/** EPUB's MathML version allows `displaystyle` and `scriptlevel` on two elements only. */
const isMathAttribute = (name: string, key: string): boolean =>
  key !== 'id' &&
  !DROPPED_ATTRIBUTES.test(key) &&
  (!/^(displaystyle|scriptlevel)$/.test(key) || /^(math|mstyle)$/.test(name));
const ALLOWED_TAGS = new Set([...allowedTags, ...mathTags]);

/** HTML allows an unescaped `<` in attribute values, XML does not. */
const toAttribute = (name: string, value: string): string => ` ${name}="${value.replaceAll('<', '&lt;')}"`;

type Attributes = Map<string, string>;

const parseAttributes = (text: string): Attributes =>
  new Map(
    [...text.matchAll(ATTRIBUTE)].map(([, name = '', value = '']): [string, string] => [
      name.toLowerCase(),
      value,
    ]),
  );

type Part =
  | { text: string }
  | { name: string; isClose: true }
  | { name: string; isClose: false; attributes: Attributes };

function* parseParts(html: string): Generator<Part> {
  for (const part of splitTags(html)) {
    if ('text' in part) {
      yield { text: part.text };
      continue;
    }
    const [start, close, given = ''] = TAG.exec(part.tag) ?? [''];
    const name = given.toLowerCase();
    if (close === '/') yield { name, isClose: true };
    else yield { name, isClose: false, attributes: parseAttributes(part.tag.slice(start.length, -1)) };
  }
}

/** Elements that are useful on a web page only. */
const isPageOnly = (name: string, attributes: Attributes): boolean =>
  name === 'button' ||
  (name === 'a' && attributes.get('class') === 'anchor') ||
  (name === 'img' && attributes.get('class') === 'diagram-dark');

/** Keeps allowed elements and drops page-only elements with their content. */
function toBookParts(html: string): Part[] {
  const kept: Part[] = [];
  let skipped: { name: string; depth: number } | null = null;
  // The source of a diagram that has a drawing is left out.
  let isDrawn = false;
  for (const part of parseParts(html)) {
    if (skipped !== null) {
      if ('name' in part && part.name === skipped.name) skipped.depth += part.isClose ? -1 : 1;
      if (skipped.depth === 0) skipped = null;
      continue;
    }
    if ('name' in part && part.name === 'figure')
      isDrawn = !part.isClose && part.attributes.get('data-diagram') === 'stored';
    if (
      'name' in part &&
      !part.isClose &&
      (isPageOnly(part.name, part.attributes) || (isDrawn && part.name === 'pre'))
    ) {
      if (!VOID.has(part.name)) skipped = { name: part.name, depth: 1 };
    } else if ('text' in part || ALLOWED_TAGS.has(part.name)) kept.push(part);
  }
  return kept;
}

export interface XhtmlOptions {
  /** '' if it is not configured. */
  siteUrl: string;
  /** Base for relative URLs; '' if the site URL is not configured. */
  pageUrl: string;
  /** Path in the book by path on the site. */
  pictures: ReadonlyMap<string, string>;
}

export interface Xhtml {
  body: string;
  /** New id by original id. */
  ids: ReadonlyMap<string, string>;
}

/** Ids derived from headings may be invalid in XML, so all ids are replaced. */
function renameIds(parts: readonly Part[]): Map<string, string> {
  const ids = new Map<string, string>();
  for (const part of parts) {
    const id = 'attributes' in part ? part.attributes.get('id') : undefined;
    if (id !== undefined && !ids.has(id)) ids.set(id, `n${ids.size + 1}`);
  }
  return ids;
}

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

const unescapeHtml = (value: string): string => value.replaceAll('&#x26;', '&').replaceAll('&#x22;', '"');

/** Browsers accept URLs that are not valid URIs, EPUB does not. */
const HOST = /^(?:[\w-]+(?:\.[\w-]+)*\.?|\[[\da-f:.]+\])?$/i;
const NOT_URI = /%(?![\da-f]{2})|[^\w\-.~:/?@!$&'()*+,;=%]/gi;

/** Returns the link target in the book, or null if there is none. */
function toHref(
  given: string | undefined,
  ids: ReadonlyMap<string, string>,
  options: XhtmlOptions,
): string | null {
  if (given === undefined) return null;
  const href = unescapeHtml(given);
  if (href.startsWith('#')) {
    const id = ids.get(href.slice(1)) ?? ids.get(decode(href.slice(1)));
    return id === undefined ? null : `#${id}`;
  }
  const { siteUrl, pageUrl } = options;
  const absolute = /^\/(?!\/)/.test(href) ? siteUrl + href : href;
  const url = URL.parse(absolute, pageUrl || undefined);
  if (url === null || !HOST.test(url.hostname)) return null;
  const { pathname, search, hash } = url;
  const site = url.href.slice(0, url.href.length - (pathname + search + hash).length);
  const encode = (part: string) => part.replace(NOT_URI, encodeURIComponent);
  const fragment = hash === '' ? '' : `#${encode(hash.slice(1))}`;
  return escapeXml(site + encode(pathname + search) + fragment);
}

function toImage(attributes: Attributes, pictures: ReadonlyMap<string, string>): string {
  const picture = pictures.get(attributes.get('src') ?? '');
  const alt = attributes.get('alt') ?? '';
  if (picture === undefined) return `<span class="lost">${alt.replaceAll('<', '&lt;')}</span>`;
  const size = ['width', 'height'].map((name) => toAttribute(name, attributes.get(name) ?? ''));
  const isSized = attributes.has('width') && attributes.has('height');
  return `<img${toAttribute('src', picture)}${toAttribute('alt', alt)}${isSized ? size.join('') : ''}/>`;
}

/** Converts rendered HTML to well-formed XHTML without scripts, buttons and external pictures. */
export function toXhtml(given: string, options: XhtmlOptions): Xhtml {
  const parts = toBookParts(given.toWellFormed().replace(NOT_XML, ''));
  const ids = renameIds(parts);
  const used = new Set<string>();
  let isMath = false;

  function toTag(name: string, attributes: Attributes): string {
    if (name === 'img') return toImage(attributes, options.pictures);
    if (name === 'input') return attributes.has('checked') ? '☑' : '☐';
    if (name === 'math') isMath = true;
    let tag = `<${name}`;
    if (name === 'math') tag += ' xmlns="http://www.w3.org/1998/Math/MathML"';
    for (const [key, value] of attributes) {
      const isKept = isMath ? isMathAttribute(name, key) : KEPT_ATTRIBUTES.has(key);
      if (isKept) tag += toAttribute(key, value);
    }
    const id = ids.get(attributes.get('id') ?? '');
    if (id !== undefined && !used.has(id)) {
      used.add(id);
      tag += toAttribute('id', id);
    }
    // `align` is obsolete in HTML, so it becomes a class.
    const align = attributes.get('align');
    if (align !== undefined) tag += toAttribute('class', align);
    const href = name === 'a' ? toHref(attributes.get('href'), ids, options) : null;
    if (href !== null) tag += toAttribute('href', href);
    if (attributes.has('data-footnote-ref')) tag += toAttribute('epub:type', 'noteref');
    return tag + (VOID.has(name) ? '/>' : '>');
  }

  const written = parts.map((part) => {
    if ('text' in part) return part.text.replaceAll(']]>', ']]&gt;');
    const { name } = part;
    if (!part.isClose) return toTag(name, part.attributes);
    if (name === 'math') isMath = false;
    return VOID.has(name) ? '' : `</${name}>`;
  });
  return { body: written.join(''), ids };
}
