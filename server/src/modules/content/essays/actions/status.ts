import { ESSAY_STATUS, IDENTITY } from '@mozhan/contract/enums.ts';
import { CallError, invalidField } from '@mozhan/contract/errors.ts';
import type * as calls from '@mozhan/contract/essays.ts';
import type { EssayStatus } from '@mozhan/contract/essays.ts';
import type { z } from 'zod';
import { type Ctx, inTransaction, invalidate, logChange, type Viewer } from '../../../../ctx.ts';
import { addJob } from '../../../../jobs.ts';
import { type Prepared, prepareThenRun } from '../../../../prepared.ts';
import { withOperationLog } from '../../../accounts/access/index.ts';
import { notify, requirePhone } from '../../../accounts/users/index.ts';
import { listDrawings } from '../queries/drawings.ts';
import * as queries from '../queries/essays.ts';
import { isSold } from '../queries/reader-state.ts';
import {
  actorFor,
  canChange,
  canRemove,
  canSee,
  essayNotFound,
  essayPathOf,
  isAuthor,
  needsReason,
} from '../rules/essays.ts';
import type { EssayRow, EssaySettings } from '../tables.ts';
import { notifyColumnFollowers } from './column-follows.ts';
import { recordStatusChange } from './records.ts';
import { submitVersion } from './save.ts';
import { emitRemoved, emitShelved, putOnShelf, takeOffShelf } from './shelf.ts';
import { keepSlugOfErased } from './slugs.ts';
import { prepareSubmission, type Submission } from './submission.ts';

type StatusChange = z.output<typeof calls.changeEssayStatus.input>;

const isWriter = (viewer: Viewer): boolean => viewer.curIdentity === IDENTITY.writer;

const statusNames = ['草稿', '待审核', '待上架', '已上架', '已下架', '已驳回'] as const;

/** Returns the role in which the viewer makes the change, or throws an error with the reason. */
function requireActor(viewer: Viewer | 'clock', essay: EssayRow, to: EssayStatus, isRevision: boolean) {
  if (viewer !== 'clock' && !canSee(viewer, essay)) throw essayNotFound();
  if (viewer !== 'clock' && !canChange(viewer, essay)) throw new CallError('FORBIDDEN');
  const actor = actorFor(viewer, essay, to, isRevision);
  if (actor === null) {
    const from = isRevision ? essay.revisionStatus : essay.status;
    const now = from === null ? '没有在改的修订' : `现在是「${statusNames[from]}」`;
    throw new CallError('TRANSITION_REFUSED', { message: `文章${now}，不能改为「${statusNames[to]}」` });
  }
  if (actor === 'forbidden') throw new CallError('FORBIDDEN');
  if (
    actor === 'author' &&
    viewer !== 'clock' &&
    !isWriter(viewer) &&
    (to === ESSAY_STATUS.waiting || to === ESSAY_STATUS.onShelf)
  )
    throw new CallError('FORBIDDEN', { message: '作者身份已被收回，不能提交或上架' });
  return actor;
}

interface RenderedVersion {
  submission: Submission;
  /** The settings that it was rendered with. */
  fields: EssaySettings;
}

/** Renders before the transaction starts, because rendering is slow. */
async function renderFor(
  ctx: Ctx,
  essay: EssayRow,
  { status: to, drawings }: StatusChange,
): Promise<RenderedVersion | null> {
  if (to !== ESSAY_STATUS.waiting) return null;
  const newest = await queries.findRevision(ctx.db, essay.id, essay.version);
  // An autosave has replaced the revision since the essay was read.
  if (newest === null) throw new CallError('STALE_VERSION');
  const { fields, content } = newest;
  // Buyers see a version that was on the shelf before, so its drawings stay those that were audited.
  const source =
    drawings === undefined || essay.version === essay.shelvedVersion
      ? { stored: await listDrawings(ctx.db, essay.id, essay.version) }
      : { given: drawings };
  return { submission: await prepareSubmission(ctx, { ...fields, content }, source), fields };
}

