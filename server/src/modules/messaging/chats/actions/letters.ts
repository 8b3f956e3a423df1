import type { Page } from '@mozhan/contract/common.ts';
import { ESSAY_STATUS, TREND_TYPE } from '@mozhan/contract/enums.ts';
import { invalidField } from '@mozhan/contract/errors.ts';
import type * as calls from '@mozhan/contract/letters.ts';
import type { Letter, Thread } from '@mozhan/contract/letters.ts';
import type { z } from 'zod';
import { afterCommit, type Ctx, inTransaction, type Viewer } from '../../../../ctx.ts';
import { newId } from '../../../../db/id.ts';
import { mapPage } from '../../../../db/page.ts';
import { type Prepared, prepareThenRun } from '../../../../prepared.ts';
import { hasTrendSince, recordTrend } from '../../../accounts/activity/index.ts';
import { getUser, lockInboxes, markTargetRead, notify, requirePhone } from '../../../accounts/users/index.ts';
import { essayNotFound, getReadableEssay } from '../../../content/essays/index.ts';
import * as queries from '../queries/letters.ts';
import type { LetterRow, ThreadRow } from '../tables.ts';
import { preparePlainLine, prepareText } from '../text.ts';
import { excerptOf, toLetter, toThread } from '../views/letters.ts';
import { checkContact, countContactMessage, getContactDenialReason } from './contacts.ts';
import { pushConversationCountsAfterCommit } from './counts.ts';

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
  const threadForUser = await queries.getThread(ctx.db, viewer.id, threadId);
  const { member, other } = threadForUser;
  const [page, own, otherRead, why] = await Promise.all([
    queries.listLetters(ctx.db, { ...query, of: threadForUser }),
    getUser(ctx.db, viewer.id),
    queries.getReadSeq(ctx.db, threadId, other.id),
    getContactDenialReason(ctx, viewer, other.id),
  ]);
  const participants = { own, ownRead: member.readSeq, other, otherRead };
  return {
    ...page,
    list: page.list.map((row) => toLetter(ctx, row, participants)),
    thread: toThread(ctx, threadForUser),
    canSend: why === '',
    why,
  };
}

/** Tells the open pages of both participants to reload the thread. */
function publishThreadChange(ctx: Ctx, { id, userA, userB }: ThreadRow): void {
  const { live } = ctx.services;
  afterCommit(ctx, () => {
    for (const userId of [userA, userB]) live.emitToUser(userId, 'letter', { threadId: id });
  });
}

async function notifyLetter(ctx: Ctx, letter: LetterRow, thread: ThreadRow, toId: string): Promise<void> {
  const isFirst = letter.seq === 1;
  const { essayId } = thread;
  const trend = {
    userId: letter.fromId,
    type: isFirst ? TREND_TYPE.letter : TREND_TYPE.letterReply,
    targetId: essayId ?? toId,
  };
  // At most one trend a day for the same target.
  if (!(await hasTrendSince(ctx, trend, new Date(ctx.now.getTime() - DAY_MS))))
    await recordTrend(ctx, { ...trend, targetKind: essayId === null ? 'home' : 'essay' });
  await lockInboxes(ctx, [letter.fromId, toId]);
  // A reply marks the thread as read for its sender.
  await markTargetRead(ctx, letter.fromId, thread.id);
  await notify(ctx, {
    userId: toId,
    kind: 'message',
    actorId: letter.fromId,
    text: isFirst ? '给你写了私信' : '回复了你的私信',
    target: {
      id: thread.id,
      title: thread.subject,
      url: `/account/center.html?tab=letter&thread=${thread.id}`,
    },
    excerpt: excerptOf(letter),
  });
  publishThreadChange(ctx, thread);
  for (const userId of [letter.fromId, toId]) pushConversationCountsAfterCommit(ctx, userId);
}

