import { ESSAY_STATUS, IDENTITY } from '@mozhan/contract/enums.ts';
import { CallError, invalidField } from '@mozhan/contract/errors.ts';
import { formatPriceTag } from '@mozhan/contract/money.ts';
import type { BulkChange, BulkResult, changeEssays as call } from '@mozhan/contract/staff-essays.ts';
import type { z } from 'zod';
import { TIME_LIMIT_FACTOR } from '../../../../config/time-limits.ts';
import { type Ctx, inTransaction, invalidate, logChange, type Viewer } from '../../../../ctx.ts';
import { mapDatabaseError } from '../../../../db/errors.ts';
import { withOperationLog } from '../../../accounts/access/index.ts';
import { addToCounters, indexWriterName, notify } from '../../../accounts/users/index.ts';
import type { User } from '../../../accounts/users/tables.ts';
import { listEnabledCategories } from '../../categories/index.ts';
import { columnRows } from '../queries/columns.ts';
import { listDrawings } from '../queries/drawings.ts';
import * as queries from '../queries/essays.ts';
import { isSold } from '../queries/reader-state.ts';
import { findActiveUser, findUser } from '../queries/users.ts';
import { changeSettings, isSameTag } from '../rules/bulk-change.ts';
import { essayNotFound, essayPathOf, isAuthor, paywallOf } from '../rules/essays.ts';
import type { ColumnRow, EssayRow, EssaySettings } from '../tables.ts';
import { checkTags } from './categorize.ts';
import { uniqueTags } from './save.ts';
import { invalidateLists, putOnShelf } from './shelf.ts';
import { prepareSubmission, type Submission, toRenderedTexts } from './submission.ts';

/** Essays that are not reached in this time are reported as unchanged; shorter than the request timeout of the server. */
const MAX_DURATION_MS = 15_000 * TIME_LIMIT_FACTOR;

/** What the ids of a change stand for, checked once for all essays. */
interface Targets {
  change: BulkChange;
  categoryName: string | null;
  author: User | null;
  column: ColumnRow | null;
}

async function getTargets(ctx: Ctx, given: BulkChange): Promise<Targets> {
  if (Object.values(given).every((value) => value === undefined))
    throw invalidField('ids', '请选择要修改的内容');
  const { categoryId, authorId, columnId, addTags = [] } = given;
  const category =
    categoryId === undefined
      ? null
      : (await listEnabledCategories(ctx)).find((each) => each.id === categoryId);
  if (category === undefined) throw invalidField('categoryId', '没有这个分类');
  const author = authorId === undefined ? null : await findActiveUser(ctx.db, authorId);
  if (authorId !== undefined && author?.curIdentity !== IDENTITY.writer)
    throw invalidField('authorId', '没有这位作者，或账号已停用');
  const column = columnId ? await columnRows.find(ctx.db, columnId) : null;
  if (columnId && column === null) throw invalidField('columnId', '没有这个专栏');
  if (column !== null && author !== null && column.authorId !== author.id)
    throw invalidField('columnId', '这是另一位作者的专栏');
  const added = uniqueTags(addTags);
  if (added.some((tag) => given.removeTags?.some((each) => isSameTag(each, tag))))
    throw invalidField('removeTags', '同一个标签不能既添加又移除');
  await checkTags(ctx, added, 'addTags');
  return { change: { ...given, addTags: added }, categoryName: category?.name ?? null, author, column };
}

/** What is under audit must not change. */
function requireChangeable({ status, revisionStatus }: EssayRow): void {
  if (status === ESSAY_STATUS.waiting)
    throw new CallError('TRANSITION_REFUSED', { message: '文章正在审核，请先处理它' });
  if (revisionStatus !== null && revisionStatus !== ESSAY_STATUS.draft)
    throw new CallError('TRANSITION_REFUSED', { message: '文章的修订还没有审核完，请先处理它' });
}