/** The rendered text is stale if the author has saved since, or staff have changed the settings of the version. */
async function requireFresh(
  ctx: Ctx,
  essay: EssayRow,
  expected: EssayRow,
  { fields }: RenderedVersion,
): Promise<void> {
  if (essay.version !== expected.version) throw new CallError('STALE_VERSION');
  const current = await queries.getRevisionBrief(ctx.db, essay.id, essay.version);
  if (JSON.stringify(current.fields) !== JSON.stringify(fields)) throw new CallError('STALE_VERSION');
}

export async function prepareStatusChange(
  ctx: Ctx,
  viewer: Viewer,
  change: StatusChange,
): Promise<Prepared<EssayRow>> {
  const isRevision = change.revision === true;
  const essay = await queries.getEssay(ctx.db, change.id);
  const actor = requireActor(viewer, essay, change.status, isRevision);
  if (needsReason(actor, change.status) && !change.reason)
    throw new CallError('REASON_REQUIRED', { fields: { reason: '请写明理由，作者会看到' } });
  if (change.status === ESSAY_STATUS.waiting) await requirePhone(ctx, viewer);
  const rendered = await renderFor(ctx, essay, change);
  const run = (ctx: Ctx) =>
    inTransaction(ctx, (ctx) => applyChange(ctx, viewer, change, { essay, rendered }));
  if (actor === 'author') return run;
  const { drawings: _, ...input } = change;
  const call = { call: 'PUT core/essay/status', summary: '改变文章的状态', input };
  return async (ctx) => (await withOperationLog(ctx, call, run)) as EssayRow;
}

export const changeStatus = prepareThenRun(prepareStatusChange);

async function applyChange(
  ctx: Ctx,
  viewer: Viewer | 'clock',
  { id, status: to, revision, reason, version }: StatusChange,
  expected: { essay: EssayRow; rendered: RenderedVersion | null },
): Promise<EssayRow> {
  const isRevision = revision === true;
  const essay = await queries.lockEssay(ctx.db, id);
  const actor = requireActor(viewer, essay, to, isRevision);
  const auditedVersion = essay.submittedVersion ?? essay.version;
  if (version !== undefined && version !== auditedVersion)
    throw new CallError('STALE_VERSION', { message: '作者改动了文章，请重新审阅' });
  if (expected.rendered !== null) {
    await requireFresh(ctx, essay, expected.essay, expected.rendered);
    await submitVersion(ctx, essay, essay.version, expected.rendered.submission);
  } else {
    await recordStatusChange(ctx, { ...essay, version: auditedVersion }, { to, isRevision, reason });
    if (isRevision) await applyRevisionStatus(ctx, essay, to, auditedVersion);
    else await applyEssayStatus(ctx, essay, to, auditedVersion, actor === 'operator');
  }
  logChange(ctx, `essay:${id}`, stateOf(essay), stateOf(await queries.getEssay(ctx.db, id)));
  if (actor !== 'author' && !(viewer !== 'clock' && isAuthor(viewer, essay)))
    await notifyAuthor(ctx, essay, to, isRevision, reason);
  return queries.getEssay(ctx.db, id);
}

const stateOf = ({ title, status, revisionStatus }: EssayRow) => ({ title, status, revisionStatus });

const NOT_WAITING = { submittedAt: null, submittedVersion: null };

async function applyEssayStatus(
  ctx: Ctx,
  essay: EssayRow,
  to: EssayStatus,
  auditedVersion: number,
  isStaff: boolean,
): Promise<void> {
  if (to === ESSAY_STATUS.onShelf) {
    // An essay off the shelf returns with the version that was audited.
    const version =
      essay.status === ESSAY_STATUS.offShelf ? (essay.shelvedVersion ?? auditedVersion) : auditedVersion;
    const shelved = await putOnShelf(ctx, essay, version);
    await emitShelved(ctx, essay);
    if (essay.publishedAt === null) await notifyColumnFollowers(ctx, shelved);
    return;
  }
  await takeOffShelf(ctx, essay);
  await emitRemoved(ctx, essay);
  await queries.updateEssay(ctx.db, essay.id, {
    status: to,
    savedAt: ctx.now,
    ...(to === ESSAY_STATUS.offShelf ? { offByStaff: isStaff, revisionStatus: null, submittedAt: null } : {}),
    ...(to === ESSAY_STATUS.draft ? NOT_WAITING : {}),
    ...(to === ESSAY_STATUS.approved || to === ESSAY_STATUS.rejected ? { submittedAt: null } : {}),
  });
  if (to === ESSAY_STATUS.approved && essay.scheduledAt !== null)
    await scheduleShelving(ctx, essay.id, essay.scheduledAt);
}

