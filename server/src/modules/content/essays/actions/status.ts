import { ESSAY_STATUS, IDENTITY } from '@mozhan/contract/enums.ts';
import { CallError, invalid } from '@mozhan/contract/errors.ts';
import type * as calls from '@mozhan/contract/essays.ts';
import type { EssayStatus } from '@mozhan/contract/essays.ts';
import type { z } from 'zod';
import { type Ctx, changed, inTx, touch, type Viewer } from '../../../../ctx.ts';
import { addJob } from '../../../../jobs.ts';
import { type Prepared, whole } from '../../../../prepared.ts';
import { logged } from '../../../accounts/access/index.ts';
import { notify, requirePhone } from '../../../accounts/users/index.ts';
import * as queries from '../queries/essays.ts';
import { isSold } from '../queries/marks.ts';
import { actorFor, canChange, canRemove, canSee, isAuthor, needsReason, noEssay } from '../rules/essays.ts';
import type { EssayRow } from '../tables.ts';
import { type HandedIn, handIn } from './hand-in.ts';
import { recordChange } from './records.ts';
import { submit } from './save.ts';
import { putOnShelf, takeOffShelf, tellRemoved, tellShelved } from './shelf.ts';

type Change = z.output<typeof calls.changeEssayStatus.input>;

const isWriter = (viewer: Viewer): boolean => viewer.curIdentity === IDENTITY.writer;

const states = ['草稿', '待审核', '待上架', '已上架', '已下架', '已驳回'] as const;

