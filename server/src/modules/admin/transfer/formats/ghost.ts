import { CallError } from '@mozhan/contract/errors.ts';
import { z } from 'zod';
import { DEFAULT_ZONE, listInvalidDates, parseDate, toTimeZone } from './dates.ts';
import { readConfig } from './folder.ts';
import { getFields, getText, isFields } from './front-matter.ts';
import { documentToHtml, findSourceMarkdown } from './ghost-cards.ts';
import { commentToMarkdown, htmlToMarkdown } from './html.ts';
import { createLinkIndex, hostOf, type LinkIndex, toBaseUrl, toOldUrls } from './links.ts';
import { createFileIndex, decodePath } from './paths.ts';
import { dateValues, encodePathname, fillPattern } from './permalinks.ts';
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
  type SkippedItem,
} from './types.ts';

const text = z
  .union([z.string(), z.number(), z.boolean()])
  .nullish()
  .catch(null)
  .transform((value) => (value === null || value === undefined ? '' : String(value)));
const key = z.union([z.string(), z.number()]).transform(String);
const post = z.object({
  id: key,
  uuid: text,
  title: text,
  slug: text,
  html: text,
  lexical: text,
  mobiledoc: text,
  /** Used by exports before version 1. */
  markdown: text,
  feature_image: text,
  image: text,
  og_image: text,
  custom_excerpt: text,
  status: text,
  type: text,
  visibility: text,
  author_id: text,
  /** Used by older exports instead of `type`. */
  page: z.union([z.boolean(), z.number()]).nullish(),
  /** Older exports contain numbers. */
  created_at: text,
  published_at: text,
  updated_at: text,
});
type Post = z.output<typeof post>;

/** Rows that do not match are ignored, because tables other than posts are not essential. */
const rows = <S extends z.ZodType>(schema: S) =>
  z
    .array(z.unknown())
    .default([])
    .transform((list) =>
      list.flatMap((row): z.output<S>[] => {
        const parsed = schema.safeParse(row);
        return parsed.success ? [parsed.data] : [];
      }),
    );
const order = z.number().nullish().catch(null);
const data = z.object({
  posts: z.array(z.unknown()),
  tags: rows(z.object({ id: key, name: text, slug: text, visibility: text })),
  posts_tags: rows(z.object({ post_id: key, tag_id: key, sort_order: order })),
  users: rows(z.object({ id: key, slug: text, name: text })),
  posts_authors: rows(z.object({ post_id: key, author_id: key, sort_order: order })),
  posts_meta: rows(z.object({ post_id: key, og_image: text })),
  settings: rows(z.object({ key: text, value: text })),
  members: rows(z.object({ id: key, name: text })),
  comments: rows(
    z.object({
      id: key,
      post_id: key,
      member_id: text,
      parent_id: text,
      in_reply_to_id: text,
      status: text,
      html: text,
      created_at: text,
    }),
  ),
});
type Data = z.output<typeof data>;
const envelope = z.union([
  z.object({ db: z.array(z.object({ data })).min(1) }).transform(({ db }) => db[0]?.data),
  z.object({ data }).transform((value) => value.data),
  data,
]);

const listJsonFiles = (archive: Pick<Archive, 'names'>): string[] =>
  archive.names().filter((name) => /\.json$/i.test(name) && !name.startsWith('__MACOSX/'));

const NOT_GHOST = '不是 Ghost 导出的文件';

/** Returns a message if the export cannot be read. */
async function readExport(archive: Archive, name: string): Promise<Data | string> {
  try {
    const content = await archive.readText(name);
    return envelope.parse(JSON.parse(content.replace(/^\uFEFF/, ''))) ?? NOT_GHOST;
  } catch (error) {
    return error instanceof CallError ? error.message : NOT_GHOST;
  }
}

/** The posts may come after tables that are longer than the start of the file. */
const looksLikeGhost = (start: string): boolean =>
  (/"(?:posts|exported_on)"\s*:/.test(start) && /"(?:db|data)"\s*:/.test(start)) ||
  (/"posts_(?:tags|authors|meta)"\s*:/.test(start) &&
    /"(?:mobiledoc|lexical|html|users|tags)"\s*:/.test(start));

const FOLDERS = ['images/', 'media/', 'files/'];