async function applyRevisionStatus(
  ctx: Ctx,
  essay: EssayRow,
  to: EssayStatus,
  auditedVersion: number,
): Promise<void> {
  if (to === ESSAY_STATUS.onShelf) {
    await putOnShelf(ctx, essay, auditedVersion);
    return;
  }
  await queries.updateEssay(ctx.db, essay.id, {
    revisionStatus: to === ESSAY_STATUS.rejected ? ESSAY_STATUS.rejected : ESSAY_STATUS.draft,
    ...(to === ESSAY_STATUS.rejected ? { submittedAt: null } : NOT_WAITING),
  });
}

export const scheduleShelving = (ctx: Ctx, id: string, runAt: Date): Promise<void> =>
  addJob(ctx, 'shelve-essay', { id }, { key: `shelve:${id}`, runAt });

/** Publishes an approved essay at its scheduled time, unless the author has withdrawn it. */
export async function shelveScheduled(ctx: Ctx, id: string): Promise<void> {
  await inTransaction(ctx, async (ctx) => {
    const essay = await queries.lockEssay(ctx.db, id).catch((error: unknown) => {
      if (error instanceof CallError) return null;
      throw error;
    });
    if (essay?.status !== ESSAY_STATUS.approved || essay.scheduledAt === null) return;
    // The job ran early because the clock of the database is ahead.
    if (essay.scheduledAt > ctx.now) return scheduleShelving(ctx, id, essay.scheduledAt);
    await applyChange(ctx, 'clock', { id, status: ESSAY_STATUS.onShelf }, { essay, rendered: null });
  });
}

async function notifyAuthor(
  ctx: Ctx,
  essay: EssayRow,
  to: EssayStatus,
  isRevision: boolean,
  reason: string | undefined,
): Promise<void> {
  const { id, authorId, title, scheduledAt } = essay;
  const subject = isRevision ? `《${title}》的修订` : `《${title}》`;
  const texts: Partial<Record<EssayStatus, string>> = {
    [ESSAY_STATUS.approved]: `${subject}通过了审核，${scheduledAt === null ? '可以上架了' : '会在预定的时间上架'}`,
    [ESSAY_STATUS.onShelf]: isRevision ? `${subject}通过了审核，读者看到的已是新的内容` : `${subject}已上架`,
    [ESSAY_STATUS.offShelf]: `${subject}被下架：${reason}`,
    [ESSAY_STATUS.rejected]: `${subject}没有通过审核：${reason}`,
    // Only staff who write for the author make these changes.
    [ESSAY_STATUS.waiting]: `${subject}由编辑代为提交，正在等待审核`,
    [ESSAY_STATUS.draft]: `${subject}由编辑取回修改`,
  };
  const text = texts[to];
  if (text === undefined) return;
  // What has to be edited links to the editor, everything else to its page.
  const isToEdit = to === ESSAY_STATUS.rejected || to === ESSAY_STATUS.draft;
  const url = isToEdit ? `/essay/edit.html?id=${id}` : essayPathOf(essay);
  await notify(ctx, { userId: authorId, kind: 'audit', text, target: { id, title, url } });
}

