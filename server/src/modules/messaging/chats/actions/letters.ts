import type { Page } from '@mozhan/contract/common.ts';
import { ESSAY_STATUS, TREND_TYPE } from '@mozhan/contract/enums.ts';
import { invalid } from '@mozhan/contract/errors.ts';
import type * as calls from '@mozhan/contract/letters.ts';
import type { Letter, Thread } from '@mozhan/contract/letters.ts';
import type { z } from 'zod';
import { afterCommit, type Ctx, inTx, type Viewer } from '../../../../ctx.ts';
import { newId } from '../../../../db/id.ts';
import { mapPage } from '../../../../db/page.ts';
import { type Prepared, whole } from '../../../../prepared.ts';
import { hasTrendSince, recordTrend } from '../../../accounts/activity/index.ts';
import { getUser, holdBoxes, notify, readAbout, requirePhone } from '../../../accounts/users/index.ts';
import { getReadable, noEssay } from '../../../content/essays/index.ts';
import * as queries from '../queries/letters.ts';
import type { LetterRow, ThreadRow } from '../tables.ts';
import { prepareLine, prepareText } from '../text.ts';
import { excerptOf, toLetter, toThread } from '../views/letters.ts';
import { checkContact, countContact, whyNot } from './contacts.ts';
import { pushTalksAfterCommit } from './counts.ts';

const DAY_MS = 86_400_000;

export async function listThreads(
  ctx: Ctx,
  viewer: Viewer,
  query: Omit<z.output<typeof calls.listLetters.input>, 'threadId'>,
): Promise<Page<Thread>> {
  return mapPage(await queries.listThreads(ctx.db, { ...query, userId: viewer.id }), (row) =>
    toThread(ctx, row),
  );
}

export async function listLetters(
  ctx: Ctx,
  viewer: Viewer,
  { threadId, ...query }: z.output<typeof calls.listLetters.input> & { threadId: string },
): Promise<Page<Letter> & { thread: Thread; canSend: boolean; why: string }> {
  const seen = await queries.getThread(ctx.db, viewer.id, threadId);
  const { place, other } = seen;
  const [page, own, otherRead, why] = await Promise.all([
    queries.listLetters(ctx.db, { ...query, of: seen }),
    getUser(ctx.db, viewer.id),
    queries.getReadSeq(ctx.db, threadId, other.id),
    whyNot(ctx, viewer, other.id),
  ]);
  const sides = { own, ownRead: place.readSeq, other, otherRead };
  return {
    ...page,
    list: page.list.map((row) => toLetter(ctx, row, sides)),
    thread: toThread(ctx, seen),
    canSend: why === '',
    why,
  };
}

/** Both have the thread open somewhere, maybe. */
function tellBoth(ctx: Ctx, { id, userA, userB }: ThreadRow): void {
  const { live } = ctx.services;
  afterCommit(ctx, () => {
    for (const userId of [userA, userB]) live.toUser(userId, 'letter', { threadId: id });
  });
}

async function tell(ctx: Ctx, letter: LetterRow, thread: ThreadRow, toId: string): Promise<void> {
  const isFirst = letter.seq === 1;
  const { essayId } = thread;
  const deed = {
    userId: letter.fromId,
    type: isFirst ? TREND_TYPE.letter : TREND_TYPE.letterReply,
    targetId: essayId ?? toId,
  };
  // Once a day, however much is written about one thing.
  if (!(await hasTrendSince(ctx, deed, new Date(ctx.now.getTime() - DAY_MS))))
    await recordTrend(ctx, { ...deed, targetKind: essayId === null ? 'home' : 'essay' });
  await holdBoxes(ctx, [letter.fromId, toId]);
  // Whoever answers has read.
  await readAbout(ctx, letter.fromId, thread.id);
  await notify(ctx, {
    userId: toId,
    kind: 'message',
    actorId: letter.fromId,
    text: isFirst ? '给你写了私信' : '回复了私信',
    target: {
      id: thread.id,
      title: thread.subject,
      url: `/account/center.html?tab=letter&thread=${thread.id}`,
    },
    excerpt: excerptOf(letter),
  });
  tellBoth(ctx, thread);
  for (const userId of [letter.fromId, toId]) pushTalksAfterCommit(ctx, userId);
}

