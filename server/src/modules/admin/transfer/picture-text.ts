import { decodePath } from './formats/paths.ts';

/** The results of the pictures of one text, by address as in the text. */
export interface PictureResults {
  done: ReadonlyMap<string, string>;
  failed: ReadonlySet<string>;
}

/** Marks links that were pictures, so that a later attempt can turn them into pictures again. */
const LINK_TITLE = '图片没有取回';

const decodeAmp = (address: string): string => address.replaceAll('&amp;', '&');
const encodeText = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** The alternative text, or else the name of the file. */
function labelOf(alt: string, url: string): string {
  const text = alt.replace(/\s+/g, ' ').trim();
  if (text !== '') return text;
  const path = url.replace(/[?#].*$/s, '').replace(/^(?:https?:)?\/\/[^/]*/, '');
  return decodePath(path.slice(path.lastIndexOf('/') + 1)).replace(/[[\]\\<>]/g, '') || '图片';
}

const MARKED_LINK = /\[([^[\]]*)\]\(([^\s()<>]+) "图片没有取回"\)/g;
const MARKED_TAG = /<a href="([^"<>]*)" title="图片没有取回">([^<>]*)<\/a>/g;
const PICTURE = /!\[([^[\]]*)\]\(\s*<?([^\s()<>]+)>?(?:\s[^()<>\n]*)?\)/g;
const LINKED_PICTURE = /\[ ?!\[([^[\]]*)\]\(([^()\n]*)\) ?\]\(([^()\n]*)\)/g;
/** The address in the parentheses of a link, which may be in angle brackets and followed by a title. */
const addressIn = (destination: string): string =>
  destination.trim().split(/\s/, 1)[0]?.replace(/[<>]/g, '') ?? '';
const TAG = /<img\b[^<>]*>/gi;
const ADDRESS = /(\]\(\s*<?|\]:\s*<?|(?:src|href)=["'])([^\s()<>"']+)/g;

const LINK = /(\]\(\s*<?|\]:\s*<?|href=["'])([^\s)>"']+)/g;

/** Replaces only the addresses of links, not the same words in the text. */
export const replaceLinks = (content: string, paths: ReadonlyMap<string, string>): string =>
  paths.size === 0
    ? content
    : content.replace(LINK, (_, before: string, url: string) => before + (paths.get(decodeAmp(url)) ?? url));

const ATTRIBUTES = {
  src: /\ssrc=(?:"([^"]*)"|'([^']*)')/i,
  alt: /\salt=(?:"([^"]*)"|'([^']*)')/i,
};

function attributeOf(tag: string, name: keyof typeof ATTRIBUTES): string {
  const [, double, single] = ATTRIBUTES[name].exec(tag) ?? [];
  return double ?? single ?? '';
}

/**
 * Writes the paths of fetched pictures into the text, and links instead of those that could not be fetched. The text can
 * be changed again after another attempt.
 */
export function replacePictures(content: string, { done, failed }: PictureResults): string {
  const link = (alt: string, url: string) => `[${labelOf(alt, url)}](${url} "${LINK_TITLE}")`;
  return content
    .replace(MARKED_LINK, (text, alt: string, url: string) => (done.has(url) ? `![${alt}](${url})` : text))
    .replace(MARKED_TAG, (text, url: string, alt: string) =>
      done.has(decodeAmp(url)) ? `<img src="${url}" alt="${alt}">` : text,
    )
    .replace(LINKED_PICTURE, (text, alt: string, picture: string, around: string) => {
      const [url, target] = [addressIn(picture), addressIn(around)];
      if (!failed.has(url)) return text;
      // A link around a picture usually leads to its full size, so one link is enough.
      const isFullSize = failed.has(target) || done.has(target);
      return isFullSize ? link(alt, url) : `[${labelOf(alt, url)}](${target})`;
    })
    .replace(PICTURE, (text, alt: string, url: string) => (failed.has(url) ? link(alt, url) : text))
    .replace(TAG, (tag) => {
      const url = attributeOf(tag, 'src');
      if (!failed.has(decodeAmp(url))) return tag;
      return `<a href="${url}" title="${LINK_TITLE}">${encodeText(labelOf(attributeOf(tag, 'alt'), url))}</a>`;
    })
    .replace(ADDRESS, (_, before: string, url: string) => before + (done.get(decodeAmp(url)) ?? url));
}