/** Finds files below `content/images`, `content/media` and `content/files`, for any host name. */
const createFinder = (archive: Archive) => {
  const names = archive.names();
  const indexes = FOLDERS.flatMap((folder) => [
    { marker: `content/${folder}`, find: createFileIndex(names, `content/${folder}`) },
    // Archives of pictures may not contain the folder above.
    { marker: `content/${folder}`, find: createFileIndex(names, folder) },
  ]);
  return (address: string): string[] => {
    const plain = decodePath(address);
    return indexes.flatMap(({ marker, find }) => {
      const at = plain.indexOf(marker);
      // Removes the size of a resized picture: `content/images/size/w600/2024/a.png`.
      return at < 0 ? [] : find(plain.slice(at + marker.length).replace(/^size\/w\d+(?:h\d+)?\//, ''));
    });
  };
};

const isPage = ({ type, page }: Post): boolean => type === 'page' || page === true || page === 1;

function statusOf({ status, visibility }: Post): { status: ImportedStatus; statusReason: string } {
  const decide = (value: ImportedStatus, statusReason = STATUS_REASONS[value]) => ({
    status: value,
    statusReason,
  });
  if (status === 'sent') return decide('members', '只用邮件发出，没有公开，作为草稿导入');
  if (status === 'scheduled' && (visibility === '' || visibility === 'public')) return decide('scheduled');
  if (status !== 'published' && status !== 'scheduled') return decide('draft');
  if (visibility === '' || visibility === 'public') return decide('published');
  return decide(visibility === 'members' ? 'members' : 'paid');
}

const byOrder = (a: { sort_order?: number | null | undefined }, b: typeof a) =>
  (a.sort_order ?? 0) - (b.sort_order ?? 0);

function groupByPost<T extends { post_id: string }>(list: readonly T[]): Map<string, T[]> {
  return Map.groupBy(list, (row) => row.post_id);
}

const groupRelations = ({ tags, users, posts_tags, posts_authors, posts_meta, members, comments }: Data) => ({
  tags: new Map(tags.map((tag) => [tag.id, tag])),
  users: new Map(users.map((user) => [user.id, user])),
  members: new Map(members.map((member) => [member.id, member.name])),
  meta: new Map(posts_meta.map((meta) => [meta.post_id, meta])),
  tagsOf: groupByPost(posts_tags),
  authorsOf: groupByPost(posts_authors),
  commentsOf: groupByPost(comments),
});

interface ConversionContext {
  archive: Archive;
  find: (address: string) => string[];
  related: ReturnType<typeof groupRelations>;
  links: LinkIndex;
  permalink: string;
  zone: string;
}

function authorsOf({ id, author_id }: Post, { users, authorsOf: of }: ConversionContext['related']) {
  const ids = (of.get(id) ?? []).toSorted(byOrder).map((row) => row.author_id);
  const found = (ids.length > 0 ? ids : [author_id]).flatMap((each) => users.get(each) ?? []);
  const [first] = found;
  return {
    author: first === undefined ? null : { account: first.slug, displayName: first.name },
    authors: found.map(({ name }) => name),
  };
}

/** Tags that start with # are internal. */
const tagsOf = ({ id }: Post, { tags, tagsOf: of }: ConversionContext['related']) =>
  (of.get(id) ?? [])
    .toSorted(byOrder)
    .flatMap(({ tag_id }) => tags.get(tag_id) ?? [])
    .filter((tag) => tag.visibility !== 'internal' && !tag.name.startsWith('#'));

function oldUrlsOf(each: Post, { related, permalink, zone }: ConversionContext): string[] {
  if (each.slug === '') return [];
  const path = fillPattern(isPage(each) ? '/:slug/' : permalink, {
    ...dateValues(parseDate(each.published_at || each.created_at), zone),
    slug: each.slug,
    id: each.id,
    author: authorsOf(each, related).author?.account ?? null,
    primary_author: authorsOf(each, related).author?.account ?? null,
    primary_tag: tagsOf(each, related)[0]?.slug ?? 'all',
  });
  return toOldUrls(path === null ? [] : [encodePathname(path)]);
}

/** Names of members are exported separately, so they may be missing. */
function commentsOf({ id }: Post, { related }: ConversionContext): ImportedComment[] {
  return (related.commentsOf.get(id) ?? [])
    .filter(({ status }) => status === 'published' || status === 'hidden')
    .map((comment) => ({
      id: comment.id,
      parentId: comment.in_reply_to_id || comment.parent_id || null,
      name: related.members.get(comment.member_id) || '会员',
      url: '',
      createdAt: parseDate(comment.created_at),
      status: comment.status === 'published' ? 'approved' : 'pending',
      content: commentToMarkdown(comment.html),
    }));
}

function convertContent(each: Post): { content: string; notes: string[] } {
  const source = findSourceMarkdown(each) ?? (each.html === '' || each.mobiledoc === '' ? each.markdown : '');
  if (source !== '') return { content: source.replace(/\r\n?/g, '\n').trim(), notes: [] };
  return htmlToMarkdown((each.html || documentToHtml(each)).replaceAll('__GHOST_URL__', ''));
}

function toItem(each: Post, context: ConversionContext): ImportedEssay | ImportedPage | SkippedItem {
  const { archive, find, related, links } = context;
  const converted = convertContent(each);
  if (converted.content === '' && (each.title === '' || each.title === '(Untitled)'))
    return { kind: 'skipped', key: each.id, title: each.title, skipped: '空的草稿，没有导入' };
  const oldUrls = oldUrlsOf(each, context);
  const references = { archive, find, links, from: oldUrls[0] ?? '', key: each.id };
  const { notes: missing, ...resolved } = resolveContent(
    converted.content.replaceAll('__GHOST_URL__', ''),
    references,
  );
  const picture =
    each.feature_image || each.image || each.og_image || related.meta.get(each.id)?.og_image || '';
  const { cover, notes: coverNotes } = resolveCover(picture.replace('__GHOST_URL__', ''), references);
  const decided = statusOf(each);
  const isDated = decided.status !== 'draft';
  return {
    ...resolved,
    ...authorsOf(each, related),
    ...decided,
    kind: isPage(each) ? 'page' : 'essay',
    key: each.id,
    sourceId: `ghost:${each.uuid || `${hostOf(links.baseUrl)}:${each.id}`}`,
    section: '',
    title: each.title,
    slug: each.slug,
    summary: each.custom_excerpt,
    tags: tagsOf(each, related).map(({ name }) => name),
    categories: [],
    cover,
    isPinned: false,
    commentsClosed: false,
    createdAt: parseDate(each.created_at, 'UTC'),
    publishedAt: isDated ? parseDate(each.published_at, 'UTC') : null,
    updatedAt: parseDate(each.updated_at, 'UTC'),
    invalidDates: listInvalidDates([each.created_at, each.published_at, each.updated_at]),
    oldUrls,
    comments: commentsOf(each, context),
    notes: [
      ...(resolved.content === '' ? ['正文是空的'] : []),
      ...coverNotes,
      ...converted.notes,
      ...missing,
    ],
  };
}

/** The pattern of addresses is a setting of old exports, and part of `routes.yaml` since version 2. */
async function findPermalink(archive: Archive, settings: ReadonlyMap<string, string>): Promise<string> {
  const names = archive.names().filter((name) => /(?:^|\/)routes[^/]*\.ya?ml$/.test(name));
  const collections = getFields((await readConfig(archive, names)) ?? {}, 'collections');
  for (const collection of Object.values(collections))
    if (isFields(collection) && getText(collection, 'permalink') !== '')
      return getText(collection, 'permalink');
  const setting = settings.get('permalinks') ?? '';
  return setting.startsWith('/') ? setting : '/:slug/';
}

async function* convertExport(found: Data, archive: Archive, name: string): AsyncGenerator<ImportedItem> {
  const settings = new Map(found.settings.map((setting) => [setting.key, setting.value]));
  const siteUrl = toBaseUrl(settings.get('url') ?? settings.get('site_url') ?? '');
  const context: ConversionContext = {
    archive,
    find: createFinder(archive),
    related: groupRelations(found),
    links: createLinkIndex(siteUrl),
    permalink: await findPermalink(archive, settings),
    zone: toTimeZone(settings.get('timezone') ?? settings.get('active_timezone') ?? ''),
  };
  const parsed = found.posts.map((raw) => post.safeParse(raw));
  for (const { data: each } of parsed)
    if (each !== undefined) context.links.add(oldUrlsOf(each, context), each.id);
  const counter = createSiteCounter();
  for (const [index, { data: each }] of parsed.entries()) {
    if (each === undefined) {
      yield { kind: 'skipped', key: `${name}#${index}`, skipped: '这篇文章的格式不对' };
      continue;
    }
    const content = each.html + each.mobiledoc + each.lexical + each.markdown;
    const item = convertSafely({ key: each.id, title: each.title, content }, () => toItem(each, context));
    counter.add(item);
    yield item;
  }
  yield {
    kind: 'site',
    program: 'ghost',
    title: settings.get('title') ?? '',
    owner: '',
    baseUrl: context.links.baseUrl,
    timeZone: context.zone || DEFAULT_ZONE,
    feedUrls: ['/rss/'],
    sections: [],
    ...counter.list(),
  };
}

/** Reads Ghost's JSON export; a ZIP may also contain the pictures in `content/images`. */
export const ghost: Format = {
  async detect(upload) {
    for (const name of listJsonFiles(upload).slice(0, 5))
      if (looksLikeGhost(await upload.readStart(name))) return true;
    return false;
  },
  async *read(archive): AsyncGenerator<ImportedItem> {
    for (const name of listJsonFiles(archive)) {
      const found = await readExport(archive, name);
      if (typeof found === 'string') yield { kind: 'skipped', key: name, skipped: found };
      else yield* convertExport(found, archive, name);
    }
  },
};
