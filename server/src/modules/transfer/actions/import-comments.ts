import { CallError } from '#contract/errors.ts';
import { inTx } from '../../../ctx.ts';
import { newId } from '../../../db/id.ts';
import { type BroughtComment, prepareBroughtComments } from '../../comments/index.ts';
import { type CommentLine, commentLine, readLines } from '../documents.ts';
import { listKnownComments } from '../queries/targets.ts';
import { findAuthor, toAccount } from './people.ts';
import { attempt, notLater, type World } from './world.ts';

/** So many come in at once, and the rest of the last one's thread. */
const AT_ONCE = 100;
const LONGEST = 2000;

type Batch = CommentLine[];

/** Of one essay, never breaking a thread: the same at every reading. */
async function* batches(lines: AsyncIterable<CommentLine | null>): AsyncGenerator<Batch> {
  let batch: Batch = [];
  for await (const line of lines) {
    if (line === null) continue;
    const isNext = line.essay !== batch[0]?.essay || (batch.length >= AT_ONCE && line.root === null);
    if (isNext && batch.length > 0) {
      yield batch;
      batch = [];
    }
    batch.push(line);
  }
  if (batch.length > 0) yield batch;
}

/** By people who are here; what answers somebody who is not stays out with it. */
async function toBrought(world: World, batch: Batch, essayId: string): Promise<BroughtComment[]> {
  const { now, db } = world.run.ctx();
  const known = await listKnownComments(
    db,
    batch.map(({ id }) => id),
  );
  // Of an essay that got another id its comments get others too, in the same order.
  const ids = new Map(batch.map(({ id }) => [id, known.has(id) ? newId() : id]));
  const brought: BroughtComment[] = [];
  for (const line of batch) {
    const writer = await findAuthor(world, toAccount(line.author));
    const id = ids.get(line.id);
    if (writer === null || id === undefined || [...line.content].length > LONGEST) continue;
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
      createdAt: notLater(line.createdAt, now),
      editedAt: line.editedAt,
    });
  }
  return brought;
}

async function bringBatch(world: World, batch: Batch, key: string, essayId: string): Promise<void> {
  const { run } = world;
  const item = { key, kind: 'comments' as const, title: `${batch.length} 条评论` };
  await attempt(
    world,
    item,
    async (ctx) => {
      const prepared = await prepareBroughtComments(ctx, await toBrought(world, batch, essayId));
      await inTx(ctx, async (ctx) => {
        const count = await prepared(ctx);
        const lost = batch.length - count;
        const note = lost > 0 ? `${lost} 条没有导入：说话的人不在本站，或不能在本站发表` : '';
        await run.note(ctx, { ...item, outcome: 'created', note, targetId: essayId, detail: { count } });
      });
    },
    batch.length,
  );
}

/** What was said about essays that came in by this run. */
export async function importComments(world: World): Promise<void> {
  const { run, archive } = world;
  if (!archive.has('comments.json')) return;
  let place = 0;
  for await (const batch of batches(readLines(commentLine, archive.lines('comments.json')))) {
    place += 1;
    const essayId = world.essays.get(batch[0]?.essay ?? '');
    const key = `comments:${place}`;
    if (essayId === undefined) {
      run.check();
      run.advance(batch.length);
    } else if (run.row.options.asDrafts === true) {
      const item = { key, kind: 'comments' as const, title: `${batch.length} 条评论` };
      const refusal = new CallError('INVALID', { message: '文章作为草稿导入，评论没有导入' });
      await attempt(world, item, () => Promise.reject(refusal), batch.length);
    } else {
      await bringBatch(world, batch, key, essayId);
    }
  }
}
