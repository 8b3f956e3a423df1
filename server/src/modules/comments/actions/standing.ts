import { type Ctx, touch } from '../../../ctx.ts';
import { forgetTrends, hasTrendSince, recordTrend, trendType } from '../../activity/index.ts';
import { addToEssays } from '../../essays/index.ts';
import type { EssayRow } from '../../essays/tables.ts';
import { forgetNotices, type NewNotice, notify } from '../../notices/index.ts';
import { toPlainText } from '../../text/index.ts';
import * as queries from '../queries/comments.ts';
import { removeLikesOf } from '../queries/likes.ts';
import { DELETED, isListed, SHOWN } from '../rules.ts';
import type { CommentRow } from '../tables.ts';

const DAY = 24 * 60 * 60_000;
const EXCERPT = 100;

/** Where something was said: its essay, and the comment it belongs to when it is a reply. */
export interface Thread {
  essay: EssayRow;
  root: CommentRow | null;
}

export const targetOf = (essay: EssayRow, commentId: string) => ({
  id: commentId,
  title: essay.title,
  url: `/essay/detail/${essay.id}.html#cmt-${commentId}`,
});

/** Who is told of it, each once: whoever is answered, and those who are named. */
function audience(
  comment: CommentRow,
  { essay, root }: Thread,
): Pick<NewNotice, 'userId' | 'kind' | 'text'>[] {
  const first =
    root === null
      ? { userId: essay.authorId, kind: 'comment' as const, text: '评论了你的文章' }
      : { userId: comment.replyToUserId ?? root.userId, kind: 'reply' as const, text: '回复了你的评论' };
  const named = comment.mentions.map((userId) => ({
    userId,
    kind: 'mention' as const,
    text: '在评论中提到了你',
  }));
  return [first, ...named.filter(({ userId }) => userId !== first.userId)].filter(
    ({ userId }) => userId !== comment.userId,
  );
}

/** Tells those who have not been told before. */
export async function tell(
  ctx: Ctx,
  comment: CommentRow,
  thread: Thread,
  told: ReadonlySet<string> = new Set(),
): Promise<void> {
  const excerpt = [...toPlainText(comment.html)].slice(0, EXCERPT).join('');
  const notices = audience(comment, thread)
    .filter(({ userId }) => !told.has(userId))
    .map((each) => ({
      ...each,
      actorId: comment.userId,
      target: targetOf(thread.essay, comment.id),
      excerpt,
    }));
  if (notices.length > 0) await notify(ctx, ...notices);
}

export const listTold = (comment: CommentRow, thread: Thread): Set<string> =>
  new Set(audience(comment, thread).map(({ userId }) => userId));

const deedOf = (comment: CommentRow) => ({
  userId: comment.userId,
  type: comment.rootId === null ? trendType.comment : trendType.reply,
  targetId: comment.essayId,
});

/** It is for everyone from now on: counted, and told. */
export async function appear(ctx: Ctx, comment: CommentRow, thread: Thread): Promise<void> {
  await addToEssays(ctx, [{ essayId: comment.essayId, cmts: 1 }]);
  const deed = deedOf(comment);
  // Once a day, however much somebody says about one essay.
  if (!(await hasTrendSince(ctx, deed, new Date(ctx.now.getTime() - DAY)))) {
    await recordTrend(ctx, { ...deed, targetKind: 'essay' });
    touch(ctx, `trend:${comment.userId}`);
  }
  await tell(ctx, comment, thread);
}

async function disappear(ctx: Ctx, comment: CommentRow, thread: Thread): Promise<void> {
  await addToEssays(ctx, [{ essayId: comment.essayId, cmts: -1 }]);
  if (!(await queries.hasOther(ctx.db, comment))) {
    await forgetTrends(ctx, [deedOf(comment)]);
    touch(ctx, `trend:${comment.userId}`);
  }
  await forgetNotices(
    ctx,
    audience(comment, thread).map(({ userId, kind }) => ({
      userId,
      kind,
      actorId: comment.userId,
      targetId: comment.id,
    })),
  );
}

/** Nothing of it is left but its place. */
const BLANK: Partial<CommentRow> = {
  status: DELETED,
  content: '',
  masked: null,
  html: '',
  words: [],
  mentions: [],
  region: '',
  pinned: false,
  likeCount: 0,
  editedAt: null,
};

async function settleComment(ctx: Ctx, comment: CommentRow, to: CommentRow['status']): Promise<boolean> {
  if (to !== DELETED) {
    await queries.updateComment(ctx.db, comment.id, {
      status: to,
      pinned: comment.pinned && to === SHOWN,
    });
  } else if (comment.replyCount > 0) {
    await removeLikesOf(ctx.db, comment.id);
    await queries.updateComment(ctx.db, comment.id, BLANK);
  } else {
    await queries.removeComment(ctx.db, comment.id);
  }
  return isListed({ status: to, replyCount: comment.replyCount });
}

async function settleReply(
  ctx: Ctx,
  reply: CommentRow,
  root: CommentRow,
  to: CommentRow['status'],
): Promise<boolean> {
  if (to === DELETED) await queries.removeComment(ctx.db, reply.id);
  else await queries.updateComment(ctx.db, reply.id, { status: to });
  const by = Number(to === SHOWN) - Number(reply.status === SHOWN);
  const after = { status: root.status, replyCount: root.replyCount + by };
  // What was only left for its replies goes with the last one.
  if (after.status === DELETED && after.replyCount === 0) await queries.removeComment(ctx.db, root.id);
  else await queries.addReplies(ctx.db, root.id, by);
  return isListed(after);
}

/** Moves what was said into another state, with all that is counted and told of it. Behind the lock of its essay. */
export async function changeStanding(
  ctx: Ctx,
  comment: CommentRow,
  thread: Thread,
  to: CommentRow['status'],
): Promise<void> {
  const { root } = thread;
  const wasListed = isListed(root ?? comment);
  const isStillListed =
    root === null ? await settleComment(ctx, comment, to) : await settleReply(ctx, comment, root, to);
  await queries.addToList(ctx.db, comment.essayId, Number(isStillListed) - Number(wasListed));
  if (to === SHOWN && comment.status !== SHOWN) await appear(ctx, comment, thread);
  if (to !== SHOWN && comment.status === SHOWN) await disappear(ctx, comment, thread);
}
