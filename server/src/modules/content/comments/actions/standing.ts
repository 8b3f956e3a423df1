import { COMMENT_STATUS, ESSAY_STATUS, TREND_TYPE } from '@mozhan/contract/enums.ts';
import { type Ctx, touch } from '../../../../ctx.ts';
import { forgetTrends, hasTrendSince, recordTrend } from '../../../accounts/activity/index.ts';
import {
  forgetNotices,
  getUser,
  holdBoxes,
  type NewNotice,
  notify,
  updateExcerpts,
} from '../../../accounts/users/index.ts';
import { addressOf, emit } from '../../../accounts/webhooks/index.ts';
import { toPlainText } from '../../../platform/text/index.ts';
import { addToEssays } from '../../essays/index.ts';
import type { EssayRow } from '../../essays/tables.ts';
import * as queries from '../queries/comments.ts';
import { removeLikesOf } from '../queries/likes.ts';
import { isListed } from '../rules.ts';
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
      : {
          userId: comment.replyToUserId ?? root.userId,
          kind: 'reply' as const,
          text: '回复了你在《》下的评论',
        };
  const named = comment.mentions.map((userId) => ({
    userId,
    kind: 'mention' as const,
    text: '在《》的评论中提到了你',
  }));
  return [first, ...named.filter(({ userId }) => userId !== first.userId)].filter(
    ({ userId }) => userId !== comment.userId,
  );
}

/** Before its state changes and its writer is told, in one order with all others. */
export const holdTold = (ctx: Ctx, comment: CommentRow, thread: Thread): Promise<void> =>
  holdBoxes(ctx, [comment.userId, ...audience(comment, thread).map(({ userId }) => userId)]);

const excerptOf = (comment: CommentRow) => [...toPlainText(comment.html)].slice(0, EXCERPT).join('');

/** Of an essay that its author took back nobody is told: its title is a draft's. */
async function tell(
  ctx: Ctx,
  comment: CommentRow,
  { essay }: Thread,
  whom: ReturnType<typeof audience>,
): Promise<void> {
  if (essay.status !== ESSAY_STATUS.onShelf) return;
  const target = targetOf(essay, comment.id);
  const excerpt = excerptOf(comment);
  await notify(ctx, ...whom.map((each) => ({ ...each, actorId: comment.userId, target, excerpt })));
}

/** What was told to these people, by what takes it back. */
const toldOf = (comment: CommentRow, whom: ReturnType<typeof audience>) =>
  whom.map(({ userId, kind }) => ({ userId, kind, actorId: comment.userId, targetId: comment.id }));

/** It says something else: whoever is no longer named is told no more, others how it begins now. */
export async function retell(ctx: Ctx, before: CommentRow, after: CommentRow, thread: Thread): Promise<void> {
  const [were, are] = [audience(before, thread), audience(after, thread)];
  const among = (people: typeof were, userId: string) => people.some((each) => each.userId === userId);
  await holdBoxes(
    ctx,
    [...were, ...are].map(({ userId }) => userId),
  );
  const left = were.filter(({ userId }) => !among(are, userId));
  const kept = were.filter(({ userId }) => among(are, userId));
  const added = are.filter(({ userId }) => !among(were, userId));
  await forgetNotices(ctx, toldOf(after, left));
  await updateExcerpts(ctx, toldOf(after, kept), excerptOf(after));
  await tell(ctx, after, thread, added);
}

const deedOf = (comment: CommentRow) => ({
  userId: comment.userId,
  type: comment.rootId === null ? TREND_TYPE.comment : TREND_TYPE.reply,
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
  await tell(ctx, comment, thread, audience(comment, thread));
  await tellWorld(ctx, comment, thread);
}

async function tellWorld(ctx: Ctx, comment: CommentRow, { essay }: Thread): Promise<void> {
  if (essay.status !== ESSAY_STATUS.onShelf) return;
  await emit(ctx, 'comment.created', async () => {
    const { displayName } = await getUser(ctx.db, comment.userId);
    const { url } = targetOf(essay, comment.id);
    return [
      {
        id: comment.id,
        cmtId: comment.rootId,
        url: addressOf(ctx, url),
        essay: { id: essay.id, title: essay.title },
        author: displayName,
        excerpt: excerptOf(comment),
        createdAt: comment.createdAt.toISOString(),
      },
    ];
  });
}

async function disappear(ctx: Ctx, comment: CommentRow, thread: Thread): Promise<void> {
  await addToEssays(ctx, [{ essayId: comment.essayId, cmts: -1 }]);
  if (!(await queries.hasOther(ctx.db, comment))) {
    await forgetTrends(ctx, [deedOf(comment)]);
    touch(ctx, `trend:${comment.userId}`);
  }
  await forgetNotices(ctx, toldOf(comment, audience(comment, thread)));
}

/** Nothing of it is left but its place. */
const BLANK: Partial<CommentRow> = {
  status: COMMENT_STATUS.deleted,
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
  if (to !== COMMENT_STATUS.deleted) {
    await queries.updateComment(ctx.db, comment.id, {
      status: to,
      pinned: comment.pinned && to === COMMENT_STATUS.shown,
    });
  } else if (await queries.hasReplies(ctx.db, comment.id)) {
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
  if (to === COMMENT_STATUS.deleted) await queries.removeComment(ctx.db, reply.id);
  else await queries.updateComment(ctx.db, reply.id, { status: to });
  const by = Number(to === COMMENT_STATUS.shown) - Number(reply.status === COMMENT_STATUS.shown);
  const after = { status: root.status, replyCount: root.replyCount + by };
  // What was only left for its replies goes with the last one, be it one that only staff see.
  const isNeeded = after.status !== COMMENT_STATUS.deleted || (await queries.hasReplies(ctx.db, root.id));
  if (isNeeded) await queries.addReplies(ctx.db, root.id, by);
  else await queries.removeComment(ctx.db, root.id);
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
  if (to === COMMENT_STATUS.shown && comment.status !== COMMENT_STATUS.shown)
    await appear(ctx, comment, thread);
  if (to !== COMMENT_STATUS.shown && comment.status === COMMENT_STATUS.shown)
    await disappear(ctx, comment, thread);
}
