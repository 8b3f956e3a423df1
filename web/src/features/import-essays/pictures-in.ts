import { replaceTags, splitTags } from '@mozhan/contract/scan.ts';

/** The addresses of pictures in a Markdown text, as they are written. */
const LINK = /(!\[[^[\]\n]*\]\()(<[^<>\n]+>|[^()<>\s]+)((?:[ \t][^()\n]*)?\))/g;
const IMG = /^<img\b/i;
const SOURCE = /(\bsrc=["'])([^"']+)(["'])/i;
const ELSEWHERE = /^(?:[a-z][a-z0-9+.-]*:|\/\/|\/|#)/i;

const bare = (address: string): string => address.replace(/^<|>$/g, '');

function decoded(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}

/** `../img/a.png` seen from `posts/one.md` is `img/a.png`. */
export function resolveFrom(file: string, address: string): string {
  const path = decoded(bare(address)).replace(/[?#].*/s, '');
  const parts = file.split('/').slice(0, -1);
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}

/** Relative ones, each once. */
export function relativePictures(text: string): string[] {
  const all = [...text.matchAll(LINK)].map((match) => match[2] ?? '');
  for (const part of splitTags(text))
    if ('tag' in part && IMG.test(part.tag)) all.push(SOURCE.exec(part.tag)?.[2] ?? '');
  return [...new Set(all)].filter((address) => address !== '' && !ELSEWHERE.test(bare(address)));
}

export function replacePictures(text: string, addresses: ReadonlyMap<string, string>): string {
  const swap = (all: string, before: string, address: string, after: string) =>
    addresses.has(address) ? before + addresses.get(address) + after : all;
  return replaceTags(text.replace(LINK, swap), (tag) => (IMG.test(tag) ? tag.replace(SOURCE, swap) : tag));
}

/** Pictures of this site that were written with its address, as a download of it has them, are those without it. */
export const withOwnPictures = (text: string, siteUrl: string): string =>
  text.replaceAll(`${siteUrl}/files/`, '/files/');
