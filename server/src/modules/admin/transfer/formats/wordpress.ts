import { CallError } from '@mozhan/contract/errors.ts';
import { DEFAULT_ZONE, listInvalidDates, parseDate } from './dates.ts';
import { commentToMarkdown, htmlToMarkdown } from './html.ts';
import { createLinkIndex, hostOf, type LinkIndex, toBaseUrl, toOldUrls } from './links.ts';
import { createFileIndex, decodePath } from './paths.ts';
import { resolveContent, resolveCover } from './references.ts';
import { createSiteCounter } from './site.ts';
import { STATUS_REASONS } from './status.ts';
import {
  type Archive,
  convertSafely,
  type Format,
  type ImportedComment,
  type ImportedEssay,
  type ImportedItem,
  type ImportedPage,
  type ImportedStatus,
} from './types.ts';
import { parseExport, type WordPressExport, type WordPressItem } from './wordpress-export.ts';
import { addParagraphs, convertShortCodes, type ShortCodeFiles } from './wordpress-html.ts';

const listXmlFiles = (archive: Pick<Archive, 'names'>): string[] =>
  archive.names().filter((name) => /\.(?:xml|wxr)$/i.test(name) && !name.startsWith('__MACOSX/'));

/** Finds files below `uploads`, for any host name, and the original of a resized picture. */
const createFinder = (archive: Archive) => {
  const find = createFileIndex(archive.names(), 'uploads/');
  return (address: string): string[] => {
    const plain = `/${decodePath(address)}`;
    const start = plain.indexOf('/uploads/');
    if (start < 0) return [];
    const path = plain.slice(start + '/uploads/'.length);
    // A site of a network has a folder of its own, which exports of its files may not contain.
    return [path, path.replace(/^sites\/\d+\//, '')].flatMap((each) => [
      ...find(each),
      ...find(each.replace(/-(?:\d+x\d+|scaled)(\.\w+)$/, '$1')),
    ]);
  };
};

/** Items that are no content: menus, styles, revisions and attachments. */
const IGNORED_TYPES =
  /^(?:attachment|nav_menu_item|revision|customize_changeset|custom_css|oembed_cache|user_request|wp_\w+|acf-.*)$/;

const typeOf = ({ fields }: WordPressItem): string => fields['wp:post_type']?.trim() || 'post';
const keyOf = ({ fields }: WordPressItem): string => (fields['wp:post_id'] ?? fields.link ?? '').trim();

const INLINE_TAG = /<\/?(?:a|b|br|code|del|em|font|i|ins|mark|s|small|span|strong|sub|sup|u)\b[^<>]*>/gi;
/** WordPress shows titles as HTML. */
const titleOf = ({ fields }: WordPressItem): string => (fields.title ?? '').replace(INLINE_TAG, '').trim();

function skipReason(item: WordPressItem): string | null {
  const { fields } = item;
  const type = typeOf(item);
  const status = fields['wp:status'] ?? '';
  if (type !== 'post' && type !== 'page') return `「${type}」类型的内容，没有导入`;
  if (status === 'trash') return '在回收站里，没有导入';
  if (status === 'auto-draft') return '空的草稿，没有导入';
  const isEmpty = (fields['content:encoded'] ?? '').trim() === '' && (fields.title ?? '').trim() === '';
  return isEmpty ? '没有标题也没有正文，没有导入' : null;
}

function statusOf({ fields }: WordPressItem): ImportedStatus {
  if ((fields['wp:post_password'] ?? '').trim() !== '') return 'password';
  const status = fields['wp:status'] ?? '';
  if (status === 'private') return 'private';
  if (status === 'future') return 'scheduled';
  return status === 'publish' ? 'published' : 'draft';
}

/** Prefers the UTC date, which is zero for drafts. */
function getDateText(fields: Record<string, string>, name: string): string {
  const utc = (fields[`${name}_gmt`] ?? '').trim();
  if (utc !== '' && !utc.startsWith('0000')) return `${utc.replace(' ', 'T')}Z`;
  const local = (fields[name] ?? '').trim();
  return local.startsWith('0000') ? '' : local;
}

/** The address, the one by number, and those with former names. */
function oldUrlsOf(item: WordPressItem, basePath: string): string[] {
  const { fields, meta } = item;
  const id = fields['wp:post_id']?.trim() ?? '';
  const link = (fields.link ?? '').trim();
  const slug = (fields['wp:post_name'] ?? '').trim();
  const former = (meta.get('_wp_old_slug') ?? [])
    .filter((name) => name !== '' && slug !== '' && link.includes(`/${slug}`))
    .map((name) => link.replace(`/${slug}`, `/${name}`));
  const byId = id === '' ? [] : [`${basePath}/?${typeOf(item) === 'page' ? 'page_id' : 'p'}=${id}`];
  return toOldUrls([link, (fields.guid ?? '').trim(), ...byId, ...former]);
}

