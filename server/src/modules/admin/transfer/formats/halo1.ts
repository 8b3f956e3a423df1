/** Reads the JSON export of Halo 1.4 to 1.6. */
import { z } from 'zod';
import { DEFAULT_ZONE, parseDate } from './dates.ts';
import { commentToMarkdown, htmlToMarkdown } from './html.ts';
import { createLinkIndex, hostOf, type LinkIndex, toBaseUrl, toOldUrls } from './links.ts';
import { dateValues, encodePathname, fillPattern } from './permalinks.ts';
import { resolveContent, resolveCover } from './references.ts';
import { createSiteCounter } from './site.ts';
import { STATUS_REASONS } from './status.ts';
import {
  type Archive,
  convertSafely,
  type ImportedComment,
  type ImportedEssay,
  type ImportedItem,
  type ImportedPage,
  type ImportedStatus,
} from './types.ts';

const text = z
  .union([z.string(), z.number(), z.boolean()])
  .nullish()
  .catch(null)
  .transform((value) => (value === null || value === undefined ? '' : String(value)));
/** Rows that do not match are ignored. */
const rows = <S extends z.ZodType>(schema: S) =>
  z
    .array(z.unknown())
    .nullish()
    .catch(null)
    .transform((list) =>
      (list ?? []).flatMap((row): z.output<S>[] => {
        const parsed = schema.safeParse(row);
        return parsed.success ? [parsed.data] : [];
      }),
    );
const id = z.union([z.string(), z.number()]).transform(String);
const post = z.object({
  id,
  title: text,
  slug: text,
  url: text,
  status: text,
  summary: text,
  thumbnail: text,
  password: text,
  topPriority: text,
  disallowComment: text,
  originalContent: text,
  formatContent: text,
  createTime: text,
  editTime: text,
  updateTime: text,
});
type Post = z.output<typeof post> & { isPage: boolean };
const comment = z.object({
  id,
  postId: id,
  parentId: text,
  author: text,
  authorUrl: text,
  content: text,
  status: text,
  createTime: text,
});
const name = z.object({ id, name: text, password: text });
const data = z.object({
  posts: rows(post),
  sheets: rows(post),
  contents: rows(z.object({ id, content: text, originalContent: text })),
  tags: rows(name),
  categories: rows(name),
  post_tags: rows(z.object({ postId: id, tagId: id })),
  post_categories: rows(z.object({ postId: id, categoryId: id })),
  post_comments: rows(comment),
  sheet_comments: rows(comment),
  options: rows(z.object({ key: text, value: text })),
  users: rows(z.object({ username: text, nickname: text })),
  user: rows(z.object({ username: text, nickname: text })),
});
type Data = z.output<typeof data>;

export const isHalo1 = (start: string): boolean =>
  /"(?:post_comments|sheet_comments|post_categories|post_metas|sheets|journals)"\s*:/.test(start) &&
  /"(?:posts|version|export_date|attachments|categories)"\s*:/.test(start);

const PATTERNS: Record<string, string> = {
  DEFAULT: '/:archives/:slug',
  YEAR: '/:year/:slug',
  DATE: '/:year/:month/:slug',
  DAY: '/:year/:month/:day/:slug',
  ID_SLUG: '/:archives/:id',
};

interface ConversionContext {
  archive: Archive;
  links: LinkIndex;
  find: (address: string) => string[];
  options: ReadonlyMap<string, string>;
  contents: ReadonlyMap<string, Data['contents'][number]>;
  tagsOf: ReadonlyMap<string, string[]>;
  categoriesOf: ReadonlyMap<string, { name: string; password: string }[]>;
  commentsOf: ReadonlyMap<string, ImportedComment[]>;
  author: { account: string; displayName: string } | null;
}

function oldUrlsOf({ options }: ConversionContext, each: Post): string[] {
  const suffix = options.get('path_suffix') ?? '';
  const type = options.get(each.isPage ? 'sheet_permalink_type' : 'post_permalink_type') || 'DEFAULT';
  if (type === 'ID' && !each.isPage) return toOldUrls([`/?p=${each.id}`]);
  const sheetPattern = type === 'ROOT' ? '/:slug' : '/:sheet/:slug';
  const path = fillPattern(each.isPage ? sheetPattern : (PATTERNS[type] ?? '/:archives/:slug'), {
    ...dateValues(parseDate(each.createTime), DEFAULT_ZONE),
    archives: options.get('archives_prefix') || 'archives',
    sheet: options.get('sheet_prefix') || 's',
    slug: each.slug || each.url || null,
    id: each.id,
  });
  return path === null ? [] : toOldUrls([encodePathname(path + suffix)]);
}

function statusOf({ categoriesOf }: ConversionContext, { id: key, status, password }: Post): ImportedStatus {
  const isLocked = (categoriesOf.get(key) ?? []).some((category) => category.password !== '');
  if (password !== '' || isLocked) return 'password';
  if (status === 'INTIMATE') return 'private';
  return status === 'PUBLISHED' ? 'published' : 'draft';
}

