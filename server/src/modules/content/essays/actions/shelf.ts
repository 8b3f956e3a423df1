import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import { afterCommit, type Ctx, invalidate } from '../../../../ctx.ts';
import { addToCounters, indexWriterName } from '../../../accounts/users/index.ts';
import { emitWebhook } from '../../../accounts/webhooks/index.ts';
import {
  getTitleBreaks,
  indexEssay,
  indexName,
  unindexEssay,
  unindexName,
} from '../../../platform/search/index.ts';
import { getSiteSettings } from '../../../platform/settings/index.ts';
import { listCategoryNames } from '../../categories/index.ts';
import { columnRows, listColumnsByIds } from '../queries/columns.ts';
import * as queries from '../queries/essays.ts';
import { listCardsByIds } from '../queries/lists.ts';
import { removePins } from '../queries/pins.ts';
import { isSold } from '../queries/reader-state.ts';
import * as shelf from '../queries/shelf.ts';
import {
  deleteUnusedTags,
  listShelvedTexts,
  lockEssays,
  lockTagNamesShared,
  resolveTagAliases,
} from '../queries/tags.ts';
import { findUser, listUsersByIds } from '../queries/users.ts';
import { engagementOf, hotScore } from '../rules/hot.ts';
import type { ColumnRow, EssayRow, EssaySettings } from '../tables.ts';
import { toEventBrief, toEventPayload } from '../views/essays.ts';
import { queueAnchoring } from './anchor-queue.ts';
import { indexColumnNames } from './column-names.ts';

export function invalidateLists(ctx: Ctx, essay: EssayRow): void {
  invalidate(ctx, 'essays', `essay:${essay.id}`, `user:${essay.authorId}`);
  if (essay.columnId !== null) invalidate(ctx, `column:${essay.columnId}`);
}

/** Re-checks the access of clients connected to the essay's room. */
function recheckRoom(ctx: Ctx, essayId: string): void {
  afterCommit(ctx, () => ctx.services.live.recheckAccess({ essayId }));
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
  await indexWriterName(ctx, userId);
}

/** Referenced rows may be gone since the version was saved: a missing column is dropped, a missing category is an error. */
async function getShelvableFields(ctx: Ctx, essay: EssayRow, version: number): Promise<EssaySettings> {
  const { fields: written } = await queries.getRevisionBrief(ctx.db, essay.id, version);
  await lockTagNamesShared(ctx.db);
  const fields = { ...written, tags: await resolveTagAliases(ctx.db, written.tags) };
  if (fields.categoryId === null || !(await listCategoryNames(ctx)).has(fields.categoryId))
    throw new CallError('TRANSITION_REFUSED', { message: '文章的分类已被删除，请作者重新选择' });
  // An essay cannot leave a column that was sold in the meantime.
  if (essay.columnId !== null && essay.shelvedVersion !== null && (await isSold(ctx.db, [essay.columnId])))
    return { ...fields, columnId: essay.columnId };
  const column = fields.columnId === null ? null : await columnRows.find(ctx.db, fields.columnId);
  return { ...fields, columnId: column?.id ?? null };
}

/** A tag exists only while an essay on the shelf has it. */
export async function removeUnusedTags(ctx: Ctx, names: string[]): Promise<void> {
  if (names.length > 0) await indexTags(ctx, await deleteUnusedTags(ctx.db, names));
}

