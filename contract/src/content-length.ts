/** Characters of the text of an essay. */
export const MAX_CONTENT_LENGTH = 200_000;

/** Counts code points, as the server does; pairs of UTF-16 units count as one. */
export function countCodePoints(text: string): number {
  let count = text.length;
  for (let at = 0; at < text.length - 1; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit < 0xd800 || unit > 0xdbff) continue;
    const next = text.charCodeAt(at + 1);
    if (next < 0xdc00 || next > 0xdfff) continue;
    count -= 1;
    at += 1;
  }
  return count;
}

/** How many characters a text is too long; 0 if it may be saved. */
export const excessCharacters = (text: string): number =>
  text.length <= MAX_CONTENT_LENGTH ? 0 : Math.max(0, countCodePoints(text) - MAX_CONTENT_LENGTH);

/** The preview of a text has no more sections. */
export const MAX_PREVIEW_SECTIONS = 2000;
