import { CallError } from '@mozhan/contract/errors.ts';
import { inTransaction } from '../../../../ctx.ts';
import { newId } from '../../../../db/id.ts';
import { type ImportedComment, prepareImportedComments } from '../../../content/comments/index.ts';
import { type CommentRecord, commentRecord, parseJsonLines } from '../documents.ts';
import { listExistingCommentIds } from '../queries/targets.ts';
import { findAuthor, toAccount } from './authors.ts';
import { clampToPast, type ImportState, importItem } from './import-state.ts';

/** Batches end at the end of a thread; comments of a thread beyond the maximum are not imported. */
const BATCH_SIZE = 100;
const MAX_THREAD_COMMENTS = 10_000;
const MAX_CONTENT_LENGTH = 2000;

interface Batch {
  essay: string;
  lines: CommentRecord[];
  /** Includes comments that are not imported. */
  count: number;
}

const isShort = ({ content }: CommentRecord): boolean => [...content].length <= MAX_CONTENT_LENGTH;

/** A batch belongs to one essay and never splits a thread, so that every run creates the same batches. */
async function* readBatches(lines: AsyncIterable<CommentRecord | null>): AsyncGenerator<Batch> {
  let batch: Batch | null = null;
  for await (const line of lines) {
    if (line === null) continue;
    const { essay, root } = line;
    if (batch !== null && (essay !== batch.essay || (batch.count >= BATCH_SIZE && root === null))) {
      yield batch;
      batch = null;
    }
    batch ??= { essay, lines: [], count: 0 };
    batch.count += 1;
    if (batch.lines.length < MAX_THREAD_COMMENTS && isShort(line)) batch.lines.push(line);
  }
  if (batch !== null) yield batch;
}

async function findWriter(
  state: ImportState,
  { author, guest }: CommentRecord,
): Promise<ImportedComment['writer'] | null> {
  return author === null ? guest : findAuthor(state, toAccount(author));
}

/** Skips comments whose author does not exist on this site. */
async function toImportedComments(
  state: ImportState,
  { lines }: Batch,
  essayId: string,
): Promise<ImportedComment[]> {
  const { row, ctx } = state.run;
  const existing = await listExistingCommentIds(
    ctx().db,
    lines.map(({ id }) => id),
  );
  // Comments whose ids exist already get new ids, in the same order.
  const ids = new Map(lines.map(({ id }) => [id, existing.has(id) ? newId() : id]));
  const imported: ImportedComment[] = [];
  for (const line of lines) {
    const writer = await findWriter(state, line);
    const id = ids.get(line.id);
    if (writer === null || id === undefined) continue;
    const repliedTo = line.replyTo === null ? null : await findAuthor(state, toAccount(line.replyTo));
    const mentions: string[] = [];
    for (const account of line.mentions) {
      const mentioned = await findAuthor(state, toAccount(account));
      if (mentioned !== null) mentions.push(mentioned.id);
    }
    imported.push({
      id,
      essayId,
      rootId: line.root === null ? null : (ids.get(line.root) ?? line.root),
      writer,
      replyToUserId: repliedTo?.id ?? null,
      replyToGuestId: line.replyToGuest === null ? null : (ids.get(line.replyToGuest) ?? null),
      status: line.status,
      content: line.content,
      mentions,
      region: line.region,
      pinned: line.pinned,
      // An undo treats comments that are newer than the run as written on this site.
      createdAt: clampToPast(line.createdAt, row.createdAt),
      editedAt: line.editedAt,
    });
  }
  return imported;
}

const titleOf = ({ count }: Batch): string => `${count} 条评论`;
const LOST_REASON = `说话的人不在本站，不能在本站发布，或一处的回复超过 ${MAX_THREAD_COMMENTS} 条`;

async function importBatch(state: ImportState, batch: Batch, key: string, essayId: string): Promise<void> {
  const { run } = state;
  const item = { key, kind: 'comments' as const, title: titleOf(batch) };
  await importItem(
    state,
    item,
    async (ctx) => {
      const prepared = await prepareImportedComments(ctx, await toImportedComments(state, batch, essayId));
      await inTransaction(ctx, async (ctx) => {
        const lost = batch.count - (await prepared(ctx));
        const note = lost > 0 ? `${lost} 条没有导入：${LOST_REASON}` : '';
        await run.recordItem(ctx, { ...item, outcome: 'created', note, targetId: essayId });
      });
    },
    batch.count,
  );
}

export async function importComments(state: ImportState): Promise<void> {
  const { run, archive } = state;
  if (!archive.has('comments.json')) return;
  let batchNumber = 0;
  for await (const batch of readBatches(parseJsonLines(commentRecord, archive.readLines('comments.json')))) {
    batchNumber += 1;
    const essayId = state.essays.get(batch.essay);
    const key = `comments:${batchNumber}`;
    if (essayId === undefined) {
      run.throwIfStopped();
      run.advance(batch.count);
    } else if (run.row.options.asDrafts === true) {
      const item = { key, kind: 'comments' as const, title: titleOf(batch) };
      const refusal = new CallError('INVALID', { message: '文章作为草稿导入，评论没有导入' });
      await importItem(state, item, () => Promise.reject(refusal), batch.count);
    } else {
      await importBatch(state, batch, key, essayId);
    }
  }
}
