import { isPageSlug, isReservedPageSlug, MAX_SLUG_LENGTH } from '@mozhan/contract/page-address.ts';

const OTHER = /[^a-z0-9\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]+/gu;
/** More than enough for a slug, even if most characters are dropped. */
const MAX_SOURCE_LENGTH = 500;
const FALLBACK = 'page';

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const truncate = (slug: string, length: number): string =>
  [...slug].slice(0, length).join('').replace(/-$/, '');

/** Makes a slug of a title, or of the slug of another program, which may be percent-encoded. */
export function toPageSlug(text: string): string {
  const letters = decode(text.slice(0, MAX_SOURCE_LENGTH)).normalize('NFKC').toLowerCase();
  const slug = letters.replace(OTHER, '-').replace(/^-/, '');
  const short = truncate(slug, MAX_SLUG_LENGTH);
  return isPageSlug(short) ? short : FALLBACK;
}

/** Adds a number to a slug that is taken or reserved. */
export function findFreeSlug(wanted: string, taken: ReadonlySet<string>): string {
  const isFree = (slug: string) => !taken.has(slug) && !isReservedPageSlug(slug);
  for (let number = 1; ; number++) {
    const end = number === 1 ? '' : `-${number}`;
    const slug = truncate(wanted, MAX_SLUG_LENGTH - end.length) + end;
    if (isFree(slug)) return slug;
  }
}