interface PreparedEssay {
  essay: EssayRow;
  /** Versions whose public part changes, because the essay becomes free or is no longer free. */
  submissions: Map<number, Submission>;
  /** Whether the rendered versions were free when they were read; empty if the change leaves prices alone. */
  wasFree: Map<number, boolean>;
}

const isFree = (settings: EssaySettings): boolean => paywallOf(settings) === null;

async function prepareEssay(ctx: Ctx, id: string, change: BulkChange): Promise<PreparedEssay> {
  const essay = await queries.getEssay(ctx.db, id);
  requireChangeable(essay);
  const submissions = new Map<number, Submission>();
  const wasFree = new Map<number, boolean>();
  if (change.price === undefined && change.memberFree === undefined) return { essay, submissions, wasFree };
  for (const version of await queries.listRenderedVersions(ctx.db, id)) {
    const revision = await queries.findRevision(ctx.db, id, version);
    if (revision === null) continue;
    const settings = changeSettings(revision.fields, change);
    wasFree.set(version, isFree(revision.fields));
    if (isFree(revision.fields) === isFree(settings)) continue;
    const stored = await listDrawings(ctx.db, id, version);
    submissions.set(
      version,
      await prepareSubmission(ctx, { ...settings, content: revision.content }, { stored }),
    );
  }
  return { essay, submissions, wasFree };
}

/** The column of the essay afterwards. A column of another author is refused; one of the former author is left. */
async function getColumnId(ctx: Ctx, essay: EssayRow, { change, author, column }: Targets) {
  const authorId = author?.id ?? essay.authorId;
  if (column !== null && column.authorId !== authorId)
    throw invalidField('columnId', '专栏属于另一位作者，这篇文章不能放进去');
  const columnId =
    change.columnId === undefined && authorId === essay.authorId ? essay.columnId : (change.columnId ?? null);
  if (essay.columnId !== null && essay.columnId !== columnId && essay.shelvedVersion !== null) {
    // Purchases of the column wait for this lock.
    await columnRows.lock(ctx.db, essay.columnId);
    if (await isSold(ctx.db, [essay.columnId])) throw new CallError('COLUMN_SOLD');
  }
  return columnId;
}

const staleError = () => new CallError('STALE_VERSION', { message: '文章刚刚有了改动，请再试一次' });

/** Changes the versions that are public, under audit or newer. */
async function changeVersions(
  ctx: Ctx,
  essay: EssayRow,
  change: BulkChange,
  wasFree: PreparedEssay['wasFree'],
): Promise<void> {
  const from = Math.min(
    essay.version,
    essay.shelvedVersion ?? essay.version,
    essay.submittedVersion ?? essay.version,
  );
  const revisions = await queries.listRevisionFields(ctx.db, essay.id, from);
  // Another change of the price was faster, so the rendered texts are wrong.
  if (
    revisions.some(({ version, fields }) => wasFree.has(version) && wasFree.get(version) !== isFree(fields))
  )
    throw staleError();
  await queries.updateRevisionFields(
    ctx.db,
    essay.id,
    revisions.map(({ version, fields }) => ({ version, fields: changeSettings(fields, change) })),
  );
}

async function replaceTexts(ctx: Ctx, essayId: string, submissions: Map<number, Submission>): Promise<void> {
  for (const [version, submission] of submissions) {
    if (submission.lockedText === null) await queries.removeLockedText(ctx.db, essayId, version);
    await queries.insertRenderedTexts(ctx.db, toRenderedTexts(submission, { essayId, version }));
  }
}

/** Off the shelf, the card has the fields of the newest version, and the summary of the rendered one. */
async function changeCard(
  ctx: Ctx,
  essay: EssayRow,
  settings: EssaySettings,
  submissions: Map<number, Submission>,
): Promise<EssayRow> {
  const { categoryId, columnId, tags, price, memberFree } = settings;
  const rendered = submissions.get(essay.submittedVersion ?? essay.shelvedVersion ?? 0);
  const after = await queries.updateEssay(ctx.db, essay.id, {
    ...{ categoryId, columnId, tags, price, memberFree },
    ...(columnId === essay.columnId ? {} : { columnSort: 0 }),
    ...(rendered === undefined || essay.status === ESSAY_STATUS.draft
      ? {}
      : { summary: rendered.publicText.summary }),
    savedAt: ctx.now,
  });
  invalidate(ctx, `essay:${essay.id}`);
  return after;
}

