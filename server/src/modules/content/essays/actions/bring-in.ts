import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import type { EssayFields, EssayStatus, RevisionStatus } from '@mozhan/contract/essays.ts';
import { type Ctx, inTx, touch } from '../../../../ctx.ts';
import type { Prepared } from '../../../../prepared.ts';
import { callerOf } from '../../../../threads/fair-queue.ts';
import { countText } from '../../../platform/text/index.ts';
import * as queries from '../queries/essays.ts';
import { isSold } from '../queries/marks.ts';
import type { EssayRow } from '../tables.ts';
import { type HandedIn, handIn } from './hand-in.ts';
import { recordChange } from './records.ts';
import { cardOf, distinct, lengthOf, submit } from './save.ts';
import { putOnShelf, takeOffShelf } from './shelf.ts';
import { planShelving } from './status.ts';

/** An essay as it was elsewhere: what its author set, where it stood, and since when. What it points to is there. */
export interface BroughtEssay {
  id: string;
  authorId: string;
  fields: EssayFields;
  status: EssayStatus;
  offByStaff: boolean;
  /** Why it was refused or taken off the shelf. */
  reason: string;
  region: string;
  columnSort: number;
  createdAt: Date;
  publishedAt: Date | null;
  updatedAt: Date;
  /** What the author wrote since in an essay that was on the shelf. */
  revision: { fields: EssayFields; status: RevisionStatus } | null;
}

interface Version {
  essayId: string;
  version: number;
  given: EssayFields;
  wordCount: number;
  at: Date;
}

function insertVersion(ctx: Ctx, { essayId, version, given, wordCount, at }: Version) {
  const { content, ...fields } = given;
  return queries.insertRevision(ctx.db, {
    essayId,
    version,
    auto: false,
    title: fields.title,
    characters: lengthOf(content),
    wordCount,
    fields,
    content,
    createdAt: at,
    updatedAt: at,
  });
}

/** Through the states that it went through there; nobody is told, and the audit is the one it had. */
async function moveOn(ctx: Ctx, essay: EssayRow, given: BroughtEssay): Promise<void> {
  const { status, reason } = given;
  let from = essay;
  const record = async (to: EssayStatus, why = '') => {
    await recordChange(ctx, from, { to, isRevision: false, reason: why });
    from = { ...from, status: to };
  };
  if (status === ESSAY_STATUS.waiting) return;
  if (status === ESSAY_STATUS.rejected) {
    await record(ESSAY_STATUS.rejected, reason);
    await queries.updateEssay(ctx.db, essay.id, { status, submittedAt: null });
    return;
  }
  await record(ESSAY_STATUS.approved);
  if (status === ESSAY_STATUS.approved) {
    await queries.updateEssay(ctx.db, essay.id, { status, submittedAt: null });
    if (essay.scheduledAt !== null) await planShelving(ctx, essay.id, essay.scheduledAt);
    return;
  }
  await record(ESSAY_STATUS.onShelf);
  const shelved = await putOnShelf(ctx, { ...essay, publishedAt: ctx.now }, essay.version);
  if (status === ESSAY_STATUS.onShelf) return;
  await record(ESSAY_STATUS.offShelf, reason);
  await takeOffShelf(ctx, shelved);
  await queries.updateEssay(ctx.db, essay.id, { status, offByStaff: given.offByStaff });
}

async function addRevision(
  ctx: Ctx,
  { id, revision, status, updatedAt }: BroughtEssay,
  { wordCount, handedIn }: { wordCount: number; handedIn: HandedIn | null },
): Promise<void> {
  if (revision === null) return;
  await insertVersion(ctx, { essayId: id, version: 2, given: revision.fields, wordCount, at: updatedAt });
  const essay = await queries.updateEssay(ctx.db, id, {
    version: 2,
    ...(status === ESSAY_STATUS.onShelf ? { revisionStatus: ESSAY_STATUS.draft } : {}),
  });
  if (status === ESSAY_STATUS.onShelf && handedIn !== null) await submit(ctx, essay, 2, handedIn);
}

/** Lays it out as for an audit, and then puts it where it was, with its own times. */
export async function prepareBroughtEssay(ctx: Ctx, given: BroughtEssay): Promise<Prepared<EssayRow>> {
  const fields = { ...given.fields, tags: distinct(given.fields.tags) };
  const handedIn = given.status === ESSAY_STATUS.draft ? null : await handIn(ctx, fields);
  const { revision } = given;
  const { wordCount, readMinutes } = handedIn?.open ?? (await countText(callerOf(ctx), fields.content));
  const revised = revision?.status === ESSAY_STATUS.waiting ? await handIn(ctx, revision.fields) : null;
  const inRevision = revised?.open ?? (await countText(callerOf(ctx), revision?.fields.content ?? ''));
  return (ctx) =>
    inTx(ctx, async (ctx) => {
      const { id, authorId, region, columnSort, createdAt, updatedAt } = given;
      const { content: _, ...settings } = fields;
      const times = { createdAt, updatedAt, savedAt: updatedAt };
      const card = { ...cardOf(settings), wordCount, readMinutes };
      await queries.insertEssay(ctx.db, { id, authorId, ...card, region, columnSort, ...times });
      await insertVersion(ctx, { essayId: id, version: 1, given: fields, wordCount, at: createdAt });
      const then = { ...ctx, now: given.publishedAt ?? updatedAt };
      if (handedIn !== null) {
        await submit(then, await queries.getEssay(ctx.db, id), 1, handedIn);
        await moveOn(then, await queries.getEssay(ctx.db, id), given);
      }
      await addRevision(then, given, { wordCount: inRevision.wordCount, handedIn: revised });
      return queries.updateEssay(ctx.db, id, { updatedAt, savedAt: updatedAt });
    });
}

/** What people did with it since it came, in a few words; null: nothing that would be lost. */
export async function whyKept(ctx: Ctx, essay: EssayRow, version: number): Promise<string | null> {
  if (essay.version > version) return '之后有人改过';
  if (await isSold(ctx.db, [essay.id, essay.columnId])) return '已有人购买';
  return essay.rewardCount > 0 ? '已有人打赏' : null;
}

/** As if it had never come; where readers have left traces, its id stays and answers that it is gone. */
export async function takeBackEssay(ctx: Ctx, essay: EssayRow): Promise<void> {
  const { id, readCount, likeCount, collectCount, shareCount, downloadCount } = essay;
  await takeOffShelf(ctx, essay);
  if (readCount + likeCount + collectCount + shareCount + downloadCount > 0)
    await queries.eraseEssay(ctx.db, id, ctx.now);
  else await queries.deleteEssay(ctx.db, id);
  touch(ctx, `essay:${id}`, `user:${essay.authorId}`);
}
