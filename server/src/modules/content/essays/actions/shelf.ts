import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import { afterCommit, type Ctx, touch } from '../../../../ctx.ts';
import { addToCounters, indexWriter } from '../../../accounts/users/index.ts';
import { emit } from '../../../accounts/webhooks/index.ts';
import { indexEssay, indexName, unindexEssay, unindexName } from '../../../platform/search/index.ts';
import { listCategoryNames } from '../../categories/index.ts';
import { columnRows } from '../queries/columns.ts';
import * as queries from '../queries/essays.ts';
import { listCardsByIds } from '../queries/lists.ts';
import { isSold } from '../queries/marks.ts';
import { findUser, listUsersByIds } from '../queries/people.ts';
import * as shelf from '../queries/shelf.ts';
import { holdNames, listShelvedTexts, lockEssays, removeUnused, settleTags } from '../queries/tags.ts';
import { hotScore, warmth } from '../rules/essays.ts';
import type { EssayRow, Settings } from '../tables.ts';
import { toTold, toToldBrief } from '../views/essays.ts';

/** Every list may show it, and the pages of its author. */
export function touchLists(ctx: Ctx, essay: EssayRow): void {
  touch(ctx, 'essays', `essay:${essay.id}`, `user:${essay.authorId}`);
  if (essay.columnId !== null) touch(ctx, `column:${essay.columnId}`);
}

/** Those who listen in its room may no longer be those who may read it. */
function recheckRoom(ctx: Ctx, essayId: string): void {
  afterCommit(ctx, () => ctx.services.live.recheck({ essayId }));
}

function isShelved(essay: EssayRow): essay is EssayRow & { publishedAt: Date } {
  return essay.status === ESSAY_STATUS.onShelf && essay.publishedAt !== null;
}

export async function indexTags(ctx: Ctx, tags: shelf.TagRow[]): Promise<void> {
  for (const { id, name, essayCount } of tags) {
    if (essayCount > 0) await indexName(ctx, { kind: 'tag', id, name, weight: essayCount });
    else await unindexName(ctx, 'tag', id);
  }
}

async function countEssay(ctx: Ctx, userId: string, by: 1 | -1): Promise<void> {
  await addToCounters(ctx.db, [{ userId, essays: by }]);
  await indexWriter(ctx, userId);
}

/** What a version points to may be gone since it was saved: a column is no loss, without a category it has no place. */
async function readFields(ctx: Ctx, essay: EssayRow, version: number): Promise<Settings> {
  const { fields: written } = await queries.getRevisionBrief(ctx.db, essay.id, version);
  // Tags may have other names by now.
  await holdNames(ctx.db);
  const fields = { ...written, tags: await settleTags(ctx.db, written.tags) };
  if (fields.categoryId === null || !(await listCategoryNames(ctx)).has(fields.categoryId))
    throw new CallError('TRANSITION_REFUSED', { message: '文章的分类已被删除，请作者重新选择' });
  // A column that was sold meanwhile keeps what was in it.
  if (essay.columnId !== null && essay.shelvedVersion !== null && (await isSold(ctx.db, [essay.columnId])))
    return { ...fields, columnId: essay.columnId };
  const column = fields.columnId === null ? null : await columnRows.find(ctx.db, fields.columnId);
  return { ...fields, columnId: column?.id ?? null };
}

/** A tag lives as long as an essay on the shelf has it. */
export async function dropUnused(ctx: Ctx, names: string[]): Promise<void> {
  if (names.length > 0) await indexTags(ctx, await removeUnused(ctx.db, names));
}