const createThreadRow = (
  { id: fromId }: Viewer,
  toId: string,
  rest: Pick<ThreadRow, 'subject' | 'essayId' | 'createdAt'>,
): ThreadRow => ({
  id: newId(),
  userA: fromId < toId ? fromId : toId,
  userB: fromId < toId ? toId : fromId,
  ...rest,
});

/** Returns the thread that a reply belongs to; the sender must be able to see the letter. */
async function findParentThread(
  ctx: Ctx,
  viewer: Viewer,
  { parentId, toUserId }: z.output<typeof calls.sendLetter.input>,
): Promise<ThreadRow | null> {
  if (parentId === undefined) return null;
  const { thread, other } = await queries.getThreadOfLetter(ctx.db, viewer.id, parentId);
  if (other.id !== toUserId) throw invalidField('toUserId', '收信人不在这份往来里');
  return thread;
}

/** A reply keeps the subject and essay of its thread, whatever the input says. */
export async function prepareLetter(
  ctx: Ctx,
  viewer: Viewer,
  input: z.output<typeof calls.sendLetter.input>,
): Promise<Prepared<Letter>> {
  const { toUserId, essayId = null, parentId = null } = input;
  await requirePhone(ctx, viewer);
  await checkContact(ctx, viewer.id, toUserId);
  const parentThread = await findParentThread(ctx, viewer, input);
  if (parentThread === null && essayId !== null) {
    const { essay } = await getReadableEssay(ctx, essayId);
    if (essay.status !== ESSAY_STATUS.onShelf) throw essayNotFound();
  }
  const subject = await preparePlainLine(ctx, 'subject', input.subject ?? '');
  const text = await prepareText(ctx, input.content, { onHold: 'mask' });
  return (ctx) =>
    inTransaction(ctx, async (ctx) => {
      await countContactMessage(ctx, viewer.id, toUserId);
      const thread =
        parentThread ?? createThreadRow(viewer, toUserId, { subject, essayId, createdAt: ctx.now });
      if (parentThread === null) await queries.insertThread(ctx.db, thread);
      const letter = await queries.insertLetter(ctx.db, {
        ...text,
        id: newId(),
        threadId: thread.id,
        fromId: viewer.id,
        parentId,
        createdAt: ctx.now,
      });
      await notifyLetter(ctx, letter, thread, toUserId);
      const own = await getUser(ctx.db, viewer.id);
      const other = await getUser(ctx.db, toUserId);
      return toLetter(ctx, letter, { own, ownRead: letter.seq, other, otherRead: 0 });
    });
}

export const sendLetter = prepareThenRun(prepareLetter);

export function readThread(ctx: Ctx, viewer: Viewer, threadId: string): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const { thread, member, last } = await queries.lockThread(ctx.db, viewer.id, threadId);
    if (member.readSeq === last.seq) return;
    await queries.updateThreadMember(ctx.db, member, { readSeq: last.seq, unread: 0 });
    await markTargetRead(ctx, viewer.id, threadId);
    publishThreadChange(ctx, thread);
    pushConversationCountsAfterCommit(ctx, viewer.id);
  });
}

/** Hides the letters so far from the viewer; the other participant keeps them and is not notified. */
export function removeThread(ctx: Ctx, viewer: Viewer, threadId: string): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const { member, last } = await queries.lockThread(ctx.db, viewer.id, threadId);
    await queries.updateThreadMember(ctx.db, member, { hiddenSeq: last.seq, unread: 0, lastId: null });
    await markTargetRead(ctx, viewer.id, threadId);
    pushConversationCountsAfterCommit(ctx, viewer.id);
  });
}

/** Call before these users are deleted: removes their threads and corrects the counts of the others. */
export async function purgeLetters(ctx: Ctx, userIds: string[]): Promise<void> {
  if (userIds.length === 0) return;
  for (const userId of await queries.deleteThreadsOfUsers(ctx.db, userIds))
    pushConversationCountsAfterCommit(ctx, userId);
}
