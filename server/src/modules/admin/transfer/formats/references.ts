import { replaceTags } from '@mozhan/contract/scan.ts';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import type { Archive } from './types.ts';

const markdown = unified().use(remarkParse).use(remarkGfm).freeze();
type Node = ReturnType<typeof markdown.parse>['children'][number];
const SOURCE = /\bsrc\s*=\s*(?:"([^"]*)"|'([^']*)')/i;

/** An address within the archive as the names of its files are written. */
export function plainPath(address: string): string {
  const path = address.replace(/[?#].*/s, '');
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

export const isForeign = (address: string): boolean => /^(?:[a-z][\w+.-]*:|\/\/)/i.test(address);

/** `a/b/../c` as `a/c`; null when it leads out. */
export function joinPath(folder: string, path: string): string | null {
  const parts: string[] = [];
  for (const part of `${folder}/${path}`.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return null;
  }
  return parts.join('/');
}

/** As it may stand in Markdown. */
export const toAddress = (name: string): string =>
  name.replace(/[\s()<>"'%?#\\]/g, (each) =>
    encodeURIComponent(each).replace(/[()']/g, (c) => `%${c.charCodeAt(0).toString(16)}`),
  );

export interface Resolved {
  content: string;
  /** Names in the archive, as they stand in the content. */
  pictures: string[];
  notes: string[];
}

interface Edit {
  from: number;
  to: number;
  text: string;
}

/**
 * Every picture of a text by its name in the archive. `find` says which file an address means; addresses elsewhere stay,
 * and code is left alone.
 */
export function resolvePictures(
  content: string,
  archive: Archive,
  find: (address: string) => readonly (string | null)[],
): Resolved {
  const pictures = new Set<string>();
  const foreign = new Set<string>();
  const missing = new Set<string>();
  const place = (address: string): string | null => {
    const name = find(address).find((each): each is string => each !== null && archive.has(each));
    if (name !== undefined) {
      const written = toAddress(name);
      pictures.add(written);
      return written;
    }
    if (!address.startsWith('data:')) (isForeign(address) ? foreign : missing).add(address);
    return null;
  };
  const edits: Edit[] = [];
  for (const node of nodesOf(markdown.parse(content))) {
    const from = node.position?.start.offset ?? 0;
    const source = content.slice(from, node.position?.end.offset ?? from);
    if (node.type === 'image' || (node.type === 'definition' && isPictureName(node.url))) {
      const written = place(node.url);
      const edit = written === null ? null : editAddress(source, from, written, node.type === 'image');
      if (edit !== null) edits.push(edit);
    } else if (node.type === 'html') {
      const text = replaceTags(source, (tag) =>
        /^<img\b/i.test(tag)
          ? tag.replace(SOURCE, (whole, double?: string, single = '') => {
              const written = place(double ?? single);
              return written === null ? whole : `src="${written}"`;
            })
          : tag,
      );
      if (text !== source) edits.push({ from, to: from + source.length, text });
    }
  }
  const notes = [
    ...[...missing].map((address) => `没有找到图片 ${address}`),
    ...(foreign.size > 0 ? [`${foreign.size} 张图片在别的网站上，只保留了链接`] : []),
  ];
  return { content: applied(content, edits), pictures: [...pictures], notes };
}

function* nodesOf({ children }: { children: readonly Node[] }): Generator<Node> {
  for (const child of children) {
    yield child;
    if ('children' in child) yield* nodesOf(child);
  }
}

const isPictureName = (address: string): boolean =>
  /\.(?:png|jpe?g|gif|webp|avif|svg|bmp)(?:[?#]|$)/i.test(address);

/** Where the address stands in `![alt](address "title")` or `[name]: address`. */
function editAddress(source: string, offset: number, text: string, isImage: boolean): Edit | null {
  const start = isImage ? source.lastIndexOf('](') : source.indexOf(']:');
  const [, lead = '', address] =
    start < 0 ? [] : (/^(\s*)(<[^>]*>|(?:[^\s()]|\([^\s()]*\))+)/.exec(source.slice(start + 2)) ?? []);
  if (address === undefined) return null;
  const from = offset + start + 2 + lead.length;
  return { from, to: from + address.length, text };
}

function applied(content: string, edits: Edit[]): string {
  let text = '';
  let done = 0;
  for (const edit of edits.toSorted((a, b) => a.from - b.from)) {
    text += content.slice(done, edit.from) + edit.text;
    done = edit.to;
  }
  return text + content.slice(done);
}
