import { replaceTags, splitTags } from '@mozhan/contract/text-scan.ts';

const IMAGE_LINK = /(!\[[^[\]\n]*\]\()(<[^<>\n]+>|[^()<>\s]+)((?:[ \t][^()\n]*)?\))/g;
const IMG = /^<img\b/i;
const SOURCE = /(\bsrc=["'])([^"']+)(["'])/i;
const ABSOLUTE = /^(?:[a-z][a-z0-9+.-]*:|\/\/|\/|#)/i;

const withoutBrackets = (address: string): string => address.replace(/^<|>$/g, '');

function tryDecode(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}

/** `../img/a.png` in `posts/one.md` is `img/a.png`. */
export function resolvePath(file: string, address: string): string {
  const path = tryDecode(withoutBrackets(address)).replace(/[?#].*/s, '');
  const parts = file.split('/').slice(0, -1);
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}

/** Returns each relative link once. */
export function listRelativePictures(text: string): string[] {
  const all = [...text.matchAll(IMAGE_LINK)].map((match) => match[2] ?? '');
  for (const part of splitTags(text))
    if ('tag' in part && IMG.test(part.tag)) all.push(SOURCE.exec(part.tag)?.[2] ?? '');
  return [...new Set(all)].filter((address) => address !== '' && !ABSOLUTE.test(withoutBrackets(address)));
}

export function replacePictureLinks(text: string, addresses: ReadonlyMap<string, string>): string {
  const swap = (all: string, before: string, address: string, after: string) =>
    addresses.has(address) ? before + addresses.get(address) + after : all;
  return replaceTags(text.replace(IMAGE_LINK, swap), (tag) =>
    IMG.test(tag) ? tag.replace(SOURCE, swap) : tag,
  );
}

/** Downloads contain absolute links to pictures of this site; they become relative again. */
export const toRelativeSitePictures = (text: string, siteUrl: string): string =>
  text.replaceAll(`${siteUrl}/files/`, '/files/');
