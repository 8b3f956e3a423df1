import { CallError } from '@mozhan/contract/errors.ts';
import { replaceSections, splitTags } from '@mozhan/contract/text-scan.ts';
import { SaxesParser } from 'saxes';
import { listInvalidDates, parseDate } from './front-matter.ts';
import { htmlToMarkdown } from './html.ts';
import { decodePath, resolvePictures } from './references.ts';
import { type Archive, convertSafely, type Format, type ImportedEssay, type SkippedItem } from './types.ts';

interface Term {
  domain: string;
  name: string;
}

interface Item {
  fields: Record<string, string>;
  terms: Term[];
  meta: Map<string, string>;
  comments: number;
}

interface Export {
  authors: Map<string, string>;
  items: Item[];
}

const USED_FIELDS = new Set([
  'title',
  'link',
  'dc:creator',
  'content:encoded',
  'excerpt:encoded',
  'wp:post_id',
  'wp:post_date',
  'wp:post_date_gmt',
  'wp:post_modified',
  'wp:post_modified_gmt',
  'wp:post_name',
  'wp:status',
  'wp:post_type',
  'wp:post_password',
  'wp:attachment_url',
]);

/** Rejects a document type, which could define entities and is never part of an export. */
function parseExport(xml: string): Export {
  const found: Export = { authors: new Map(), items: [] };
  const parser = new SaxesParser();
  const path: string[] = [];
  let content = '';
  let item: Item | null = null;
  let term: Term | null = null;
  let author = { login: '', name: '' };
  let metaKey = '';
  parser.on('doctype', () => {
    throw new Error('a document type is not allowed');
  });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    path.push(name);
    content = '';
    if (name === 'item') item = { fields: {}, terms: [], meta: new Map(), comments: 0 };
    if (name === 'category' && item !== null) term = { domain: String(attributes.domain ?? ''), name: '' };
    if (name === 'wp:comment' && item !== null) item.comments += 1;
  });
  const add = (text: string): void => {
    content += text;
  };
  parser.on('text', add);
  parser.on('cdata', add);
  parser.on('closetag', ({ name }) => {
    path.pop();
    const parent = path.at(-1);
    if (parent === 'wp:author') {
      if (name === 'wp:author_login') author.login = content.trim();
      if (name === 'wp:author_display_name') author.name = content.trim();
    } else if (name === 'wp:author') {
      found.authors.set(author.login, author.name || author.login);
      author = { login: '', name: '' };
    }
    if (item !== null) {
      if (parent === 'item' && USED_FIELDS.has(name)) item.fields[name] = content;
      if (name === 'category' && term !== null) {
        item.terms.push({ ...term, name: content.trim() });
        term = null;
      }
      if (parent === 'wp:postmeta' && name === 'wp:meta_key') metaKey = content.trim();
      if (parent === 'wp:postmeta' && name === 'wp:meta_value') item.meta.set(metaKey, content.trim());
      if (name === 'item') {
        found.items.push(item);
        item = null;
      }
    }
    content = '';
  });
  parser.write(xml.replace(/^\uFEFF/, '')).close();
  return found;
}

const PRE_END = /<\/pre>/gi;
const BLOCK = /^<(?:p|div|h[1-6]|ul|ol|li|table|blockquote|pre|figure|hr|section|article|dl|form|iframe)\b/i;

/** The classic editor stores paragraphs as empty lines, which are converted to <p>. */
function addParagraphs(html: string): string {
  if (/<!--\s*wp:|<p[\s>]/i.test(html)) return html;
  const marked = replaceSections(html.replaceAll('\0', '').replace(/\r\n?/g, '\n'), {
    open: /<pre/gi,
    close: () => ({ name: 'pre', pattern: PRE_END }),
    replace: ([open], inside) => `\0${open}${inside}</pre>\0`,
  });
  return (
    marked
      // NUL is a safe separator because XML cannot contain it.
      .split('\0')
      .flatMap((part, index) => (index % 2 === 1 ? [part] : part.split(/\n{2,}/)))
      .map((part) => part.trim())
      .filter((part) => part !== '')
      .map((part) => (BLOCK.test(part) ? part : `<p>${part.replaceAll('\n', '<br>')}</p>`))
      .join('\n')
  );
}

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const unescapeHtml = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');