/** Returns a rejected essay unchanged to the audit queue. Only one appeal is allowed. */
export function appealRejection(ctx: Ctx, viewer: Viewer, id: string, text: string): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const essay = await queries.lockEssay(ctx.db, id);
    if (!isAuthor(viewer, essay)) throw canSee(viewer, essay) ? new CallError('FORBIDDEN') : essayNotFound();
    if ((await findRejection(ctx, essay))?.canAppeal !== true) throw new CallError('APPEAL_REFUSED');
    const isRevision = essay.status === ESSAY_STATUS.onShelf;
    await recordStatusChange(ctx, essay, {
      to: ESSAY_STATUS.waiting,
      isRevision,
      reason: text,
      isAppeal: true,
    });
    await queries.updateEssay(ctx.db, id, {
      ...(isRevision ? { revisionStatus: ESSAY_STATUS.waiting } : { status: ESSAY_STATUS.waiting }),
      submittedAt: ctx.now,
    });
  });
}

/** Returns why the essay or its revision was rejected, and whether the author may appeal. */
export async function findRejection(
  ctx: Ctx,
  essay: EssayRow,
): Promise<{ reason: string; createdAt: Date; canAppeal: boolean } | null> {
  if (essay.status !== ESSAY_STATUS.rejected && essay.revisionStatus !== ESSAY_STATUS.rejected) return null;
  const [last, before] = await queries.listRecords(ctx.db, essay.id);
  if (last?.record.toStatus !== ESSAY_STATUS.rejected) return null;
  const isUnchanged = essay.submittedVersion === essay.version;
  return {
    reason: last.record.reason,
    createdAt: last.record.createdAt,
    canAppeal: isUnchanged && before?.record.appeal !== true,
  };
}

/** Essays that were sold, alone or with their column, cannot be deleted. */
export async function requireUnsold(ctx: Ctx, { id, columnId, shelvedVersion }: EssayRow): Promise<void> {
  if (shelvedVersion === null) return;
  if (await isSold(ctx.db, [id, columnId])) throw new CallError('ESSAY_SOLD');
}

export async function removeEssay(
  ctx: Ctx,
  viewer: Viewer,
  id: string,
  reason: string | undefined,
): Promise<void> {
  const run = (ctx: Ctx) =>
    inTransaction(ctx, async (ctx) => {
      const essay = await queries.lockEssay(ctx.db, id);
      if (!canRemove(viewer, essay))
        throw canSee(viewer, essay) ? new CallError('FORBIDDEN') : essayNotFound();
      if (!isAuthor(viewer, essay) && !reason) throw invalidField('reason', '请写明理由，作者会看到');
      await requireUnsold(ctx, essay);
      await takeOffShelf(ctx, essay);
      await emitRemoved(ctx, essay);
      await queries.eraseEssay(ctx.db, id, ctx.now);
      await keepSlugOfErased(ctx, essay);
      invalidate(ctx, `essay:${id}`);
      logChange(ctx, `essay:${id}`, stateOf(essay), null);
      if (!isAuthor(viewer, essay))
        await notify(ctx, {
          userId: essay.authorId,
          kind: 'audit',
          text: `《${essay.title}》被删除：${reason}`,
        });
    });
  const essay = await queries.getEssay(ctx.db, id);
  if (isAuthor(viewer, essay)) return run(ctx);
  await withOperationLog(
    ctx,
    { call: 'DELETE core/essay/{id}', summary: '删除文章', input: { id, reason } },
    run,
  );
}

/** Takes all essays of a leaving author off the shelf or out of the audit queue. Buyers keep their access. */
export async function withdrawEssays(ctx: Ctx, viewer: Viewer): Promise<void> {
  for (const { id, status } of await queries.listPublicOrPending(ctx.db, viewer.id))
    await changeStatus(ctx, viewer, {
      id,
      status: status === ESSAY_STATUS.onShelf ? ESSAY_STATUS.offShelf : ESSAY_STATUS.draft,
    });
}

/** Deletes all essays of these authors. Each is taken off the shelf first, which keeps counts and lists correct. */
export async function removeEssaysOf(ctx: Ctx, authorIds: string[]): Promise<void> {
  for (const essay of await queries.lockByAuthors(ctx.db, authorIds)) {
    await takeOffShelf(ctx, essay);
    await emitRemoved(ctx, essay);
    await queries.eraseEssay(ctx.db, essay.id, ctx.now);
    await keepSlugOfErased(ctx, essay);
  }
}