/** As whom; a refusal says what stands in the way. */
function requireActor(viewer: Viewer | 'clock', essay: EssayRow, to: EssayStatus, isRevision: boolean) {
  if (viewer !== 'clock' && !canSee(viewer, essay)) throw noEssay();
  if (viewer !== 'clock' && !canChange(viewer, essay)) throw new CallError('FORBIDDEN');
  const actor = actorFor(viewer, essay, to, isRevision);
  if (actor === null) {
    const from = isRevision ? essay.revisionStatus : essay.status;
    const now = from === null ? '没有在改的修订' : `现在是「${states[from]}」`;
    throw new CallError('TRANSITION_REFUSED', { message: `文章${now}，不能改为「${states[to]}」` });
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

/** Into the audit only what was laid out before: laying out takes a while, and nobody waits in a transaction. */
async function layOutFor(ctx: Ctx, essay: EssayRow, to: EssayStatus): Promise<HandedIn | null> {
  if (to !== ESSAY_STATUS.waiting) return null;
  const newest = await queries.findRevision(ctx.db, essay.id, essay.version);
  // The editor has written over it since the essay was read.
  if (newest === null) throw new CallError('STALE_VERSION');
  return handIn(ctx, { ...newest.fields, content: newest.content });
}

export async function prepareStatus(ctx: Ctx, viewer: Viewer, change: Change): Promise<Prepared<EssayRow>> {
  const isRevision = change.revision === true;
  const essay = await queries.getEssay(ctx.db, change.id);
  const actor = requireActor(viewer, essay, change.status, isRevision);
  if (needsReason(actor, change.status) && !change.reason)
    throw new CallError('REASON_REQUIRED', { fields: { reason: '请写明理由，作者会看到' } });
  if (change.status === ESSAY_STATUS.waiting) await requirePhone(ctx, viewer);
  const handedIn = await layOutFor(ctx, essay, change.status);
  const run = (ctx: Ctx) => inTx(ctx, (ctx) => makeChange(ctx, viewer, change, { essay, handedIn }));
  if (actor === 'author') return run;
  const call = { call: 'PUT core/essay/status', summary: '改变文章的状态', input: change };
  return async (ctx) => (await logged(ctx, call, run)) as EssayRow;
}

export const changeStatus = whole(prepareStatus);

async function makeChange(
  ctx: Ctx,
  viewer: Viewer | 'clock',
  { id, status: to, revision, reason, version }: Change,
  seen: { essay: EssayRow; handedIn: HandedIn | null },
): Promise<EssayRow> {
  const isRevision = revision === true;
  const essay = await queries.lockEssay(ctx.db, id);
  const actor = requireActor(viewer, essay, to, isRevision);
  const judged = essay.submittedVersion ?? essay.version;
  if (version !== undefined && version !== judged)
    throw new CallError('STALE_VERSION', { message: '作者改动了文章，请重新审阅' });
  if (seen.handedIn !== null) {
    // What was laid out is what the author had saved by then.
    if (essay.version !== seen.essay.version) throw new CallError('STALE_VERSION');
    await submit(ctx, essay, essay.version, seen.handedIn);
  } else {
    await recordChange(ctx, { ...essay, version: judged }, { to, isRevision, reason });
    if (isRevision) await changeRevision(ctx, essay, to, judged);
    else await changeState(ctx, essay, to, judged, actor === 'operator');
  }
  changed(ctx, `essay:${id}`, stateOf(essay), stateOf(await queries.getEssay(ctx.db, id)));
  if (actor !== 'author' && !(viewer !== 'clock' && isAuthor(viewer, essay)))
    await tellAuthor(ctx, essay, to, isRevision, reason);
  return queries.getEssay(ctx.db, id);
}

const stateOf = ({ title, status, revisionStatus }: EssayRow) => ({ title, status, revisionStatus });

/** No longer waiting for anyone. */
const NOT_WAITING = { submittedAt: null, submittedVersion: null };

async function changeState(
  ctx: Ctx,
  essay: EssayRow,
  to: EssayStatus,
  judged: number,
  isStaff: boolean,
): Promise<void> {
  if (to === ESSAY_STATUS.onShelf) {
    // From off the shelf nothing has changed since its audit.
    const version = essay.status === ESSAY_STATUS.offShelf ? (essay.shelvedVersion ?? judged) : judged;
    await putOnShelf(ctx, essay, version);
    await tellShelved(ctx, essay);
    return;
  }
  await takeOffShelf(ctx, essay);
  await tellRemoved(ctx, essay);
  await queries.updateEssay(ctx.db, essay.id, {
    status: to,
    savedAt: ctx.now,
    ...(to === ESSAY_STATUS.offShelf ? { offByStaff: isStaff, revisionStatus: null, submittedAt: null } : {}),
    ...(to === ESSAY_STATUS.draft ? NOT_WAITING : {}),
    ...(to === ESSAY_STATUS.approved || to === ESSAY_STATUS.rejected ? { submittedAt: null } : {}),
  });
  if (to === ESSAY_STATUS.approved && essay.scheduledAt !== null)
    await planShelving(ctx, essay.id, essay.scheduledAt);
}

async function changeRevision(ctx: Ctx, essay: EssayRow, to: EssayStatus, judged: number): Promise<void> {
  if (to === ESSAY_STATUS.onShelf) {
    await putOnShelf(ctx, essay, judged);
    return;
  }
  await queries.updateEssay(ctx.db, essay.id, {
    revisionStatus: to === ESSAY_STATUS.rejected ? ESSAY_STATUS.rejected : ESSAY_STATUS.draft,
    ...(to === ESSAY_STATUS.rejected ? { submittedAt: null } : NOT_WAITING),
  });
}

export const planShelving = (ctx: Ctx, id: string, runAt: Date): Promise<void> =>
  addJob(ctx, 'shelve-essay', { id }, { key: `shelve:${id}`, runAt });

/** When its time has come, unless the author took it back meanwhile. */
export async function shelveScheduled(ctx: Ctx, id: string): Promise<void> {
  await inTx(ctx, async (ctx) => {
    const essay = await queries.lockEssay(ctx.db, id).catch((error: unknown) => {
      if (error instanceof CallError) return null;
      throw error;
    });
    if (essay?.status !== ESSAY_STATUS.approved || essay.scheduledAt === null) return;
    // The database's clock was ahead of ours.
    if (essay.scheduledAt > ctx.now) return planShelving(ctx, id, essay.scheduledAt);
    await makeChange(ctx, 'clock', { id, status: ESSAY_STATUS.onShelf }, { essay, handedIn: null });
  });
}

async function tellAuthor(
  ctx: Ctx,
  { id, authorId, title, scheduledAt }: EssayRow,
  to: EssayStatus,
  isRevision: boolean,
  reason: string | undefined,
): Promise<void> {
  const what = isRevision ? `《${title}》的修订` : `《${title}》`;
  const texts: Partial<Record<EssayStatus, string>> = {
    [ESSAY_STATUS.approved]: `${what}通过了审核，${scheduledAt === null ? '可以上架了' : '会在预定的时间上架'}`,
    [ESSAY_STATUS.onShelf]: isRevision ? `${what}通过了审核，读者看到的已是新的内容` : `${what}已上架`,
    [ESSAY_STATUS.offShelf]: `${what}被下架：${reason}`,
    [ESSAY_STATUS.rejected]: `${what}没有通过审核：${reason}`,
  };
  const text = texts[to];
  if (text === undefined) return;
  // A refused text wants to be changed; everything else is to be looked at.
  const url = to === ESSAY_STATUS.rejected ? `/essay/edit.html?id=${id}` : `/essay/detail/${id}.html`;
  await notify(ctx, { userId: authorId, kind: 'audit', text, target: { id, title, url } });
}

/** Against a refusal, once: the same text waits for another look. A refusal after an appeal is the last word. */
export function appeal(ctx: Ctx, viewer: Viewer, id: string, text: string): Promise<void> {
  return inTx(ctx, async (ctx) => {
    const essay = await queries.lockEssay(ctx.db, id);
    if (!isAuthor(viewer, essay)) throw canSee(viewer, essay) ? new CallError('FORBIDDEN') : noEssay();
    if ((await findRejection(ctx, essay))?.canAppeal !== true) throw new CallError('APPEAL_REFUSED');
    const isRevision = essay.status === ESSAY_STATUS.onShelf;
    await recordChange(ctx, essay, { to: ESSAY_STATUS.waiting, isRevision, reason: text, isAppeal: true });
    await queries.updateEssay(ctx.db, id, {
      ...(isRevision ? { revisionStatus: ESSAY_STATUS.waiting } : { status: ESSAY_STATUS.waiting }),
      submittedAt: ctx.now,
    });
  });
}

/** Why the essay or its revision was refused, when it is; and whether the author may still object. */
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

/** What somebody has paid for stays; a column was bought for what it had on the shelf. */
async function requireUnsold(ctx: Ctx, { id, columnId, shelvedVersion }: EssayRow): Promise<void> {
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
    inTx(ctx, async (ctx) => {
      const essay = await queries.lockEssay(ctx.db, id);
      if (!canRemove(viewer, essay)) throw canSee(viewer, essay) ? new CallError('FORBIDDEN') : noEssay();
      if (!isAuthor(viewer, essay) && !reason) throw invalid('reason', '请写明理由，作者会看到');
      await requireUnsold(ctx, essay);
      await takeOffShelf(ctx, essay);
      await tellRemoved(ctx, essay);
      await queries.eraseEssay(ctx.db, id, ctx.now);
      touch(ctx, `essay:${id}`);
      changed(ctx, `essay:${id}`, stateOf(essay), null);
      if (!isAuthor(viewer, essay))
        await notify(ctx, {
          userId: essay.authorId,
          kind: 'audit',
          text: `《${essay.title}》被删除：${reason}`,
        });
    });
  const essay = await queries.getEssay(ctx.db, id);
  if (isAuthor(viewer, essay)) return run(ctx);
  await logged(ctx, { call: 'DELETE core/essay/{id}', summary: '删除文章', input: { id, reason } }, run);
}

/** Before its author goes: nothing is read or waits any more. Whoever has bought something keeps it. */
export async function withdrawEssays(ctx: Ctx, viewer: Viewer): Promise<void> {
  for (const { id, status } of await queries.listOpenOf(ctx.db, viewer.id))
    await changeStatus(ctx, viewer, {
      id,
      status: status === ESSAY_STATUS.onShelf ? ESSAY_STATUS.offShelf : ESSAY_STATUS.draft,
    });
}

/** Before their authors go: off the shelf first, so that every count and list stays right. */
export async function removeEssaysOf(ctx: Ctx, authorIds: string[]): Promise<void> {
  for (const essay of await queries.listByAuthors(ctx.db, authorIds)) {
    await takeOffShelf(ctx, essay);
    await tellRemoved(ctx, essay);
    await queries.eraseEssay(ctx.db, essay.id, ctx.now);
  }
}