const BLOCK_CODE = /\[(code|sourcecode|caption|embed)\b([^[\]]*)\]/g;
const blockEnds: Record<string, RegExp> = {
  code: /\[\/code\]/g,
  sourcecode: /\[\/sourcecode\]/g,
  caption: /\[\/caption\]/g,
  embed: /\[\/embed\]/g,
};
const LOST_CODE =
  /\[(gallery|playlist|audio|video|contact-form-7)\b[^[\]]*\](?:\[\/(?:gallery|playlist|audio|video|contact-form-7)\])?/g;

function convertShortCodes(html: string): { html: string; notes: string[] } {
  const notes = new Set<string>();
  const code = (given: string, inside: string): string => {
    const language = /\b(?:lang|language)=["']?([\w+#-]+)/.exec(given)?.[1] ?? '';
    return `<pre><code class="language-${language || 'text'}">${escapeHtml(unescapeHtml(inside).trim())}</code></pre>`;
  };
  const blocks: Record<string, (given: string, inside: string) => string> = {
    code,
    sourcecode: code,
    caption: (_, inside) => {
      const picture = findLinkedPicture(inside);
      return `<figure>${picture}<figcaption>${inside.replace(picture, '').trim()}</figcaption></figure>`;
    },
    embed: (_, inside) => {
      const address = escapeHtml(inside.trim());
      notes.add('嵌入的内容改成了链接');
      return `<p><a href="${address}">${address}</a></p>`;
    },
  };
  const withBlocks = replaceSections(html, {
    open: BLOCK_CODE,
    close: ([, name = '']) => ({ name, pattern: blockEnds[name] ?? BLOCK_CODE }),
    replace: ([, name = '', given = ''], inside) => blocks[name]?.(given, inside) ?? inside,
  });
  const rewritten = withBlocks.replace(LOST_CODE, (_, name: string) => {
    notes.add(`短代码「${name}」没有导入`);
    return '';
  });
  return { html: rewritten, notes: [...notes] };
}

function findLinkedPicture(html: string): string {
  const parts = [...splitTags(html)];
  const isTag = (at: number, pattern: RegExp): boolean => {
    const part = parts[at];
    return part !== undefined && 'tag' in part && pattern.test(part.tag);
  };
  const isSpace = (at: number): boolean => {
    const part = parts[at];
    return part !== undefined && 'text' in part && part.text.trim() === '';
  };
  const at = parts.findIndex((_, index) => isTag(index, /^<img\b/i));
  if (at < 0) return '';
  const front = isSpace(at - 1) ? at - 2 : at - 1;
  const back = isSpace(at + 1) ? at + 2 : at + 1;
  const first = isTag(front, /^<a\b/i) ? front : at;
  const last = isTag(back, /^<\/a>$/i) ? back : at;
  return parts
    .slice(first, last + 1)
    .map((part) => ('tag' in part ? part.tag : part.text))
    .join('');
}

const listXmlFiles = (archive: Pick<Archive, 'names'>): string[] =>
  archive.names().filter((name) => /\.xml$/i.test(name) && !name.startsWith('__MACOSX/'));

/** Finds pictures below `uploads`, for any host name, and the original of a resized picture. */
const findPicture = (archive: Archive) => {
  const names = archive.names();
  return (address: string): string[] => {
    const plain = `/${decodePath(address)}`;
    const start = plain.indexOf('/uploads/');
    if (start < 0) return [];
    const path = plain.slice(start + 1);
    const original = path.replace(/-\d+x\d+(\.\w+)$/, '$1');
    return [path, original].flatMap((candidate) =>
      names.filter((name) => name === candidate || name.endsWith(`/${candidate}`)),
    );
  };
};

/** Items that are no content: menus, styles, revisions and attachments. */
const IGNORED_TYPES =
  /^(?:attachment|nav_menu_item|revision|customize_changeset|custom_css|oembed_cache|wp_\w+|acf-.*)$/;

function skipReason({ fields }: Item): string | null {
  const { 'wp:post_type': type = 'post', 'wp:status': status = '' } = fields;
  if (type === 'page') return '独立页面，没有导入';
  if (type !== 'post') return `「${type}」类型的内容，没有导入`;
  if (status === 'trash') return '在回收站里，没有导入';
  if (status === 'auto-draft') return '空的草稿，没有导入';
  return (fields['content:encoded'] ?? '').trim() === '' ? '正文是空的，没有导入' : null;
}

function decideStatus({ fields }: Item): { isPublished: boolean; notes: string[] } {
  const status = fields['wp:status'] ?? '';
  if (status === 'private') return { isPublished: false, notes: ['原文是私密的，作为草稿导入'] };
  if (status === 'future') return { isPublished: false, notes: ['还没有到发布时间，作为草稿导入'] };
  if ((fields['wp:post_password'] ?? '') !== '')
    return { isPublished: false, notes: ['原文有密码，作为草稿导入'] };
  return { isPublished: status === 'publish', notes: [] };
}

/** Prefers the UTC date, which is zero for drafts. */
function getDateText({ fields }: Item, name: string): string {
  const utc = (fields[`${name}_gmt`] ?? '').trim();
  if (utc !== '' && !utc.startsWith('0000')) return `${utc.replace(' ', 'T')}Z`;
  const local = (fields[name] ?? '').trim();
  return local.startsWith('0000') ? '' : local;
}

function toEssay(
  item: Item,
  { authors }: Export,
  archive: Archive,
  covers: Map<string, string>,
): ImportedEssay {
  const { fields } = item;
  const find = findPicture(archive);
  const withoutShortCodes = convertShortCodes(fields['content:encoded'] ?? '');
  const converted = htmlToMarkdown(addParagraphs(withoutShortCodes.html));
  const pictures = resolvePictures(converted.content, archive, find);
  const { isPublished, notes } = decideStatus(item);
  const login = fields['dc:creator'] ?? '';
  const createdAt = getDateText(item, 'wp:post_date');
  const updatedAt = getDateText(item, 'wp:post_modified');
  const cover = covers.get(item.meta.get('_thumbnail_id') ?? '');
  const categories = item.terms.filter(({ domain }) => domain === 'category').map(({ name }) => name);
  return {
    key: fields['wp:post_id'] ?? fields.link ?? '',
    title: (fields.title ?? '').trim(),
    slug: decodePath(fields['wp:post_name'] ?? ''),
    content: pictures.content,
    summary: htmlToMarkdown(fields['excerpt:encoded'] ?? '').content.replace(/\s+/g, ' '),
    tags: item.terms.filter(({ domain }) => domain === 'post_tag').map(({ name }) => name),
    category: categories.find((name) => !/^(?:未分类|uncategorized)$/i.test(name)) ?? null,
    cover: cover === undefined ? null : (find(cover).find((name) => archive.has(name)) ?? cover),
    author: login === '' ? null : { account: login, displayName: authors.get(login) ?? login },
    status: isPublished ? 'published' : 'draft',
    createdAt: parseDate(createdAt),
    publishedAt: isPublished ? parseDate(createdAt) : null,
    updatedAt: parseDate(updatedAt),
    invalidDates: listInvalidDates([createdAt, updatedAt]),
    pictures: pictures.pictures,
    notes: [
      ...notes,
      ...withoutShortCodes.notes,
      ...converted.notes,
      ...pictures.notes,
      ...(item.comments > 0 ? [`${item.comments} 条评论没有导入`] : []),
    ],
  };
}

/** Reads WordPress's export (WXR); a ZIP may also contain the pictures in `wp-content/uploads`. */
export const wordpress: Format = {
  async detect(upload) {
    for (const name of listXmlFiles(upload).slice(0, 5))
      if ((await upload.readStart(name)).includes('wordpress.org/export/')) return true;
    return false;
  },
  async *read(archive): AsyncGenerator<ImportedEssay | SkippedItem> {
    for (const name of listXmlFiles(archive)) {
      let found: Export;
      try {
        found = parseExport(await archive.readText(name));
      } catch (error) {
        const reason =
          error instanceof CallError ? error.message : '不是 WordPress 导出的文件，或没有下载完整';
        yield { key: name, skipped: reason };
        continue;
      }
      const covers = new Map(
        found.items.flatMap(({ fields }) =>
          fields['wp:attachment_url'] === undefined
            ? []
            : [[fields['wp:post_id'] ?? '', fields['wp:attachment_url'].trim()]],
        ),
      );
      for (const item of found.items) {
        const { fields } = item;
        if (IGNORED_TYPES.test(fields['wp:post_type'] ?? '')) continue;
        const reason = skipReason(item);
        const { title = '', 'content:encoded': content = '' } = fields;
        const about = { key: fields['wp:post_id'] ?? fields.link ?? '', title: title.trim() };
        if (reason === null)
          yield convertSafely({ ...about, content }, () => toEssay(item, found, archive, covers));
        else yield { ...about, skipped: reason };
      }
    }
  },
};
