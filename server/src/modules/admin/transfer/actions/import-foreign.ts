import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import type { Ctx } from '../../../../ctx.ts';
import type { Category } from '../../../content/categories/tables.ts';
import type { FormatName } from '../formats/formats.ts';
import { decodePath } from '../formats/paths.ts';
import { readFormat } from '../formats/read-format.ts';
import type { ImportedEssay, ImportedPage, SkippedItem, Upload } from '../formats/types.ts';
import { listCategories } from '../queries/targets.ts';
import { essayKey, type ImportDraft, type IncomingEssay, importEssay } from './import-essay.ts';
import { type ImportState, importItem, withRetries } from './import-state.ts';

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

function findCategory(categories: Category[], name: string | null): Category | undefined {
  const normalized = name?.trim().toLowerCase();
  return categories.find((each) => each.name.toLowerCase() === normalized || each.slug === normalized);
}

const ADDRESS = /(\]\(\s*<?|\]:\s*<?|src=["'])([^\s)>"'?#]+)/g;

/** Replaces only URLs in Markdown or HTML syntax, not the same words in the text. */
const replaceAddresses = (content: string, paths: ReadonlyMap<string, string>): string =>
  content.replace(ADDRESS, (_, before: string, url: string) => before + (paths.get(url) ?? url));

/** An essay that was not public, or has an unreadable or future date, becomes a draft. */
function chooseStatus(given: ImportedEssay, now: Date, notes: string[]): 0 | 3 {
  const isPublished = given.status === 'published';
  if (given.statusReason !== '') notes.push(given.statusReason);
  const hasNoDate = isPublished && given.publishedAt === null;
  for (const date of given.invalidDates)
    notes.push(`日期「${date}」无法识别${hasNoDate ? '，作为草稿导入' : ''}`);
  if (!isPublished || (hasNoDate && given.invalidDates.length > 0)) return 0;
  if (given.publishedAt === null) notes.push('原文没有日期，按导入的时间发布');
  else if (given.publishedAt > now) {
    notes.push('还没有到发布时间，作为草稿导入');
    return 0;
  }
  return 3;
}

function toDraft(given: ImportedEssay, categoryId: string | null, notes: string[]): ImportDraft {
  const title = truncate(oneLine(given.title), 100);
  if (title.length < oneLine(given.title).length) notes.push('标题太长，只留了前 100 个字');
  return {
    fields: {
      title,
      content: given.content.replaceAll('\0', ''),
      summary: truncate(oneLine(given.summary), 200),
      tags: toTags(given.tags, notes),
      price: 0,
      memberFree: false,
      previewPercent: 30,
      allowComment: true,
      declaration: 'none',
      source: '',
      scheduledAt: null,
    },
    categoryId,
    columnId: null,
    cover: given.cover ?? '',
    attachments: [],
    pictures: new Map(given.pictures.map((url) => [url, decodePath(url)])),
    replace: replaceAddresses,
  };
}

interface ConversionContext {
  categories: Category[];
  fallback: Category | undefined;
  now: Date;
}

function toIncomingEssay(
  given: ImportedEssay,
  { categories, fallback, now }: ConversionContext,
): IncomingEssay {
  const notes: string[] = [];
  const status = chooseStatus(given, now, notes);
  notes.push(...given.notes, ...listRemaining(given));
  const [first, ...others] = given.categories;
  const category = findCategory(categories, first ?? null);
  const tags = [...given.tags];
  if (category === undefined && first !== undefined) {
    notes.push(`本站没有分类「${first}」${fallback === undefined ? '' : `，放到「${fallback.name}」`}`);
    others.unshift(first);
  }
  for (const name of others) if (!tags.includes(name)) tags.push(name);
  return {
    key: given.key,
    id: null,
    author: given.author,
    draft: toDraft({ ...given, tags }, (category ?? fallback)?.id ?? null, notes),
    revision: null,
    status,
    offByStaff: false,
    reason: '',
    region: '',
    columnSort: 0,
    createdAt: given.createdAt,
    publishedAt: status === ESSAY_STATUS.onShelf ? given.publishedAt : null,
    updatedAt: given.updatedAt,
    notes,
  };
}

/** Messages about what the readers deliver and this import does not take. */
function listRemaining({ remotePictures, attachments, comments }: ImportedEssay): string[] {
  return [
    ...(remotePictures.length > 0 ? [`${remotePictures.length} 张图片在别的网站上，只保留了链接`] : []),
    ...(attachments.length > 0 ? [`${attachments.length} 个附件没有导入`] : []),
    ...(comments.length > 0 ? [`${comments.length} 条评论没有导入`] : []),
  ];
}

async function recordSkipped(state: ImportState, given: SkippedItem | ImportedPage): Promise<void> {
  const kind = given.kind === 'page' ? 'page' : 'essay';
  const key = kind === 'page' ? `page:${given.key}` : essayKey(given.key);
  const item = { key, kind, title: given.title || given.key } as const;
  const note = given.kind === 'page' ? '独立页面，没有导入' : given.skipped;
  await importItem(state, item, async (ctx) => {
    await state.run.recordItem(ctx, { ...item, outcome: 'skipped', note });
  });
}

async function findFallbackCategory(ctx: Ctx, state: ImportState) {
  const categories = await listCategories(ctx.db);
  const chosen = state.run.row.options.categoryId;
  const fallback = categories.find(({ id }) => id === chosen) ?? categories.find(({ enabled }) => enabled);
  return { categories, fallback };
}

export async function importForeign(state: ImportState, format: FormatName): Promise<void> {
  const { run, archive } = state;
  const readContent: Upload['readContent'] = (name, maxBytes) =>
    withRetries(run, () => archive.readContent(name, maxBytes));
  const upload = { ...archive, readContent };
  let total = 0;
  for await (const item of readFormat(format, upload)) {
    run.throwIfStopped();
    if (item.kind !== 'site') total += 1;
  }
  run.setTotal(total);
  const { categories, fallback } = await findFallbackCategory(run.ctx(), state);
  for await (const given of readFormat(format, upload)) {
    if (given.kind === 'site') continue;
    if (given.kind !== 'essay') {
      await recordSkipped(state, given);
      continue;
    }
    const { now } = run.ctx();
    await importEssay(state, toIncomingEssay(given, { categories, fallback, now }));
  }
}