/** Readers see this audited version from now on; one that was there before makes room. */
export async function putOnShelf(ctx: Ctx, essay: EssayRow, version: number): Promise<EssayRow> {
  const wasThere = isShelved(essay);
  const fields = await readFields(ctx, essay, version);
  // Those of both versions in one order, before any count.
  await shelf.lockTags(ctx.db, wasThere ? [...essay.tags, ...fields.tags] : fields.tags);
  if (wasThere) await indexTags(ctx, await shelf.takeFromShelf(ctx.db, essay));
  const text = await queries.findText(ctx.db, essay.id, version);
  if (text === null) throw new Error(`essay ${essay.id} was never handed in as version ${version}`);
  const publishedAt = essay.publishedAt ?? ctx.now;
  const keepsPlace = fields.columnId === essay.columnId && essay.columnSort > 0;
  const { scheduledAt: _, ...settings } = fields;
  const shelved = await queries.updateEssay(ctx.db, essay.id, {
    ...settings,
    // As the audit saw them.
    title: text.title,
    summary: text.summary,
    columnSort:
      fields.columnId === null || keepsPlace
        ? essay.columnSort
        : await shelf.findNextSort(ctx.db, fields.columnId),
    wordCount: text.wordCount,
    readMinutes: text.readMinutes,
    status: ESSAY_STATUS.onShelf,
    // What the author wrote before it was taken off is still a revision.
    revisionStatus: essay.version > version ? ESSAY_STATUS.draft : null,
    shelvedVersion: version,
    submittedVersion: null,
    submittedAt: null,
    scheduledAt: null,
    offByStaff: false,
    publishedAt,
    updatedAt: ctx.now,
    savedAt: ctx.now,
    hotScore: hotScore(essay, publishedAt),
  });
  await queries.removeOtherTexts(ctx.db, essay.id, version);
  await indexTags(ctx, await shelf.addToShelf(ctx.db, { ...shelved, publishedAt }));
  if (wasThere) await dropUnused(ctx, essay.tags);
  if (!wasThere) await countEssay(ctx, essay.authorId, 1);
  const author = await findUser(ctx.db, essay.authorId);
  await indexShelved(ctx, { ...shelved, publishedAt }, author?.displayName ?? '', text.text);
  touchLists(ctx, essay);
  touchLists(ctx, shelved);
  if (wasThere) recheckRoom(ctx, essay.id);
  return shelved;
}

/** Other programs hear of an essay that has come on the shelf, for the first time or again. */
export async function tellShelved(ctx: Ctx, { id, publishedAt }: EssayRow): Promise<void> {
  const event = publishedAt === null ? 'essay.published' : 'essay.restored';
  await emit(ctx, event, async () => (await listCardsByIds(ctx.db, [id])).map((row) => toTold(ctx, row)));
}

async function indexShelved(
  ctx: Ctx,
  essay: EssayRow & { publishedAt: Date },
  author: string,
  text: string,
): Promise<void> {
  await indexEssay(ctx, {
    id: essay.id,
    title: essay.title,
    tags: essay.tags,
    author,
    categoryId: essay.categoryId ?? '',
    text,
    publishedAt: essay.publishedAt,
    hot: warmth(essay),
  });
}

/** What is found of those that are on the shelf, after their tags have changed. */
export async function indexAgain(ctx: Ctx, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  const essays = (await lockEssays(ctx.db, ids)).filter(isShelved);
  const texts = await listShelvedTexts(ctx.db, ids);
  const authors = await listUsersByIds(ctx.db, [...new Set(essays.map((essay) => essay.authorId))]);
  const names = new Map(authors.map((author) => [author.id, author.displayName]));
  for (const essay of essays)
    await indexShelved(ctx, essay, names.get(essay.authorId) ?? '', texts.get(essay.id) ?? '');
}

/** Out of every list, count and search. What becomes of the essay is the caller's matter. */
export async function takeOffShelf(ctx: Ctx, essay: EssayRow): Promise<void> {
  if (!isShelved(essay)) return;
  await indexTags(ctx, await shelf.takeFromShelf(ctx.db, essay));
  await dropUnused(ctx, essay.tags);
  await countEssay(ctx, essay.authorId, -1);
  await unindexEssay(ctx, essay.id);
  touchLists(ctx, essay);
  recheckRoom(ctx, essay.id);
}

/** Other programs hear of one that readers had until now. */
export async function tellRemoved(ctx: Ctx, essay: EssayRow): Promise<void> {
  if (isShelved(essay)) await emit(ctx, 'essay.removed', () => [toToldBrief(ctx, essay)]);
}
