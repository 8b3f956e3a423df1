import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import { essaySlug } from '@mozhan/contract/essays.ts';
import type { Category } from '../../../content/categories/tables.ts';
import { decodePath } from '../formats/paths.ts';
import { choosePublication } from '../formats/publication.ts';
import type { ImportedEssay, ImportedPage } from '../formats/types.ts';
import { replaceLinks } from '../picture-text.ts';
import type { ImportDraft, IncomingEssay } from './import-essay.ts';

const MAX_TAGS = 5;
const truncate = (text: string, maxLength: number): string => [...text].slice(0, maxLength).join('');
const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();

function toTags(given: string[], notes: string[]): string[] {
  const clean = given
    .map((tag) =>
      truncate(
        tag
          .replace(/[\p{Cc}\p{Zl}\p{Zp}<>"'&,，、;；/\\]+/gu, ' ')
          .replace(/\s+/g, ' ')
          .trim(),
        20,
      ).trim(),
    )
    .filter((tag) => tag !== '');
  const distinct = [...new Map(clean.map((tag) => [tag.normalize('NFKC').toLowerCase(), tag])).values()];
  if (distinct.length > MAX_TAGS) notes.push(`标签只留了前 ${MAX_TAGS} 个`);
  return distinct.slice(0, MAX_TAGS);
}

const MAX_SLUG_SOURCE = 500;
const OTHER_THAN_SLUG = /[^a-z0-9\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+/gu;

/** The slug as this site spells it; null if nothing valid is left of it. */
export function toEssaySlug(given: string): string | null {
  const letters = decodePath(given.slice(0, MAX_SLUG_SOURCE)).normalize('NFKC').toLowerCase();
  const words = letters.replace(OTHER_THAN_SLUG, '-').replace(/^-|-$/g, '');
  const parsed = essaySlug.safeParse(words);
  return parsed.success ? parsed.data : null;
}

export function findCategory(categories: Category[], name: string | null): Category | undefined {
  const normalized = name?.trim().toLowerCase();
  return categories.find((each) => each.name.toLowerCase() === normalized || each.slug === normalized);
}

/** Where another item of the archive is on this site. */
export type PathOf = (key: string) => string | undefined;

/** Links to other items of the archive lead to where these are here; parts of a page are kept. */
export function replaceInternalLinks(
  { content, internalLinks }: Pick<ImportedEssay, 'content' | 'internalLinks'>,
  pathOf: PathOf,
): string {
  const paths = internalLinks.flatMap(({ url, key }) => {
    const path = pathOf(key);
    return path === undefined ? [] : [[url, path + (/#.*$/s.exec(url)?.[0] ?? '')] as const];
  });
  return replaceLinks(content, new Map(paths));
}

const ADDRESS = /(\]\(\s*<?|\]:\s*<?|src=["'])([^\s)>"'?#]+)/g;

/** Replaces only URLs in Markdown or HTML syntax, not the same words in the text. */
export const replaceAddresses = (content: string, paths: ReadonlyMap<string, string>): string =>
  content.replace(ADDRESS, (_, before: string, url: string) => before + (paths.get(url) ?? url));

interface DraftContext {
  tags: string[];
  categoryId: string | null;
  scheduledAt: string | null;
  notes: string[];
}

function toDraft(given: ImportedEssay, { tags, categoryId, scheduledAt, notes }: DraftContext): ImportDraft {
  const title = truncate(oneLine(given.title), 100);
  if (title.length < oneLine(given.title).length) notes.push('标题太长，只留了前 100 个字');
  return {
    fields: {
      title,
      content: given.content.replaceAll('\0', ''),
      summary: truncate(oneLine(given.summary), 200),
      tags: toTags(tags, notes),
      price: 0,
      memberFree: false,
      previewPercent: 30,
      allowComment: !given.commentsClosed,
      declaration: 'none',
      source: '',
      scheduledAt,
    },
    categoryId,
    columnId: null,
    cover: given.cover ?? '',
    shareCover: '',
    attachments: [...Map.groupBy(given.attachments, ({ name }) => name)].map(([name, links]) => ({
      name,
      links: links.map(({ url }) => url),
    })),
    pictures: new Map(given.pictures.map((url) => [url, decodePath(url)])),
    replace: replaceAddresses,
  };
}

/** The first category with the same name here decides; the others become tags. */
function chooseCategory(
  { categories: names, tags }: ImportedEssay,
  { categories, fallback }: ForeignContext,
  notes: string[],
): { categoryId: string | null; tags: string[] } {
  const chosen = names.find((name) => findCategory(categories, name) !== undefined);
  const [first] = names;
  if (chosen === undefined && first !== undefined)
    notes.push(`本站没有分类「${first}」${fallback === undefined ? '' : `，放到「${fallback.name}」`}`);
  const category = findCategory(categories, chosen ?? null) ?? fallback;
  const others = names.filter((name) => name !== chosen && !tags.includes(name));
  return { categoryId: category?.id ?? null, tags: [...tags, ...others] };
}

interface ForeignContext {
  categories: Category[];
  /** The category of essays whose own does not exist here. */
  fallback: Category | undefined;
  now: Date;
  id: string | null;
  fetchPictures: boolean;
  pathOf: PathOf;
}

export function toIncomingEssay(given: ImportedEssay, context: ForeignContext): IncomingEssay {
  const notes: string[] = [];
  const { status, scheduledAt } = choosePublication(given, context.now, notes);
  notes.push(...given.notes, ...listRemaining(given, context.fetchPictures));
  const { categoryId, tags } = chooseCategory(given, context, notes);
  return {
    key: given.key,
    id: context.id,
    slug: toEssaySlug(given.slug),
    author: given.author,
    draft: toDraft(
      { ...given, content: replaceInternalLinks(given, context.pathOf) },
      { tags, categoryId, scheduledAt, notes },
    ),
    revision: null,
    status,
    offByStaff: false,
    reason: '',
    region: '',
    columnSort: 0,
    ...(given.isPinned ? { pins: { author: 1, site: null } } : {}),
    createdAt: given.createdAt,
    publishedAt: status === ESSAY_STATUS.onShelf ? given.publishedAt : null,
    updatedAt: given.updatedAt,
    notes,
    remote: context.fetchPictures
      ? { pictures: given.remotePictures, attachments: given.remoteAttachments }
      : undefined,
  };
}

/** Messages about what the readers deliver and this import does not take. */
export function listRemaining(
  { kind, remotePictures, attachments, remoteAttachments, comments }: ImportedEssay | ImportedPage,
  fetchPictures: boolean,
): string[] {
  const files = [...attachments.map(({ name }) => name), ...remoteAttachments];
  return [
    ...(remotePictures.length > 0 && !fetchPictures
      ? [`${remotePictures.length} 张图片在别的网站上，只保留了链接`]
      : []),
    ...(remoteAttachments.length > 0 && !fetchPictures && kind === 'essay'
      ? [`${remoteAttachments.length} 个附件在别的网站上，只保留了链接`]
      : []),
    ...(kind === 'page' && files.length > 0
      ? [`页面没有附件，只保留了链接：${[...new Set(files)].join('、')}`]
      : []),
    ...(kind === 'page' && comments.length > 0 ? [`页面不能评论，${comments.length} 条评论没有导入`] : []),
  ];
}
