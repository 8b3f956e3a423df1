import { splitTags } from '@mozhan/contract/scan.ts';
import { mathTags, textTags } from '../../platform/text/index.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: what XML does not allow, not even escaped
const NOT_XML = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;
const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export const escapeXml = (text: string): string =>
  text
    .toWellFormed()
    .replace(NOT_XML, '')
    .replace(/[&<>"]/g, (char) => entities[char] ?? char);

/** As the text module writes it: every attribute in double quotes or without a value. */
const TAG = /^<(\/?)([a-z][a-z0-9]*)/i;
const ATTRIBUTE = /([a-z][\w:-]*)(?:="([^"]*)")?/gi;
const VOID = new Set(['br', 'hr', 'img', 'input']);
/** Those of what people wrote that a book keeps. */
const KEPT = new Set([
  ...['class', 'title', 'alt', 'width', 'height', 'colspan', 'rowspan', 'scope', 'start', 'reversed', 'open'],
  ...['role', 'aria-label'],
]);
/** Of formulas all, but these. */
const DROPPED = /^(style|tabindex|data-.*)$/;
/** Newer than the MathML of books. */
const isOfMath = (name: string, key: string): boolean =>
  key !== 'id' &&
  !DROPPED.test(key) &&
  (!/^(displaystyle|scriptlevel)$/.test(key) || /^(math|mstyle)$/.test(name));
const NAMES = new Set([...textTags, ...mathTags]);

/** Values come escaped for HTML, which lets a `<` stand. */
const toAttribute = (name: string, value: string): string => ` ${name}="${value.replaceAll('<', '&lt;')}"`;

type Attributes = Map<string, string>;

const readAttributes = (text: string): Attributes =>
  new Map(
    [...text.matchAll(ATTRIBUTE)].map(([, name = '', value = '']): [string, string] => [
      name.toLowerCase(),
      value,
    ]),
  );

/** The words, and each tag by its name. */
type Part =
  | { words: string }
  | { name: string; isClose: true }
  | { name: string; isClose: false; attributes: Attributes };

function* readParts(html: string): Generator<Part> {
  for (const part of splitTags(html)) {
    if ('text' in part) {
      yield { words: part.text };
      continue;
    }
    const [start, close, given = ''] = TAG.exec(part.tag) ?? [''];
    const name = given.toLowerCase();
    if (close === '/') yield { name, isClose: true };
    else yield { name, isClose: false, attributes: readAttributes(part.tag.slice(start.length, -1)) };
  }
}

/** What only a page has a use for. */
const isOfPages = (name: string, attributes: Attributes): boolean =>
  name === 'button' || (name === 'a' && attributes.get('class') === 'anchor');

/** What a book has of a page: known elements only, and nothing of what stands in those of pages. */
function listParts(html: string): Part[] {
  const kept: Part[] = [];
  let left: { name: string; depth: number } | null = null;
  for (const part of readParts(html)) {
    if (left !== null) {
      if ('name' in part && part.name === left.name) left.depth += part.isClose ? -1 : 1;
      if (left.depth === 0) left = null;
    } else if ('name' in part && !part.isClose && isOfPages(part.name, part.attributes)) {
      left = { name: part.name, depth: 1 };
    } else if ('words' in part || NAMES.has(part.name)) kept.push(part);
  }
  return kept;
}

export interface XhtmlOptions {
  /** '' when it is not known. */
  siteUrl: string;
  /** Of the page, for addresses that begin there; likewise. */
  pageUrl: string;
  /** Where the pictures are that the book has, by their addresses on the site. */
  pictures: ReadonlyMap<string, string>;
}

export interface Xhtml {
  body: string;
  /** What the ids of the page became. */
  ids: ReadonlyMap<string, string>;
}

/** Names that XML allows, whatever the headings say. */
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

/** Browsers know addresses that are no URIs, which books must have. */
const HOST = /^(?:[\w-]+(?:\.[\w-]+)*\.?|\[[\da-f:.]+\])?$/i;
const NOT_URI = /%(?![\da-f]{2})|[^\w\-.~:/?@!$&'()*+,;=%]/gi;

/** Where a link leads from a book; null: nowhere. */
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
  const whole = /^\/(?!\/)/.test(href) ? siteUrl + href : href;
  const url = URL.parse(whole, pageUrl || undefined);
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

/** What a page shows, well-formed, and without all that a book cannot have: scripts, buttons, pictures of elsewhere. */
export function toXhtml(given: string, options: XhtmlOptions): Xhtml {
  const parts = listParts(given.toWellFormed().replace(NOT_XML, ''));
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
      const isKept = isMath ? isOfMath(name, key) : KEPT.has(key);
      if (isKept) tag += toAttribute(key, value);
    }
    const id = ids.get(attributes.get('id') ?? '');
    if (id !== undefined && !used.has(id)) {
      used.add(id);
      tag += toAttribute('id', id);
    }
    // Old-fashioned in HTML: the style sheet has it.
    const align = attributes.get('align');
    if (align !== undefined) tag += toAttribute('class', align);
    const href = name === 'a' ? toHref(attributes.get('href'), ids, options) : null;
    if (href !== null) tag += toAttribute('href', href);
    if (attributes.has('data-footnote-ref')) tag += toAttribute('epub:type', 'noteref');
    return tag + (VOID.has(name) ? '/>' : '>');
  }

  const written = parts.map((part) => {
    if ('words' in part) return part.words.replaceAll(']]>', ']]&gt;');
    const { name } = part;
    if (!part.isClose) return toTag(name, part.attributes);
    if (name === 'math') isMath = false;
    return VOID.has(name) ? '' : `</${name}>`;
  });
  return { body: written.join(''), ids };
}