/** Makes an audited version public. It replaces the version that was public before. */
export async function putOnShelf(ctx: Ctx, essay: EssayRow, version: number): Promise<EssayRow> {
  const wasOnShelf = isShelved(essay);
  const fields = await getShelvableFields(ctx, essay, version);
  // Locks the tags of both versions in one order before counting, to avoid a deadlock.
  await shelf.lockTags(ctx.db, wasOnShelf ? [...essay.tags, ...fields.tags] : fields.tags);
  if (wasOnShelf) await indexTags(ctx, await shelf.removeFromShelf(ctx.db, essay));
  const text = await queries.findText(ctx.db, essay.id, version);
  if (text === null) throw new Error(`essay ${essay.id} has no submitted text for version ${version}`);
  const publishedAt = essay.publishedAt ?? ctx.now;
  const keepsPosition = fields.columnId === essay.columnId && essay.columnSort > 0;
  const { scheduledAt: _, ...settings } = fields;
  const shelved = await queries.updateEssay(ctx.db, essay.id, {
    ...settings,
    // Sensitive words in these are masked.
    title: text.title,
    titleBreaks: await getTitleBreaks(ctx, text.title),
    summary: text.summary,
    columnSort:
      fields.columnId === null || keepsPosition
        ? essay.columnSort
        : await shelf.findNextSort(ctx.db, fields.columnId),
    wordCount: text.wordCount,
    readMinutes: text.readMinutes,
    status: ESSAY_STATUS.onShelf,
    // Changes that the author made before the essay left the shelf are still a revision.
    revisionStatus: essay.version > version ? ESSAY_STATUS.draft : null,
    shelvedVersion: version,
    submittedVersion: null,
    submittedAt: null,
    scheduledAt: null,
    offByStaff: false,
    publishedAt,
    updatedAt: ctx.now,
    savedAt: ctx.now,
    hotScore: hotScore(essay, publishedAt, await getSiteSettings(ctx)),
  });
  await queries.removeOtherRenderedTexts(ctx.db, essay.id, version);
  await queueAnchoring(ctx, essay.id);
  await indexTags(ctx, await shelf.addToShelf(ctx.db, { ...shelved, publishedAt }));
  if (wasOnShelf) await removeUnusedTags(ctx, essay.tags);
  if (!wasOnShelf) await countEssay(ctx, essay.authorId, 1);
  const author = await findUser(ctx.db, essay.authorId);
  const column = shelved.columnId === null ? null : await columnRows.find(ctx.db, shelved.columnId);
  await indexShelved(
    ctx,
    { ...shelved, publishedAt },
    { author: author?.displayName ?? '', column, text: text.text },
  );
  await indexColumnNames(ctx, [essay.columnId, shelved.columnId]);
  invalidateLists(ctx, essay);
  invalidateLists(ctx, shelved);
  if (wasOnShelf) recheckRoom(ctx, essay.id);
  return shelved;
}

export async function emitShelved(ctx: Ctx, { id, publishedAt }: EssayRow): Promise<void> {
  const event = publishedAt === null ? 'essay.published' : 'essay.restored';
  await emitWebhook(ctx, event, async () =>
    (await listCardsByIds(ctx.db, [id])).map((row) => toEventPayload(ctx, row)),
  );
}

async function indexShelved(
  ctx: Ctx,
  essay: EssayRow & { publishedAt: Date },
  { author, column, text }: { author: string; column: ColumnRow | null; text: string },
): Promise<void> {
  await indexEssay(ctx, {
    id: essay.id,
    title: essay.title,
    tags: essay.tags,
    author,
    authorId: essay.authorId,
    column: column === null ? null : { id: column.id, name: column.name },
    categoryId: essay.categoryId ?? '',
    isPaid: essay.price > 0,
    text,
    publishedAt: essay.publishedAt,
    hot: engagementOf(essay),
  });
}

export async function reindexEssays(ctx: Ctx, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  const essays = (await lockEssays(ctx.db, ids)).filter(isShelved);
  const texts = await listShelvedTexts(ctx.db, ids);
  const authors = await listUsersByIds(ctx.db, [...new Set(essays.map((essay) => essay.authorId))]);
  const names = new Map(authors.map((author) => [author.id, author.displayName]));
  const columnIds = essays.map((essay) => essay.columnId).filter((id) => id !== null);
  const columns = new Map(
    (await listColumnsByIds(ctx.db, [...new Set(columnIds)])).map(({ column }) => [column.id, column]),
  );
  for (const essay of essays) {
    await indexShelved(ctx, essay, {
      author: names.get(essay.authorId) ?? '',
      column: columns.get(essay.columnId ?? '') ?? null,
      text: texts.get(essay.id) ?? '',
    });
    const titleBreaks = await getTitleBreaks(ctx, essay.title);
    if (`${titleBreaks}` === `${essay.titleBreaks}`) continue;
    await queries.updateEssay(ctx.db, essay.id, { titleBreaks });
    invalidateLists(ctx, essay);
  }
  await indexColumnNames(ctx, columnIds);
}

/** Removes the essay from lists, counts and search. The caller updates its status. */
export async function takeOffShelf(ctx: Ctx, essay: EssayRow): Promise<void> {
  if (!isShelved(essay)) return;
  await removePins(ctx.db, essay.id);
  await indexTags(ctx, await shelf.removeFromShelf(ctx.db, essay));
  await removeUnusedTags(ctx, essay.tags);
  await countEssay(ctx, essay.authorId, -1);
  await unindexEssay(ctx, essay.id);
  await indexColumnNames(ctx, [essay.columnId]);
  invalidateLists(ctx, essay);
  recheckRoom(ctx, essay.id);
}

export async function emitRemoved(ctx: Ctx, essay: EssayRow): Promise<void> {
  if (isShelved(essay)) await emitWebhook(ctx, 'essay.removed', () => [toEventBrief(ctx, essay)]);
}
