import { CallError } from '@mozhan/contract/errors.ts';
import { z } from 'zod';
import { listInvalidDates, parseDate } from './front-matter.ts';
import { htmlToMarkdown } from './html.ts';
import { decodePath, isExternalUrl, resolvePictures } from './references.ts';
import { type Archive, convertSafely, type Format, type ImportedEssay, type SkippedItem } from './types.ts';

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '');
const post = z.object({
  id: z.union([z.string(), z.number()]).transform(String),
  title: text,
  slug: text,
  html: text,
  lexical: text,
  mobiledoc: text,
  feature_image: text,
  custom_excerpt: text,
  status: text,
  type: text,
  visibility: text,
  /** Used by older exports instead of `type`. */
  page: z.union([z.boolean(), z.number()]).nullish(),
  /** Older exports contain numbers. */
  created_at: z.union([text, z.number()]),
  published_at: z.union([text, z.number()]),
  updated_at: z.union([text, z.number()]),
});
type Post = z.output<typeof post>;

const key = z.union([z.string(), z.number()]).transform(String);
const data = z.object({
  posts: z.array(z.unknown()),
  tags: z.array(z.object({ id: key, name: text, visibility: text })).default([]),
  posts_tags: z.array(z.object({ post_id: key, tag_id: key, sort_order: z.number().nullish() })).default([]),
  users: z.array(z.object({ id: key, slug: text, name: text })).default([]),
  posts_authors: z
    .array(z.object({ post_id: key, author_id: key, sort_order: z.number().nullish() }))
    .default([]),
});
type Data = z.output<typeof data>;
const envelope = z.union([
  z.object({ db: z.array(z.object({ data })).min(1) }).transform(({ db }) => db[0]?.data),
  z.object({ data }).transform((value) => value.data),
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

const looksLikeGhost = (beginning: string): boolean =>
  /"(?:posts|exported_on)"\s*:/.test(beginning) && /"(?:db|data)"\s*:/.test(beginning);

/** Returns the original Markdown if the post consists of a single Markdown card. */
function findSourceMarkdown({ mobiledoc, lexical }: Post): string | null {
  try {
    const { cards, sections } = JSON.parse(mobiledoc || '{}') as {
      cards?: [string, { markdown?: string }][];
      sections?: unknown[];
    };
    const [only] = cards ?? [];
    if (cards?.length === 1 && (sections?.length ?? 0) <= 1 && /^(?:card-)?markdown$/.test(only?.[0] ?? ''))
      return only?.[1].markdown ?? null;
    const { root } = JSON.parse(lexical || '{}') as {
      root?: { children?: { type: string; markdown?: string }[] };
    };
    const [node, ...others] = root?.children ?? [];
    return others.length === 0 && node?.type === 'markdown' ? (node.markdown ?? null) : null;
  } catch {
    return null;
  }
}

/** Finds pictures below `content/images`, for any host name. */
const findPicture = (archive: Archive) => {
  const names = archive.names();
  return (address: string): string[] => {
    const plain = decodePath(address);
    const start = plain.indexOf('content/images/');
    if (start < 0) return [];
    const path = plain.slice(start);
    // Removes the size of a resized picture: `content/images/size/w600/2024/a.png`.
    const original = path.replace(/\/size\/w\d+(?:h\d+)?\//, '/');
    return names.filter((name) => name === original || name.endsWith(`/${original}`));
  };
};

function skipReason({ type, page, status, title }: Post, content: string): string | null {
  if (type === 'page' || page === true || page === 1) return '独立页面，没有导入';
  if (status === 'sent') return '只用邮件发出的文章，没有导入';
  if (content === '') return title === '' ? '空的草稿，没有导入' : '正文是空的，没有导入';
  return null;
}

function decideStatus({ status, visibility }: Post): { isPublished: boolean; notes: string[] } {
  if (status === 'scheduled') return { isPublished: false, notes: ['还没有到发布时间，作为草稿导入'] };
  if (status !== 'published') return { isPublished: false, notes: [] };
  if (visibility === '' || visibility === 'public') return { isPublished: true, notes: [] };
  return { isPublished: false, notes: ['原文不是人人可读，作为草稿导入，设好价格后再发布'] };
}

const byOrder = (a: { sort_order?: number | null | undefined }, b: typeof a) =>
  (a.sort_order ?? 0) - (b.sort_order ?? 0);

function groupByPost<T extends { post_id: string }>(rows: readonly T[]): Map<string, T[]> {
  return Map.groupBy(rows, (row) => row.post_id);
}

const groupRelations = ({ tags, users, posts_tags, posts_authors }: Data) => ({
  tags: new Map(tags.map((tag) => [tag.id, tag])),
  users: new Map(users.map((user) => [user.id, user])),
  tagsOf: groupByPost(posts_tags),
  authorsOf: groupByPost(posts_authors),
});

interface ConversionContext {
  archive: Archive;
  find: (address: string) => string[];
  related: ReturnType<typeof groupRelations>;
}

function toEssay(each: Post, { archive, find, related }: ConversionContext): ImportedEssay | SkippedItem {
  const { tags, users, tagsOf, authorsOf } = related;
  const { isPublished, notes } = decideStatus(each);
  const markdown = findSourceMarkdown(each);
  const converted =
    markdown === null
      ? htmlToMarkdown(each.html)
      : { content: markdown.replace(/\r\n?/g, '\n').trim(), notes: [] };
  const reason = skipReason(each, converted.content);
  if (reason !== null) return { key: each.id, title: each.title, skipped: reason };
  const pictures = resolvePictures(converted.content.replaceAll('__GHOST_URL__', ''), archive, find);
  const cover = coverOf(each.feature_image, find);
  const user = users.get(authorsOf.get(each.id)?.toSorted(byOrder)[0]?.author_id ?? '');
  return {
    key: each.id,
    title: each.title,
    slug: each.slug,
    content: pictures.content,
    summary: each.custom_excerpt,
    tags: (tagsOf.get(each.id) ?? [])
      .toSorted(byOrder)
      .map(({ tag_id }) => tags.get(tag_id))
      // Tags that start with # are internal.
      .flatMap((tag) =>
        tag === undefined || tag.visibility === 'internal' || tag.name.startsWith('#') ? [] : [tag.name],
      ),
    category: null,
    cover,
    author: user === undefined ? null : { account: user.slug, displayName: user.name },
    status: isPublished ? 'published' : 'draft',
    createdAt: parseDate(each.created_at),
    publishedAt: isPublished ? parseDate(each.published_at) : null,
    updatedAt: parseDate(each.updated_at),
    invalidDates: listInvalidDates([each.created_at, each.published_at, each.updated_at]),
    pictures: pictures.pictures,
    notes: [...notes, ...missingCoverNotes(each.feature_image, cover), ...converted.notes, ...pictures.notes],
  };
}

/** Reads Ghost's JSON export; a ZIP may also contain the pictures in `content/images`. */
export const ghost: Format = {
  async detect(upload) {
    for (const name of listJsonFiles(upload).slice(0, 5))
      if (looksLikeGhost(await upload.readStart(name))) return true;
    return false;
  },
  async *read(archive): AsyncGenerator<ImportedEssay | SkippedItem> {
    const find = findPicture(archive);
    for (const name of listJsonFiles(archive)) {
      const found = await readExport(archive, name);
      if (typeof found === 'string') {
        yield { key: name, skipped: found };
        continue;
      }
      const related = groupRelations(found);
      for (const [index, raw] of found.posts.entries()) {
        const parsed = post.safeParse(raw);
        if (!parsed.success) {
          yield { key: `${name}#${index}`, skipped: '这篇文章的格式不对' };
          continue;
        }
        const each = parsed.data;
        const content = each.html + each.mobiledoc + each.lexical;
        yield convertSafely({ key: each.id, title: each.title, content }, () =>
          toEssay(each, { archive, find, related }),
        );
      }
    }
  },
};

const coverOf = (address: string, find: (address: string) => string[]): string | null =>
  find(address)[0] ?? (isExternalUrl(address) && !address.startsWith('__') ? address : null);

const missingCoverNotes = (address: string, cover: string | null): string[] =>
  address !== '' && cover === null ? [`没有找到封面 ${address.replace('__GHOST_URL__', '')}`] : [];
