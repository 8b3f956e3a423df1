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

/** Addresses of this site's own pictures in a text, and perhaps some more that look like them. */
export const listPictures = (markdown: string): string[] => [
  ...new Set(markdown.match(/(?<![\w:/.%-])(?:\/[\w.~-]+)*\/?files\/[\w./-]+\w/g) ?? []),
];
