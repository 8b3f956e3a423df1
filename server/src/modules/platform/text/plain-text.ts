import { splitTags } from '@mozhan/contract/text-scan.ts';

/** Returns the closing tag of an element without text of the writer (language of code, diagram, formula). */
function closingTagOfHidden(tag: string, previous: string): string | null {
  if (tag.startsWith('<math')) return '</math>';
  if (tag.startsWith('<figure class="diagram"')) return '</figure>';
  return tag === '<figcaption>' && previous.startsWith('<figure class="code"') ? '</figcaption>' : null;
}

function removeTags(html: string): string {
  let words = '';
  let previous = '';
  let hiddenUntil: string | null = null;
  for (const part of splitTags(html)) {
    if ('text' in part) {
      previous = '';
      if (hiddenUntil === null) words += part.text;
      continue;
    }
    if (hiddenUntil === null) hiddenUntil = closingTagOfHidden(part.tag, previous);
    else if (part.tag === hiddenUntil) hiddenUntil = null;
    previous = part.tag;
  }
  return words;
}

/** Returns the text of rendered HTML on one line. */
export const toPlainText = (html: string): string =>
  removeTags(html)
    .replace(/&#x([0-9a-f]+);/gi, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replace(/\s+/g, ' ')
    .trim();

/** The first characters of a text, with dots if it goes on. */
export function startOf(text: string, max: number): string {
  const characters = [...text.slice(0, 2 * max + 1)];
  return characters.length <= max ? text : `${characters.slice(0, max).join('').trimEnd()}…`;
}

/** The base path before `files` has bounded length, because an unbounded pattern takes quadratic time. */
const PICTURE =
  /(?<![\w:/.%-])(?:\/[\w.~-]{1,40}){0,4}\/?files\/[0-9a-f]{2}\/[0-9a-f]{62}\.[a-z0-9]{2,5}(?!\w)/g;

/** Lists URLs of uploaded pictures in a text; it may include other text that looks like one. */
export const listPictures = (markdown: string): string[] => [...new Set(markdown.match(PICTURE) ?? [])];