/** Spam, trash and notices of other sites are no comments. */
function commentsOf({ comments }: WordPressItem): { comments: ImportedComment[]; notes: string[] } {
  const isComment = (comment: Record<string, string>): boolean =>
    /^(?:|comment|note)$/.test((comment['wp:comment_type'] ?? '').trim());
  const isKept = (comment: Record<string, string>): boolean =>
    isComment(comment) && /^[01]?$/.test((comment['wp:comment_approved'] ?? '').trim());
  const pings = comments.filter((comment) => !isComment(comment)).length;
  const kept = comments.filter(isKept);
  const rejected = comments.length - pings - kept.length;
  return {
    comments: kept.map((comment) => ({
      id: (comment['wp:comment_id'] ?? '').trim(),
      parentId: (comment['wp:comment_parent'] ?? '').trim().replace(/^0$/, '') || null,
      name: (comment['wp:comment_author'] ?? '').trim(),
      url: (comment['wp:comment_author_url'] ?? '').trim(),
      createdAt: parseDate(getDateText(comment, 'wp:comment_date')),
      status: (comment['wp:comment_approved'] ?? '').trim() === '1' ? 'approved' : 'pending',
      content: commentToMarkdown(comment['wp:comment_content'] ?? ''),
    })),
    notes: [
      ...(pings > 0 ? [`${pings} 条引用通告没有导入`] : []),
      ...(rejected > 0 ? [`${rejected} 条垃圾评论没有导入`] : []),
    ],
  };
}

interface ConversionContext {
  archive: Archive;
  authors: ReadonlyMap<string, string>;
  find: (address: string) => string[];
  links: LinkIndex;
  host: string;
  /** The path of the site on its host, without a slash at the end. */
  basePath: string;
  attachments: ReadonlyMap<string, { url: string; label: string }>;
  attachmentsOf: ReadonlyMap<string, string[]>;
}

const UNCATEGORIZED = /^(?:未分类|uncategorized)$/i;

/** The plugin Co-Authors Plus stores authors as terms. */
function authorsOf({ fields, terms }: WordPressItem, authors: ReadonlyMap<string, string>) {
  const login = (fields['dc:creator'] ?? '').trim();
  const several = terms
    .filter(({ domain }) => domain === 'author')
    .map(({ name, slug }) => authors.get(slug.replace(/^cap-/, '')) ?? name);
  const author = login === '' ? null : { account: login, displayName: authors.get(login) ?? login };
  return { author, authors: several.length > 0 ? several : author === null ? [] : [author.displayName] };
}

function toItem(item: WordPressItem, context: ConversionContext): ImportedEssay | ImportedPage {
  const { archive, authors, find, links, host, attachments, attachmentsOf } = context;
  const { fields, terms, meta } = item;
  const key = keyOf(item);
  const files: ShortCodeFiles = {
    findAttachment: (id) => attachments.get(id),
    listOwn: () => attachmentsOf.get(key) ?? [],
  };
  const withoutShortCodes = convertShortCodes(fields['content:encoded'] ?? '', files);
  const converted = htmlToMarkdown(addParagraphs(withoutShortCodes.html));
  const oldUrls = oldUrlsOf(item, context.basePath);
  const references = { archive, find, links, from: oldUrls[0] ?? '', key };
  const { notes: missing, ...resolved } = resolveContent(converted.content, references);
  const thumbnail = attachments.get(meta.get('_thumbnail_id')?.at(-1) ?? '')?.url ?? '';
  const { cover, notes: coverNotes } = resolveCover(thumbnail, references);
  const status = statusOf(item);
  const createdAt = getDateText(fields, 'wp:post_date');
  const updatedAt = getDateText(fields, 'wp:post_modified');
  const comments = commentsOf(item);
  const namesOf = (wanted: string): string[] =>
    terms.filter(({ domain }) => domain === wanted).map(({ name }) => name);
  return {
    ...resolved,
    ...authorsOf(item, authors),
    kind: typeOf(item) === 'page' ? 'page' : 'essay',
    key,
    sourceId: `wordpress:${host}:${key}`,
    section: '',
    title: titleOf(item),
    slug: decodePath((fields['wp:post_name'] ?? '').trim()),
    summary: htmlToMarkdown(fields['excerpt:encoded'] ?? '').content.replace(/\s+/g, ' '),
    tags: namesOf('post_tag'),
    categories: namesOf('category').filter((name) => !UNCATEGORIZED.test(name)),
    cover,
    status,
    statusReason: STATUS_REASONS[status],
    isPinned: (fields['wp:is_sticky'] ?? '').trim() === '1',
    commentsClosed: (fields['wp:comment_status'] ?? '').trim() === 'closed',
    createdAt: parseDate(createdAt),
    publishedAt: status === 'published' || status === 'scheduled' ? parseDate(createdAt) : null,
    updatedAt: parseDate(updatedAt),
    invalidDates: listInvalidDates([createdAt, updatedAt]),
    oldUrls,
    comments: comments.comments,
    notes: [
      ...(resolved.content === '' ? ['正文是空的'] : []),
      ...coverNotes,
      ...new Set([...withoutShortCodes.notes, ...converted.notes]),
      ...missing,
      ...comments.notes,
    ],
  };
}