function toItem(context: ConversionContext, each: Post): ImportedEssay | ImportedPage {
  const { archive, links, find, contents, tagsOf, categoriesOf, commentsOf, author } = context;
  const stored = contents.get(each.id);
  const markdown = stored?.originalContent || each.originalContent;
  const html = stored?.content || each.formatContent;
  const converted =
    markdown === '' ? htmlToMarkdown(html) : { content: markdown.replace(/\r\n?/g, '\n').trim(), notes: [] };
  const oldUrls = oldUrlsOf(context, each);
  const references = { archive, find, links, from: oldUrls[0] ?? '', key: keyOf(each) };
  const { notes: missing, ...resolved } = resolveContent(converted.content, references);
  const { cover, notes: coverNotes } = resolveCover(each.thumbnail, references);
  const status = statusOf(context, each);
  const createdAt = parseDate(each.createTime);
  return {
    ...resolved,
    kind: each.isPage ? 'page' : 'essay',
    key: keyOf(each),
    sourceId: `halo:${hostOf(links.baseUrl)}:${keyOf(each)}`,
    section: '',
    title: each.title.trim(),
    slug: each.slug || each.url,
    summary: each.summary,
    tags: each.isPage ? [] : (tagsOf.get(each.id) ?? []),
    categories: each.isPage ? [] : (categoriesOf.get(each.id) ?? []).map((category) => category.name),
    cover,
    author,
    authors: author === null ? [] : [author.displayName],
    status,
    statusReason: STATUS_REASONS[status],
    isPinned: Number(each.topPriority) > 0,
    commentsClosed: each.disallowComment === 'true',
    createdAt,
    publishedAt: status === 'published' ? createdAt : null,
    updatedAt: parseDate(each.editTime) ?? parseDate(each.updateTime),
    invalidDates: [],
    oldUrls,
    comments: commentsOf.get(keyOf(each)) ?? [],
    notes: [
      ...(resolved.content === '' ? ['正文是空的'] : []),
      ...coverNotes,
      ...converted.notes,
      ...missing,
    ],
  };
}

/** Posts and pages have separate numbers. */
const keyOf = ({ id: key, isPage }: Post): string => (isPage ? `sheet-${key}` : key);

function groupComments({ post_comments, sheet_comments }: Data): Map<string, ImportedComment[]> {
  const all = [
    ...post_comments.map((each) => ({ ...each, item: each.postId })),
    ...sheet_comments.map((each) => ({ ...each, item: `sheet-${each.postId}` })),
  ].filter(({ status }) => status !== 'RECYCLE');
  const groups = Map.groupBy(all, ({ item }) => item);
  return new Map(
    [...groups].map(([item, list]) => [
      item,
      list.map((each) => ({
        id: each.id,
        parentId: each.parentId.replace(/^0$/, '') || null,
        name: each.author,
        url: each.authorUrl,
        createdAt: parseDate(each.createTime),
        status: each.status === 'PUBLISHED' ? ('approved' as const) : ('pending' as const),
        content: commentToMarkdown(each.content),
      })),
    ]),
  );
}

function createContext(
  found: Data,
  archive: Archive,
  find: (address: string) => string[],
): ConversionContext {
  const options = new Map(found.options.map(({ key, value }) => [key, value]));
  const tags = new Map(found.tags.map((tag) => [tag.id, tag.name]));
  const categories = new Map(found.categories.map((category) => [category.id, category]));
  const [owner] = [...found.users, ...found.user];
  return {
    archive,
    find,
    options,
    links: createLinkIndex(toBaseUrl(options.get('blog_url') ?? '')),
    contents: new Map(found.contents.map((each) => [each.id, each])),
    tagsOf: new Map(
      [...Map.groupBy(found.post_tags, ({ postId }) => postId)].map(([key, list]) => [
        key,
        list.flatMap(({ tagId }) => tags.get(tagId) ?? []),
      ]),
    ),
    categoriesOf: new Map(
      [...Map.groupBy(found.post_categories, ({ postId }) => postId)].map(([key, list]) => [
        key,
        list.flatMap(({ categoryId }) => categories.get(categoryId) ?? []),
      ]),
    ),
    commentsOf: groupComments(found),
    author:
      owner === undefined ? null : { account: owner.username, displayName: owner.nickname || owner.username },
  };
}

export function* readHalo1(
  json: string,
  archive: Archive,
  find: (address: string) => string[],
): Generator<ImportedItem> {
  const found = data.parse(JSON.parse(json));
  const context = createContext(found, archive, find);
  const contents: Post[] = [
    ...found.posts.map((each) => ({ ...each, isPage: false })),
    ...found.sheets.map((each) => ({ ...each, isPage: true })),
  ];
  for (const each of contents)
    if (each.status !== 'RECYCLE') context.links.add(oldUrlsOf(context, each), keyOf(each));
  const counter = createSiteCounter();
  for (const each of contents) {
    const about = { key: keyOf(each), title: each.title.trim() };
    const content = each.originalContent + (context.contents.get(each.id)?.originalContent ?? '');
    const item =
      each.status === 'RECYCLE'
        ? { kind: 'skipped' as const, ...about, skipped: '在回收站里，没有导入' }
        : convertSafely({ ...about, content }, () => toItem(context, each));
    counter.add(item);
    yield item;
  }
  yield {
    kind: 'site',
    program: 'halo',
    title: context.options.get('blog_title') ?? '',
    owner: context.author?.displayName ?? '',
    baseUrl: context.links.baseUrl,
    timeZone: DEFAULT_ZONE,
    feedUrls: ['/rss.xml', '/feed.xml', '/atom.xml', '/rss', '/feed', '/atom'],
    sections: [],
    ...counter.list(),
  };
}
