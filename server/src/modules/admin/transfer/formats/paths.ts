/** Addresses in texts and names in archives. */

export function decodePath(address: string): string {
  const path = address.replace(/[?#].*/s, '');
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

export const isExternalUrl = (address: string): boolean => /^(?:[a-z][\w+.-]*:|\/\/)/i.test(address);
export const isWebUrl = (address: string): boolean => /^(?:https?:)?\/\//i.test(address);

/** Resolves `a/b/../c` to `a/c`; returns null for a path outside the archive. */
export function joinPath(folder: string, path: string): string | null {
  const parts: string[] = [];
  for (const part of `${folder}/${path}`.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return null;
  }
  return parts.join('/');
}

const encodeCharacter = (character: string): string =>
  encodeURIComponent(character).replace(/[()']/g, (each) => `%${each.charCodeAt(0).toString(16)}`);

/** Encodes the characters of a file name that have a meaning in Markdown or in addresses. */
export const encodePath = (name: string): string => name.replace(/[\s()<>"'%?#\\]/g, encodeCharacter);

/** Encodes only characters that end an address in Markdown or HTML. */
export const encodeUrl = (address: string): string => address.replace(/[\s()<>"'\\]/g, encodeCharacter);

const PICTURE_NAME = /\.(?:png|jpe?g|gif|webp|avif|svg|bmp|ico|tiff?|heic)$/i;
const MEDIA_NAME = /\.(?:mp3|m4a|aac|ogg|oga|opus|wav|flac|mp4|m4v|mov|webm|ogv|avi|mkv)$/i;
const DOCUMENT_NAME =
  /\.(?:pdf|docx?|xlsx?|pptx?|odt|ods|odp|txt|csv|epub|mobi|zip|rar|7z|gz|tgz|bz2|xz|apk|dmg|exe|iso|torrent|psd|ai|sketch|key|pages|numbers|ipynb|jar|py|json|xml|sql|sh)$/i;
export const isPictureName = (address: string): boolean => PICTURE_NAME.test(decodePath(address));
export const isMediaName = (address: string): boolean => MEDIA_NAME.test(decodePath(address));
export const isDocumentName = (address: string): boolean => DOCUMENT_NAME.test(decodePath(address));

export const folderOf = (name: string): string => name.slice(0, Math.max(0, name.lastIndexOf('/')));
export const fileNameOf = (name: string): string => name.slice(name.lastIndexOf('/') + 1);
export const baseNameOf = (name: string): string => {
  const base = fileNameOf(name);
  return base.lastIndexOf('.') > 0 ? base.slice(0, base.lastIndexOf('.')) : base;
};

/** Finds files by the part of their path after a folder such as `uploads/`, wherever that folder is in the archive. */
export function createFileIndex(names: readonly string[], folder: string): (path: string) => string[] {
  const found = new Map<string, string>();
  for (const name of names) {
    const at = `/${name}`.indexOf(`/${folder}`);
    if (at >= 0) found.set(name.slice(at + folder.length), name);
  }
  return (path) => {
    const name = found.get(path);
    return name === undefined ? [] : [name];
  };
}
