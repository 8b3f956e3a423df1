const NO_TEXT =
  /<figure class="code"[^>]*><figcaption>.*?<\/figcaption>|<figure class="diagram".*?<\/figure>|<math.*?<\/math>/gs;

/** The words of what `layOut` made, on one line. */
export const toPlainText = (html: string): string =>
  html
    .replace(NO_TEXT, '')
    .replace(/<(?:"[^"]*"|[^">])*>/g, '')
    .replace(/&#x([0-9a-f]+);/gi, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replace(/\s+/g, ' ')
    .trim();

/** As files are named, behind a base path of a few parts: without bounds, looking for one takes for ever. */
const PICTURE =
  /(?<![\w:/.%-])(?:\/[\w.~-]{1,40}){0,4}\/?files\/[0-9a-f]{2}\/[0-9a-f]{62}\.[a-z0-9]{2,5}(?!\w)/g;

/** Addresses of this site's own pictures in a text, and perhaps some more that look like them. */
export const listPictures = (markdown: string): string[] => [...new Set(markdown.match(PICTURE) ?? [])];