function listAttachments({ items }: WordPressExport) {
  const attachments = new Map<string, { url: string; label: string }>();
  const attachmentsOf = new Map<string, string[]>();
  for (const item of items) {
    const url = (item.fields['wp:attachment_url'] ?? '').trim();
    if (typeOf(item) !== 'attachment' || url === '') continue;
    const id = keyOf(item);
    const label = item.meta.get('_wp_attachment_image_alt')?.[0] || (item.fields.title ?? '').trim();
    attachments.set(id, { url, label });
    const parent = (item.fields['wp:post_parent'] ?? '').trim();
    const siblings = attachmentsOf.get(parent) ?? [];
    siblings.push(id);
    attachmentsOf.set(parent, siblings);
  }
  return { attachments, attachmentsOf };
}

function* convertExport(
  found: WordPressExport,
  archive: Archive,
  find: (address: string) => string[],
): Generator<ImportedItem> {
  const siteUrl =
    found.channel['wp:base_blog_url'] || found.channel.link || found.channel['wp:base_site_url'] || '';
  const guidHosts = found.items.slice(0, 1000).map(({ fields }) => hostOf((fields.guid ?? '').trim()));
  const links = createLinkIndex(siteUrl, [...guidHosts, hostOf(found.channel.link ?? '')]);
  const basePath = toBaseUrl(siteUrl) === '' ? '' : new URL(toBaseUrl(siteUrl)).pathname.replace(/\/$/, '');
  const { attachments, attachmentsOf } = listAttachments(found);
  const { authors } = found;
  const context: ConversionContext = {
    archive,
    authors,
    find,
    links,
    host: hostOf(siteUrl),
    basePath,
    attachments,
    attachmentsOf,
  };
  const contents = found.items.filter((item) => !IGNORED_TYPES.test(typeOf(item)));
  for (const item of contents)
    if (skipReason(item) === null) links.add(oldUrlsOf(item, basePath), keyOf(item));
  const counter = createSiteCounter();
  for (const item of contents) {
    const reason = skipReason(item);
    const { 'content:encoded': content = '' } = item.fields;
    const about = { key: keyOf(item), title: titleOf(item) };
    const converted =
      reason === null
        ? convertSafely({ ...about, content }, () => toItem(item, context))
        : { kind: 'skipped' as const, ...about, skipped: reason };
    counter.add(converted);
    yield converted;
  }
  yield {
    kind: 'site',
    program: 'wordpress',
    title: found.channel.title ?? '',
    owner: '',
    baseUrl: links.baseUrl,
    timeZone: DEFAULT_ZONE,
    feedUrls: ['/feed/', '/feed/rss/', '/feed/rss2/', '/feed/atom/', '/comments/feed/'].map(
      (path) => basePath + path,
    ),
    sections: [],
    ...counter.list(),
  };
}

/** Reads WordPress's export (WXR); a ZIP may also contain the pictures in `wp-content/uploads`. */
export const wordpress: Format = {
  async detect(upload) {
    for (const name of listXmlFiles(upload).slice(0, 5))
      if ((await upload.readStart(name)).includes('wordpress.org/export/')) return true;
    return false;
  },
  async *read(archive): AsyncGenerator<ImportedItem> {
    // Exports of large sites are split into several files, which refer to each other.
    const all: WordPressExport = { channel: {}, authors: new Map(), items: [] };
    for (const name of listXmlFiles(archive)) {
      try {
        const { channel, authors, items } = parseExport(await archive.readText(name));
        all.channel = { ...channel, ...all.channel };
        for (const [login, displayName] of authors) all.authors.set(login, displayName);
        for (const item of items) all.items.push(item);
      } catch (error) {
        const reason =
          error instanceof CallError ? error.message : '不是 WordPress 导出的文件，或没有下载完整';
        yield { kind: 'skipped', key: name, skipped: reason };
      }
    }
    if (all.items.length > 0) yield* convertExport(all, archive, createFinder(archive));
  },
};
