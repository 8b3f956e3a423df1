/**
 * Counts what an export of another program contains, by searching its raw files and without the readers of
 * `transfer/formats`, so that the two can be compared.
 */

export type SourceFiles = Readonly<Record<string, Uint8Array>>;

export interface SourceCounts {
  program: string;
  /** Titles; the name of the file where there is none. */
  essays: string[];
  pages: string[];
  /** Titles of both that were not public: drafts, passwords, hidden ones and so on. */
  hidden: string[];
  /** Addresses of pictures as written, of files that may be in the archive. */
  pictures: Set<string>;
  remotePictures: Set<string>;
  /** Essays that have a cover. */
  covers: number;
  /** Comments of essays, without spam and pingbacks. */
  comments: number;
  authors: Set<string>;
  categories: Set<string>;
  tags: Set<string>;
  /** Tags and categories of each essay in their order; only the first ones are kept. */
  tagLists: string[][];
  /** Addresses on the old site that can be read without computing a pattern. */
  urls: Set<string>;
}

export const emptyCounts = (program: string): SourceCounts => ({
  program,
  essays: [],
  pages: [],
  hidden: [],
  pictures: new Set(),
  remotePictures: new Set(),
  covers: 0,
  comments: 0,
  authors: new Set(),
  categories: new Set(),
  tags: new Set(),
  tagLists: [],
  urls: new Set(),
});

const decoder = new TextDecoder();
export const textOf = (files: SourceFiles, name: string): string => decoder.decode(files[name]);

const FENCE = /^(?:```|~~~)/;

/** Drops blocks of code, in which nothing is a picture. */
function withoutCode(text: string): string {
  let isCode = false;
  return text
    .split('\n')
    .filter((line) => {
      const isFence = FENCE.test(line.trim());
      if (isFence) isCode = !isCode;
      return !isCode && !isFence;
    })
    .join('\n')
    .replace(/`[^`\n]*`/g, '');
}

const PICTURES = [
  /!\[[^\]\n]{0,500}\]\(\s*<?([^)\s>]+)/g,
  /<img\b[^>]{0,2000}?\ssrc=["']?([^"'>\s]+)/gi,
  /\{%\s*asset_img\s+(\S+)/g,
  /^\s*\[[^\]\n]{1,100}\]:\s*(\S+\.(?:png|jpe?g|gif|webp|svg))/gim,
  /\{\{[<%]\s*(?:figure|image|img)\b[^>]{0,500}?\bsrc="([^"]+)"/g,
];

/** Adds the addresses of the pictures in a text. */
export function addPictures(counts: SourceCounts, text: string, folder = ''): void {
  const plain = withoutCode(text);
  for (const pattern of PICTURES)
    for (const [, address = ''] of plain.matchAll(pattern)) {
      if (/^(?:https?:)?\/\//.test(address))
        counts.remotePictures.add(address.replace(/&(?:amp|#0?38);/g, '&'));
      else if (!/^(?:data|blob|\{|\$)/.test(address))
        counts.pictures.add(address.startsWith('/') ? address : `${folder}/${address}`);
    }
}
