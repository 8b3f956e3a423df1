import { splitTags } from '@mozhan/contract/scan.ts';

/** The tag that ends what begins with this one and has no words of the text: languages of code, diagrams, formulas. */
function endOfUnread(tag: string, previous: string): string | null {
  if (tag.startsWith('<math')) return '</math>';
  if (tag.startsWith('<figure class="diagram"')) return '</figure>';
  return tag === '<figcaption>' && previous.startsWith('<figure class="code"') ? '</figcaption>' : null;
}

function withoutTags(html: string): string {
  let words = '';
  let previous = '';
  let until: string | null = null;
  for (const part of splitTags(html)) {
    if ('text' in part) {
      previous = '';
      if (until === null) words += part.text;
      continue;
    }
    if (until === null) until = endOfUnread(part.tag, previous);
    else if (part.tag === until) until = null;
    previous = part.tag;
  }
  return words;
}

/** The words of what `layOut` made, on one line. */
export const toPlainText = (html: string): string =>
  withoutTags(html)
    .replace(/&#x([0-9a-f]+);/gi, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replace(/\s+/g, ' ')
    .trim();

/** As files are named, behind a base path of a few parts: without bounds, looking for one takes for ever. */
const PICTURE =
  /(?<![\w:/.%-])(?:\/[\w.~-]{1,40}){0,4}\/?files\/[0-9a-f]{2}\/[0-9a-f]{62}\.[a-z0-9]{2,5}(?!\w)/g;

/** Addresses of this site's own pictures in a text, and perhaps some more that look like them. */
export const listPictures = (markdown: string): string[] => [...new Set(markdown.match(PICTURE) ?? [])];
