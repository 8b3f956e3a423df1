import { CallError } from '@mozhan/contract/errors.ts';
import { inTx } from '../../../../ctx.ts';
import { newId } from '../../../../db/id.ts';
import { type BroughtComment, prepareBroughtComments } from '../../../content/comments/index.ts';
import { type CommentLine, commentLine, readLines } from '../documents.ts';
import { listKnownComments } from '../queries/targets.ts';
import { findAuthor, toAccount } from './people.ts';
import { attempt, notLater, type World } from './world.ts';

/** So many come in at once, and the rest of the last one's thread; what a thread has beyond this stays out. */
const AT_ONCE = 100;
const MOST = 10_000;
const LONGEST = 2000;

interface Batch {
  essay: string;
  lines: CommentLine[];
  /** Those that stay out too. */
  count: number;
}

const isShort = ({ content }: CommentLine): boolean => [...content].length <= LONGEST;

/** Of one essay, never breaking a thread: the same at every reading. */
async function* batches(lines: AsyncIterable<CommentLine | null>): AsyncGenerator<Batch> {
  let batch: Batch | null = null;
  for await (const line of lines) {
    if (line === null) continue;
    const { essay, root } = line;
    if (batch !== null && (essay !== batch.essay || (batch.count >= AT_ONCE && root === null))) {
      yield batch;
      batch = null;
    }
    batch ??= { essay, lines: [], count: 0 };
    batch.count += 1;
    if (batch.lines.length < MOST && isShort(line)) batch.lines.push(line);
  }
  if (batch !== null) yield batch;
}

/** By people who are here; what answers somebody who is not stays out with it. */
async function toBrought(world: World, { lines }: Batch, essayId: string): Promise<BroughtComment[]> {
  const { row, ctx } = world.run;
  const known = await listKnownComments(
    ctx().db,
    lines.map(({ id }) => id),
  );
  // Of an essay that got another id its comments get others too, in the same order.
  const ids = new Map(lines.map(({ id }) => [id, known.has(id) ? newId() : id]));
  const brought: BroughtComment[] = [];
  for (const line of lines) {
    const writer = await findAuthor(world, toAccount(line.author));
    const id = ids.get(line.id);
    if (writer === null || id === undefined) continue;
    const answered = line.replyTo === null ? null : await findAuthor(world, toAccount(line.replyTo));
    const mentions: string[] = [];
    for (const account of line.mentions) {
      const named = await findAuthor(world, toAccount(account));
      if (named !== null) mentions.push(named.id);
    }
    brought.push({
      id,
      essayId,
      rootId: line.root === null ? null : (ids.get(line.root) ?? line.root),
      writer,
      replyToUserId: answered?.id ?? null,
      status: line.status,
      content: line.content,
      mentions,
      region: line.region,
      pinned: line.pinned,
      // What is later than the run was said here.
      createdAt: notLater(line.createdAt, row.createdAt),
      editedAt: line.editedAt,
    });
  }
  return brought;
}

const titleOf = ({ count }: Batch): string => `${count} 条评论`;
const WHY_LOST = `说话的人不在本站，不能在本站发表，或一处的回复超过 ${MOST} 条`;

async function bringBatch(world: World, batch: Batch, key: string, essayId: string): Promise<void> {
  const { run } = world;
  const item = { key, kind: 'comments' as const, title: titleOf(batch) };
  await attempt(
    world,
    item,
    async (ctx) => {
      const prepared = await prepareBroughtComments(ctx, await toBrought(world, batch, essayId));
      await inTx(ctx, async (ctx) => {
        const lost = batch.count - (await prepared(ctx));
        const note = lost > 0 ? `${lost} 条没有导入：${WHY_LOST}` : '';
        await run.note(ctx, { ...item, outcome: 'created', note, targetId: essayId });
      });
    },
    batch.count,
  );
}

/** What was said about essays that came in by this run. */
export async function importComments(world: World): Promise<void> {
  const { run, archive } = world;
  if (!archive.has('comments.json')) return;
  let place = 0;
  for await (const batch of batches(readLines(commentLine, archive.lines('comments.json')))) {
    place += 1;
    const essayId = world.essays.get(batch.essay);
    const key = `comments:${place}`;
    if (essayId === undefined) {
      run.check();
      run.advance(batch.count);
    } else if (run.row.options.asDrafts === true) {
      const item = { key, kind: 'comments' as const, title: titleOf(batch) };
      const refusal = new CallError('INVALID', { message: '文章作为草稿导入，评论没有导入' });
      await attempt(world, item, () => Promise.reject(refusal), batch.count);
    } else {
      await bringBatch(world, batch, key, essayId);
    }
  }
}
