import { splitTags } from '@mozhan/contract/text-scan.ts';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { decodeReferences } from './html.ts';
import type { LinkIndex } from './links.ts';
import {
  decodePath,
  encodePath,
  encodeUrl,
  fileNameOf,
  isDocumentName,
  isExternalUrl,
  isMediaName,
  isPictureName,
  isWebUrl,
} from './paths.ts';
import { chooseSource, parseAttributes, setSource } from './picture-tags.ts';
import type { Archive, ImportedEssay } from './types.ts';

const markdown = unified().use(remarkParse).use(remarkGfm).freeze();
type Node = ReturnType<typeof markdown.parse>['children'][number];

export interface ReferenceContext {
  archive: Pick<Archive, 'has'>;
  /** Returns names that a file may have in the archive. */
  find: (address: string) => readonly (string | null)[];
  links: LinkIndex;
  /** The item's own path on the old site; empty if unknown. */
  from: string;
  /** The item's own key. */
  key: string;
  /** Finds another item by the name of its file. */
  findItem?: (name: string) => string | null;
}

export type ResolvedContent = Pick<
  ImportedEssay,
  'content' | 'pictures' | 'remotePictures' | 'attachments' | 'remoteAttachments' | 'internalLinks' | 'notes'
>;

interface Edit {
  from: number;
  to: number;
  text: string;
}

/** More than an essay may have. */
const MAX_PARSED_LENGTH = 250_000;
/** More than any real text has; the Markdown parser takes quadratic time for marks that do not match. */
const MAX_MARKS = 30_000;

function countMarks(content: string): number {
  let count = 0;
  for (const letter of content)
    if (letter === '*' || letter === '_' || letter === '[' || letter === '~') count += 1;
  return count;
}

const MARKDOWN_FILE = /\.(?:md|markdown|mdown|mkd)$/i;

/** Sorts the addresses of a text by what they lead to. */
function createCollector({ archive, find, links, from, key, findItem }: ReferenceContext) {
  const pictures = new Set<string>();
  const remotePictures = new Set<string>();
  const missing = new Set<string>();
  const attachments = new Map<string, string>();
  const remoteAttachments = new Set<string>();
  const internalLinks = new Map<string, string>();
  const findName = (address: string): string | undefined =>
    find(address).find((each): each is string => each !== null && archive.has(each));

  /** Returns how the text should refer to the picture. */
  function addPicture(address: string): string {
    if (address === '' || /^(?:data|blob|about):/i.test(address)) return address;
    const name = findName(address);
    if (name !== undefined) {
      pictures.add(encodePath(name));
      return encodePath(name);
    }
    const remote = links.toRemote(address, from);
    if (remote === null) {
      missing.add(address);
      return address;
    }
    remotePictures.add(encodeUrl(remote));
    return encodeUrl(remote);
  }

  function addFile(address: string): string {
    const name = findName(address);
    if (name !== undefined) {
      attachments.set(encodeUrl(address), name);
      return encodeUrl(address);
    }
    const remote = links.toRemote(address, from);
    if (remote === null) {
      if (!isExternalUrl(address)) missing.add(address);
      return address;
    }
    remoteAttachments.add(encodeUrl(remote));
    return encodeUrl(remote);
  }

  function addLink(address: string, hasPicture: boolean): string {
    if (address === '' || address.startsWith('#') || (isExternalUrl(address) && !isWebUrl(address)))
      return address;
    if (isPictureName(address)) {
      // A link around a picture leads to its full size.
      const isShown = hasPicture || links.isOwnHost(address) || findName(address) !== undefined;
      return isShown ? addPicture(address) : address;
    }
    const item = findLinkedItem(address);
    if (item !== null) {
      if (item !== key) internalLinks.set(encodeUrl(address), item);
      return encodeUrl(address);
    }
    const isOwn = !isExternalUrl(address) || links.isOwnHost(address);
    if (isMediaName(address) || (isOwn && isDocumentName(address))) return addFile(address);
    const name = isExternalUrl(address) ? undefined : findName(address);
    return name === undefined || MARKDOWN_FILE.test(name) ? address : addFile(address);
  }

  function findLinkedItem(address: string): string | null {
    if (!isExternalUrl(address) && findItem !== undefined)
      for (const name of find(address)) {
        const item = name === null ? null : findItem(name);
        if (item !== null) return item;
      }
    return links.find(address, from);
  }

  const list = (): Omit<ResolvedContent, 'content'> => ({
    pictures: [...pictures],
    remotePictures: [...remotePictures],
    attachments: [...attachments].map(([url, name]) => ({ url, name })),
    remoteAttachments: [...remoteAttachments],
    internalLinks: [...internalLinks].map(([url, target]) => ({ url, key: target })),
    notes: [...missing].map((address) => `没有找到${isPictureName(address) ? '图片' : '文件'} ${address}`),
  });
  return { addPicture, addFile, addLink, isMissing: (address: string) => missing.has(address), list };
}

type Collector = ReturnType<typeof createCollector>;

const MEDIA_TAG = /^<\/?(?:video|audio|source)\b/i;

