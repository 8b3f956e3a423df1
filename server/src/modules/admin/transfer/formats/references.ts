import { replaceTags } from '@mozhan/contract/text-scan.ts';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import type { Archive } from './types.ts';

const markdown = unified().use(remarkParse).use(remarkGfm).freeze();
type Node = ReturnType<typeof markdown.parse>['children'][number];
const SOURCE = /\bsrc\s*=\s*(?:"([^"]*)"|'([^']*)')/i;

export function decodePath(address: string): string {
  const path = address.replace(/[?#].*/s, '');
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

export const isExternalUrl = (address: string): boolean => /^(?:[a-z][\w+.-]*:|\/\/)/i.test(address);

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

/** Encodes characters with a meaning in Markdown. */
export const encodePath = (name: string): string =>
  name.replace(/[\s()<>"'%?#\\]/g, (each) =>
    encodeURIComponent(each).replace(/[()']/g, (c) => `%${c.charCodeAt(0).toString(16)}`),
  );

export interface ResolvedPictures {
  content: string;
  pictures: string[];
  notes: string[];
}

interface Edit {
  from: number;
  to: number;
  text: string;
}

/**
 * Replaces picture URLs by names in the archive. `find` returns candidates for a URL; external URLs and code are not
 * changed.
 */
export function resolvePictures(
  content: string,
  archive: Archive,
  find: (address: string) => readonly (string | null)[],
): ResolvedPictures {
  const pictures = new Set<string>();
  const foreign = new Set<string>();
  const missing = new Set<string>();
  const resolve = (address: string): string | null => {
    const name = find(address).find((each): each is string => each !== null && archive.has(each));
    if (name !== undefined) {
      const reference = encodePath(name);
      pictures.add(reference);
      return reference;
    }
    if (!address.startsWith('data:')) (isExternalUrl(address) ? foreign : missing).add(address);
    return null;
  };
  const edits: Edit[] = [];
  for (const node of walkNodes(markdown.parse(content))) {
    const from = node.position?.start.offset ?? 0;
    const source = content.slice(from, node.position?.end.offset ?? from);
    if (node.type === 'image' || (node.type === 'definition' && isPictureName(node.url))) {
      const reference = resolve(node.url);
      const edit = reference === null ? null : editAddress(source, from, reference, node.type === 'image');
      if (edit !== null) edits.push(edit);
    } else if (node.type === 'html') {
      const text = replaceTags(source, (tag) =>
        /^<img\b/i.test(tag)
          ? tag.replace(SOURCE, (match, double?: string, single = '') => {
              const reference = resolve(double ?? single);
              return reference === null ? match : `src="${reference}"`;
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
  return { content: applyEdits(content, edits), pictures: [...pictures], notes };
}

function* walkNodes({ children }: { children: readonly Node[] }): Generator<Node> {
  for (const child of children) {
    yield child;
    if ('children' in child) yield* walkNodes(child);
  }
}

const isPictureName = (address: string): boolean =>
  /\.(?:png|jpe?g|gif|webp|avif|svg|bmp)(?:[?#]|$)/i.test(address);

/** Finds the URL in `![alt](address "title")` or `[name]: address`. */
function editAddress(source: string, offset: number, text: string, isImage: boolean): Edit | null {
  const start = isImage ? source.lastIndexOf('](') : source.indexOf(']:');
  const [, lead = '', address] =
    start < 0 ? [] : (/^(\s*)(<[^>]*>|(?:[^\s()]|\([^\s()]*\))+)/.exec(source.slice(start + 2)) ?? []);
  if (address === undefined) return null;
  const from = offset + start + 2 + lead.length;
  return { from, to: from + address.length, text };
}

function applyEdits(content: string, edits: Edit[]): string {
  let text = '';
  let done = 0;
  for (const edit of edits.toSorted((a, b) => a.from - b.from)) {
    text += content.slice(done, edit.from) + edit.text;
    done = edit.to;
  }
  return text + content.slice(done);
}
