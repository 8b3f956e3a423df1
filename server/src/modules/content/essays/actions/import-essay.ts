import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import type { EssayFields, EssayStatus, RevisionStatus } from '@mozhan/contract/essays.ts';
import { type Ctx, inTransaction, invalidate } from '../../../../ctx.ts';
import type { Prepared } from '../../../../prepared.ts';
import { callerOf } from '../../../../threads/fair-queue.ts';
import { countMarkdownWords } from '../../../platform/text/index.ts';
import * as queries from '../queries/essays.ts';
import { lockForImport } from '../queries/pins.ts';
import { isSold } from '../queries/reader-state.ts';
import type { EssayRow } from '../tables.ts';
import { type ImportedPins, pinImported } from './pins.ts';
import { recordStatusChange } from './records.ts';
import { countCharacters, submitVersion, toCardFields, uniqueTags } from './save.ts';
import { putOnShelf, takeOffShelf } from './shelf.ts';
import { claimSlug, findRefusedWord } from './slugs.ts';
import { scheduleShelving } from './status.ts';
import { prepareSubmission, type Submission } from './submission.ts';

/** An essay of another installation. The rows that its fields reference must exist here already. */
export interface ImportedEssay {
  id: string;
  authorId: string;
  fields: EssayFields;
  status: EssayStatus;
  offByStaff: boolean;
  reason: string;
  region: string;
  columnSort: number;
  /** Dropped if another essay has it, or if it contains a sensitive word. */
  slug?: string | null;
  createdAt: Date;
  publishedAt: Date | null;
  updatedAt: Date;
  /** Unpublished changes of the author to an essay on the shelf. */
  revision: { fields: EssayFields; status: RevisionStatus } | null;
  pins?: ImportedPins | undefined;
}

interface Version {
  essayId: string;
  version: number;
  imported: EssayFields;
  wordCount: number;
  at: Date;
}

function insertVersion(ctx: Ctx, { essayId, version, imported, wordCount, at }: Version) {
  const { content, ...fields } = imported;
  return queries.insertRevision(ctx.db, {
    essayId,
    version,
    auto: false,
    title: fields.title,
    characters: countCharacters(content),
    wordCount,
    fields,
    content,
    editorId: null,
    createdAt: at,
    updatedAt: at,
  });
}

/** Records the status changes that led to the imported status. Sends no notices and repeats no audit. */
async function replayStatusChanges(ctx: Ctx, essay: EssayRow, imported: ImportedEssay): Promise<void> {
  const { status, reason } = imported;
  let from = essay;
  const record = async (to: EssayStatus, note = '') => {
    await recordStatusChange(ctx, from, { to, isRevision: false, reason: note });
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
    if (essay.scheduledAt !== null) await scheduleShelving(ctx, essay.id, essay.scheduledAt);
    return;
  }
  await record(ESSAY_STATUS.onShelf);
  const shelved = await putOnShelf(ctx, { ...essay, publishedAt: ctx.now }, essay.version);
  if (status === ESSAY_STATUS.onShelf) return;
  await record(ESSAY_STATUS.offShelf, reason);
  await takeOffShelf(ctx, shelved);
  await queries.updateEssay(ctx.db, essay.id, { status, offByStaff: imported.offByStaff });
}

async function addRevision(
  ctx: Ctx,
  { id, revision, status, updatedAt }: ImportedEssay,
  { wordCount, submission }: { wordCount: number; submission: Submission | null },
): Promise<void> {
  if (revision === null) return;
  await insertVersion(ctx, { essayId: id, version: 2, imported: revision.fields, wordCount, at: updatedAt });
  const essay = await queries.updateEssay(ctx.db, id, {
    version: 2,
    ...(status === ESSAY_STATUS.onShelf ? { revisionStatus: ESSAY_STATUS.draft } : {}),
  });
  if (status === ESSAY_STATUS.onShelf && submission !== null) await submitVersion(ctx, essay, 2, submission);
}

/** Renders the essay as for an audit, then inserts it with its original status and times. */
export async function prepareImportedEssay(ctx: Ctx, imported: ImportedEssay): Promise<Prepared<EssayRow>> {
  const fields = { ...imported.fields, tags: uniqueTags(imported.fields.tags) };
  const submission = imported.status === ESSAY_STATUS.draft ? null : await prepareSubmission(ctx, fields);
  const { revision } = imported;
  const { wordCount, readMinutes } =
    submission?.publicText ?? (await countMarkdownWords(callerOf(ctx), fields.content));
  const revisionSubmission =
    revision?.status === ESSAY_STATUS.waiting ? await prepareSubmission(ctx, revision.fields) : null;
  const revisionLength =
    revisionSubmission?.publicText ??
    (await countMarkdownWords(callerOf(ctx), revision?.fields.content ?? ''));
  const slug = imported.slug && (await findRefusedWord(ctx, imported.slug)) === null ? imported.slug : null;
  return (ctx) =>
    inTransaction(ctx, async (ctx) => {
      const { id, authorId, region, columnSort, createdAt, updatedAt, pins } = imported;
      const isPinned = pins !== undefined && (pins.author !== null || pins.site !== null);
      if (isPinned) await lockForImport(ctx.db, authorId);
      const { content: _, ...settings } = fields;
      const times = { createdAt, updatedAt, savedAt: updatedAt };
      const card = { ...toCardFields(settings), wordCount, readMinutes };
      await queries.insertEssay(ctx.db, { id, authorId, ...card, region, columnSort, ...times });
      if (slug !== null && (await claimSlug(ctx, id, slug))) await queries.updateEssay(ctx.db, id, { slug });
      await insertVersion(ctx, { essayId: id, version: 1, imported: fields, wordCount, at: createdAt });
      const pastCtx = { ...ctx, now: imported.publishedAt ?? updatedAt };
      if (submission !== null) {
        await submitVersion(pastCtx, await queries.getEssay(ctx.db, id), 1, submission);
        await replayStatusChanges(pastCtx, await queries.getEssay(ctx.db, id), imported);
      }
      await addRevision(pastCtx, imported, {
        wordCount: revisionLength.wordCount,
        submission: revisionSubmission,
      });
      const essay = await queries.updateEssay(ctx.db, id, { updatedAt, savedAt: updatedAt });
      if (isPinned && essay.status === ESSAY_STATUS.onShelf) await pinImported(ctx, essay, pins);
      return essay;
    });
}

/** Returns why the import cannot be undone, or null when nothing would be lost. */
export async function undoDenialReason(ctx: Ctx, essay: EssayRow, version: number): Promise<string | null> {
  if (essay.version > version) return '之后有人改过';
  if (await isSold(ctx.db, [essay.id, essay.columnId])) return '已有人购买';
  return essay.rewardCount > 0 ? '已有人打赏' : null;
}

/** Deletes an imported essay. If readers interacted with it, its row stays so that its address returns 410. */
export async function undoImportedEssay(ctx: Ctx, essay: EssayRow): Promise<void> {
  const { id, readCount, likeCount, collectCount, shareCount, downloadCount } = essay;
  await takeOffShelf(ctx, essay);
  if (readCount + likeCount + collectCount + shareCount + downloadCount > 0)
    await queries.eraseEssay(ctx.db, id, ctx.now);
  else await queries.deleteEssay(ctx.db, id);
  invalidate(ctx, `essay:${id}`, `user:${essay.authorId}`);
}
