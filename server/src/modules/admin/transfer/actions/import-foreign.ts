import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import type { Ctx } from '../../../../ctx.ts';
import type { Category } from '../../../content/categories/tables.ts';
import type { FormatName } from '../formats/formats.ts';
import { readFormat } from '../formats/read.ts';
import { plainPath } from '../formats/references.ts';
import type { ImportedEssay, SkippedItem, Upload } from '../formats/types.ts';
import { listCategories } from '../queries/targets.ts';
import { type Arriving, bringEssay, type Draft, essayKey } from './arrive.ts';
import { attempt, patiently, type World } from './world.ts';

const MOST_TAGS = 5;
const first = (text: string, most: number): string => [...text].slice(0, most).join('');
const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();

/** Tags are single words here: what marks the end of one is taken out. */
function toTags(given: string[], notes: string[]): string[] {
  const clean = given
    .map((tag) =>
      first(
        tag
          .replace(/[\p{Cc}\p{Zl}\p{Zp}<>"'&,，、;；/\\]+/gu, ' ')
          .replace(/\s+/g, ' ')
          .trim(),
        20,
      ).trim(),
    )
    .filter((tag) => tag !== '');
  const distinct = [...new Map(clean.map((tag) => [tag.normalize('NFKC').toLowerCase(), tag])).values()];
  if (distinct.length > MOST_TAGS) notes.push(`标签只留了前 ${MOST_TAGS} 个`);
  return distinct.slice(0, MOST_TAGS);
}

function findCategory(categories: Category[], name: string | null): Category | undefined {
  const wanted = name?.trim().toLowerCase();
  return categories.find((each) => each.name.toLowerCase() === wanted || each.slug === wanted);
}

const ADDRESS = /(\]\(\s*<?|\]:\s*<?|src=["'])([^\s)>"'?#]+)/g;

/** By where an address stands, so that words which read like one are left alone. */
const replaceAddresses = (content: string, paths: ReadonlyMap<string, string>): string =>
  content.replace(ADDRESS, (_, before: string, written: string) => before + (paths.get(written) ?? written));

/** Whether readers may have it: what has a day that nobody can read, or one to come, waits for its author. */
function standingOf(given: ImportedEssay, now: Date, notes: string[]): 0 | 3 {
  const isPublished = given.status === 'published';
  const isDayless = isPublished && given.publishedAt === null;
  for (const date of given.unreadDates)
    notes.push(`日期「${date}」无法识别${isDayless ? '，作为草稿导入' : ''}`);
  if (!isPublished || (isDayless && given.unreadDates.length > 0)) return 0;
  if (given.publishedAt === null) notes.push('原文没有日期，按导入的时间发布');
  else if (given.publishedAt > now) {
    notes.push('还没有到发布时间，作为草稿导入');
    return 0;
  }
  return 3;
}

function toDraft(given: ImportedEssay, categoryId: string | null, notes: string[]): Draft {
  const title = first(oneLine(given.title), 100);
  if (title.length < oneLine(given.title).length) notes.push('标题太长，只留了前 100 个字');
  return {
    fields: {
      title,
      content: given.content.replaceAll('\0', ''),
      summary: first(oneLine(given.summary), 200),
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
    pictures: new Map(given.pictures.map((written) => [written, plainPath(written)])),
    replace: replaceAddresses,
  };
}

interface Surroundings {
  categories: Category[];
  otherwise: Category | undefined;
  now: Date;
}

function toArriving(given: ImportedEssay, { categories, otherwise, now }: Surroundings): Arriving {
  const notes = [...given.notes];
  const status = standingOf(given, now, notes);
  const category = findCategory(categories, given.category);
  const tags = [...given.tags];
  if (category === undefined && given.category) {
    notes.push(
      `本站没有分类「${given.category}」${otherwise === undefined ? '' : `，放到「${otherwise.name}」`}`,
    );
    if (!tags.includes(given.category)) tags.push(given.category);
  }
  return {
    key: given.key,
    id: null,
    author: given.author,
    draft: toDraft({ ...given, tags }, (category ?? otherwise)?.id ?? null, notes),
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

const isSkipped = (given: ImportedEssay | SkippedItem): given is SkippedItem => 'skipped' in given;

async function otherwiseIn(ctx: Ctx, world: World) {
  const categories = await listCategories(ctx.db);
  const chosen = world.run.row.options.categoryId;
  const fallback = categories.find(({ id }) => id === chosen) ?? categories.find(({ enabled }) => enabled);
  return { categories, fallback };
}

/** Essays of other programs, as their format reads them. */
export async function importForeign(world: World, format: FormatName): Promise<void> {
  const { run, archive } = world;
  const content: Upload['content'] = (name, most) => patiently(run, () => archive.content(name, most));
  const upload = { ...archive, content };
  let total = 0;
  for await (const _ of readFormat(format, upload)) {
    run.check();
    total += 1;
  }
  run.setTotal(total);
  const { categories, fallback: otherwise } = await otherwiseIn(run.ctx(), world);
  for await (const given of readFormat(format, upload)) {
    if (!isSkipped(given)) {
      const { now } = run.ctx();
      await bringEssay(world, toArriving(given, { categories, otherwise, now }));
      continue;
    }
    const item = { key: essayKey(given.key), kind: 'essay' as const, title: given.title ?? given.key };
    await attempt(world, item, async (ctx) => {
      await run.note(ctx, { ...item, outcome: 'skipped', note: given.skipped });
    });
  }
}