async function moveToAuthor(ctx: Ctx, essay: EssayRow, author: User): Promise<void> {
  const { readCount: reads, likeCount: likes } = essay;
  const essays = essay.status === ESSAY_STATUS.onShelf ? 1 : 0;
  await addToCounters(ctx.db, [
    { userId: essay.authorId, essays: -essays, reads: -reads, likes: -likes },
    { userId: author.id, essays, reads, likes },
  ]);
  await indexWriterName(ctx, essay.authorId);
  await indexWriterName(ctx, author.id);
  invalidateLists(ctx, essay);
}

const stateOf = ({ title, categoryId, authorId, columnId, tags, price, memberFree }: EssayRow) => ({
  title,
  categoryId,
  authorId,
  columnId,
  tags,
  price,
  memberFree,
});

const isUnchanged = (before: EssayRow, after: EssayRow): boolean =>
  JSON.stringify(stateOf(before)) === JSON.stringify(stateOf(after));

function describeChanges(before: EssayRow, after: EssayRow, { categoryName, column }: Targets): string {
  const { tags, price, memberFree } = after;
  return [
    after.categoryId === before.categoryId ? '' : `分类改为「${categoryName}」`,
    after.columnId === before.columnId ? '' : column === null ? '移出了专栏' : `放进了专栏「${column.name}」`,
    tags.join() === before.tags.join()
      ? ''
      : tags.length === 0
        ? '标签已清空'
        : `标签改为「${tags.join('、')}」`,
    price === before.price
      ? ''
      : price === 0
        ? '不再单篇出售'
        : `价格改为 ${formatPriceTag(price)}，买过的读者不受影响`,
    memberFree === before.memberFree ? '' : memberFree ? '改为会员免费' : '不再会员免费',
  ]
    .filter((each) => each !== '')
    .join('，');
}

async function notifyAuthors(ctx: Ctx, before: EssayRow, after: EssayRow, targets: Targets): Promise<void> {
  const { id, title } = before;
  const target = { id, title, url: essayPathOf(after) };
  const changes = describeChanges(before, after, targets);
  if (after.authorId === before.authorId) {
    await notify(ctx, { userId: before.authorId, kind: 'audit', text: `《${title}》：${changes}`, target });
    return;
  }
  const former = await findUser(ctx.db, before.authorId);
  await notify(
    ctx,
    {
      userId: before.authorId,
      kind: 'audit',
      text: `《${title}》的作者改为「${targets.author?.displayName}」，以后的收益归新的作者，你已有的收益不变`,
    },
    {
      userId: after.authorId,
      kind: 'audit',
      text: `《${title}》归到你的名下，原来的作者是「${former?.displayName}」，以后的收益归你`,
      target,
    },
  );
}

/** Returns false if the essay was as wanted before. */
async function applyChange(ctx: Ctx, prepared: PreparedEssay, targets: Targets): Promise<boolean> {
  const essay = await queries.lockEssay(ctx.db, prepared.essay.id);
  requireChangeable(essay);
  const { shelvedVersion, submittedVersion } = prepared.essay;
  if (essay.shelvedVersion !== shelvedVersion || essay.submittedVersion !== submittedVersion)
    throw staleError();
  const columnId = await getColumnId(ctx, essay, targets);
  const change = { ...targets.change, columnId };
  await changeVersions(ctx, essay, change, prepared.wasFree);
  await replaceTexts(ctx, essay.id, prepared.submissions);
  const isMoved = targets.author !== null && targets.author.id !== essay.authorId;
  const current = isMoved
    ? await queries.updateEssay(ctx.db, essay.id, { authorId: targets.author?.id, authorPin: null })
    : essay;
  const after =
    essay.status === ESSAY_STATUS.onShelf && essay.shelvedVersion !== null
      ? await putOnShelf(ctx, current, essay.shelvedVersion)
      : await changeCard(ctx, current, await getNewestSettings(ctx, essay), prepared.submissions);
  if (isUnchanged(essay, after)) return false;
  if (isMoved && targets.author !== null) await moveToAuthor(ctx, essay, targets.author);
  logChange(ctx, `essay:${essay.id}`, stateOf(essay), stateOf(after));
  await notifyAuthors(ctx, essay, after, targets);
  return true;
}