function convertTag(tag: string, collector: Collector): string {
  if (/^<img\b/i.test(tag)) {
    const source = chooseSource(parseAttributes(tag));
    return source === '' ? tag : setSource(tag, collector.addPicture(decodeReferences(source)));
  }
  if (MEDIA_TAG.test(tag)) return convertMedia(tag, collector);
  if (!/^<a\b/i.test(tag)) return tag;
  const attribute = parseAttributes(tag).get('href');
  if (attribute === undefined || attribute.value === '') return tag;
  const address = decodeReferences(attribute.value);
  const written = collector.addLink(address, false);
  return written === address ? tag : tag.slice(0, attribute.from) + written + tag.slice(attribute.to);
}

const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** Texts have no players, so that a link is left of one. */
function convertMedia(tag: string, collector: Collector): string {
  const address = decodeReferences(parseAttributes(tag).get('src')?.value ?? '').trim();
  // The source of a picture has no `src`.
  if (/^<source\b/i.test(tag) && address === '') return tag;
  if (address === '' || /^(?!https?:)[a-z][\w+.-]*:/i.test(address)) return '';
  const isFile = isMediaName(address) || !isExternalUrl(address);
  const written = isFile ? collector.addFile(address) : address;
  const label = fileNameOf(decodePath(address)) || '音频或视频';
  return `<a href="${escapeHtml(encodeUrl(written))}">${escapeHtml(label)}</a>`;
}

function convertHtml(html: string, collector: Collector): string {
  let converted = '';
  for (const part of splitTags(html))
    converted += 'tag' in part ? convertTag(part.tag, collector) : part.text;
  return converted;
}

/**
 * Finds everything that a text refers to, and replaces the addresses of pictures by names in the archive or by full
 * addresses. Code is not changed.
 */
export function resolveContent(content: string, context: ReferenceContext): ResolvedContent {
  const collector = createCollector(context);
  if (content.length > MAX_PARSED_LENGTH || countMarks(content) > MAX_MARKS)
    return { ...collector.list(), content, notes: ['正文太长或太复杂，没有查找其中的图片和链接'] };
  const edits: Edit[] = [];
  for (const node of walkNodes(markdown.parse(content))) {
    const from = node.position?.start.offset ?? 0;
    const source = content.slice(from, node.position?.end.offset ?? from);
    if (node.type === 'html') {
      const text = convertHtml(source, collector);
      if (text !== source) edits.push({ from, to: from + source.length, text });
    } else if (node.type === 'image' || node.type === 'link' || node.type === 'definition') {
      const isPicture = node.type === 'image' || (node.type === 'definition' && isPictureName(node.url));
      const hasPicture = node.type === 'link' && node.children.some(({ type }) => type === 'image');
      const written = isPicture ? collector.addPicture(node.url) : collector.addLink(node.url, hasPicture);
      if (node.type === 'image' && collector.isMissing(node.url)) {
        edits.push({ from, to: from + source.length, text: toMissingPicture(node) });
        continue;
      }
      const edit = editAddress(source, from, written, node.type === 'definition');
      if (edit !== null && written === encodeUrl(written)) edits.push(edit);
    }
  }
  return { ...collector.list(), content: applyEdits(content, edits) };
}

/** A picture that nobody has would be shown as a broken one; its words and its address stay. */
const toMissingPicture = ({ url, alt }: { url: string; alt?: string | null | undefined }): string =>
  `[${(alt ?? '').replace(/[[\]\n]/g, ' ').trim() || '图片'}](${encodeUrl(url)} "图片没有找到")`;

function* walkNodes({ children }: { children: readonly Node[] }): Generator<Node> {
  for (const child of children) {
    yield child;
    if ('children' in child) yield* walkNodes(child);
  }
}

/** Finds the URL in `![alt](address "title")`, `[text](address)` or `[name]: address`. */
function editAddress(source: string, offset: number, text: string, isDefinition: boolean): Edit | null {
  const start = isDefinition ? source.indexOf(']:') : source.lastIndexOf('](');
  const [, lead = '', address] =
    start < 0 ? [] : (/^(\s*)(<[^>]*>|(?:[^\s()]|\([^\s()]*\))+)/.exec(source.slice(start + 2)) ?? []);
  if (address === undefined || address === text) return null;
  const from = offset + start + 2 + lead.length;
  return { from, to: from + address.length, text };
}

function applyEdits(content: string, edits: Edit[]): string {
  let text = '';
  let done = 0;
  for (const edit of edits.toSorted((a, b) => a.from - b.from)) {
    if (edit.from < done) continue;
    text += content.slice(done, edit.from) + edit.text;
    done = edit.to;
  }
  return text + content.slice(done);
}

/** The cover as a name in the archive or an external URL; a note if it is missing. */
export function resolveCover(
  address: string,
  { archive, find, links, from }: ReferenceContext,
): { cover: string | null; notes: string[] } {
  if (address === '' || /^(?:data|blob):/i.test(address)) return { cover: null, notes: [] };
  const name = find(address).find((each): each is string => each !== null && archive.has(each));
  const cover = name ?? links.toRemote(address, from);
  return { cover, notes: cover === null ? [`没有找到封面 ${decodePath(address)}`] : [] };
}