const newThread = (
  { id: fromId }: Viewer,
  toId: string,
  rest: Pick<ThreadRow, 'subject' | 'essayId' | 'createdAt'>,
): ThreadRow => ({
  id: newId(),
  userA: fromId < toId ? fromId : toId,
  userB: fromId < toId ? toId : fromId,
  ...rest,
});

/** What is answered, and where: both have to be there for whoever answers. */
async function findAnswered(
  ctx: Ctx,
  viewer: Viewer,
  { parentId, toUserId }: z.output<typeof calls.sendLetter.input>,
): Promise<ThreadRow | null> {
  if (parentId === undefined) return null;
  const { thread, other } = await queries.getThreadOf(ctx.db, viewer.id, parentId);
  if (other.id !== toUserId) throw invalid('toUserId', '收信人不在这份往来里');
  return thread;
}

/** An answer is about what the thread is about. */
export async function prepareLetter(
  ctx: Ctx,
  viewer: Viewer,
  input: z.output<typeof calls.sendLetter.input>,
): Promise<Prepared<Letter>> {
  const { toUserId, essayId = null, parentId = null } = input;
  await requirePhone(ctx, viewer);
  await checkContact(ctx, viewer.id, toUserId);
  const answered = await findAnswered(ctx, viewer, input);
  if (answered === null && essayId !== null) {
    const { essay } = await getReadable(ctx, essayId);
    if (essay.status !== ESSAY_STATUS.onShelf) throw noEssay();
  }
  const subject = await prepareLine(ctx, 'subject', input.subject ?? '');
  const text = await prepareText(ctx, input.content, { held: 'covered' });
  return (ctx) =>
    inTx(ctx, async (ctx) => {
      await countContact(ctx, viewer.id, toUserId);
      const thread = answered ?? newThread(viewer, toUserId, { subject, essayId, createdAt: ctx.now });
      if (answered === null) await queries.insertThread(ctx.db, thread);
      const letter = await queries.insertLetter(ctx.db, {
        ...text,
        id: newId(),
        threadId: thread.id,
        fromId: viewer.id,
        parentId,
        createdAt: ctx.now,
      });
      await tell(ctx, letter, thread, toUserId);
      const own = await getUser(ctx.db, viewer.id);
      const other = await getUser(ctx.db, toUserId);
      return toLetter(ctx, letter, { own, ownRead: letter.seq, other, otherRead: 0 });
    });
}

export const sendLetter = whole(prepareLetter);

export function readThread(ctx: Ctx, viewer: Viewer, threadId: string): Promise<void> {
  return inTx(ctx, async (ctx) => {
    const { thread, place, last } = await queries.lockThread(ctx.db, viewer.id, threadId);
    if (place.readSeq === last.seq) return;
    await queries.updatePlace(ctx.db, place, { readSeq: last.seq, unread: 0 });
    await readAbout(ctx, viewer.id, threadId);
    tellBoth(ctx, thread);
    pushTalksAfterCommit(ctx, viewer.id);
  });
}

/** What was written so far is gone for whoever deletes it; the other keeps it, and is not told. */
export function removeThread(ctx: Ctx, viewer: Viewer, threadId: string): Promise<void> {
  return inTx(ctx, async (ctx) => {
    const { place, last } = await queries.lockThread(ctx.db, viewer.id, threadId);
    await queries.updatePlace(ctx.db, place, { hiddenSeq: last.seq, unread: 0, lastId: null });
    await readAbout(ctx, viewer.id, threadId);
    pushTalksAfterCommit(ctx, viewer.id);
  });
}

/** Before these people go: what was written with them goes, and is counted for nobody. */
export async function releaseLetters(ctx: Ctx, userIds: string[]): Promise<void> {
  if (userIds.length === 0) return;
  for (const userId of await queries.removeThreadsOf(ctx.db, userIds)) pushTalksAfterCommit(ctx, userId);
}