const getNewestSettings = async (ctx: Ctx, { id, version }: EssayRow): Promise<EssaySettings> =>
  (await queries.getRevisionBrief(ctx.db, id, version)).fields;

/** An author's own act: takes effect without an audit, since both the text and the column are public already or stay private. */
export function moveToColumn(
  ctx: Ctx,
  viewer: Viewer,
  id: string,
  column: ColumnRow | null,
): Promise<boolean> {
  return inTransaction(ctx, async (ctx) => {
    const essay = await queries.lockEssay(ctx.db, id);
    if (!isAuthor(viewer, essay)) throw essayNotFound();
    requireChangeable(essay);
    const change = { columnId: column?.id ?? null };
    await getColumnId(ctx, essay, { change, categoryName: null, author: null, column });
    if (essay.columnId === change.columnId) return false;
    await changeVersions(ctx, essay, change, new Map());
    if (essay.status === ESSAY_STATUS.onShelf && essay.shelvedVersion !== null)
      await putOnShelf(ctx, essay, essay.shelvedVersion);
    else await changeCard(ctx, essay, await getNewestSettings(ctx, essay), new Map());
    return true;
  });
}

/** Rolls the transaction back. */
class Unchanged extends Error {}

/** One transaction with its entry in the operation log; nothing is written for an essay that is as wanted already. */
async function changeEssay(ctx: Ctx, id: string, targets: Targets): Promise<boolean> {
  const prepared = await prepareEssay(ctx, id, targets.change);
  const operation = {
    call: 'PUT core/sys/essay/bulk',
    summary: '批量修改文章',
    input: { id, ...targets.change },
  };
  try {
    await withOperationLog(ctx, operation, async (ctx) => {
      if (!(await applyChange(ctx, prepared, targets))) throw new Unchanged();
    });
    return true;
  } catch (error) {
    if (error instanceof Unchanged) return false;
    throw error;
  }
}

export function messageOf(ctx: Ctx, thrown: unknown): string {
  const error = mapDatabaseError(thrown);
  if (error instanceof CallError) return Object.values(error.fields ?? {})[0] ?? error.message;
  ctx.services.log.error(error, 'bulk change of an essay');
  return '出错了，请稍后再试';
}

/** Every essay is changed in a transaction of its own, so that one that cannot be changed does not stop the others. */
export async function changeEssays(
  ctx: Ctx,
  { ids, ...given }: z.output<typeof call.input>,
): Promise<BulkResult[]> {
  const targets = await getTargets(ctx, given);
  const startedAt = Date.now();
  const uniqueIds = [...new Set(ids)];
  const titles = await queries.listTitles(ctx.db, uniqueIds);
  const results: BulkResult[] = [];
  for (const id of uniqueIds) {
    const result = { id, title: titles.get(id) ?? '', changed: false };
    if (ctx.signal?.aborted || Date.now() - startedAt > MAX_DURATION_MS) {
      results.push({ ...result, error: '还没有轮到，请再提交一次' });
      continue;
    }
    try {
      results.push({ ...result, changed: await changeEssay(ctx, id, targets), error: null });
    } catch (error) {
      results.push({ ...result, error: messageOf(ctx, error) });
    }
  }
  return results;
}
