import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import { type Ctx, inTransaction, type Viewer } from '../../../../ctx.ts';
import { getUser, notify, removeNotices } from '../../../accounts/users/index.ts';
import { getReadableEssay } from '../../essays/index.ts';
import type { EssayRow } from '../../essays/tables.ts';
import { getComment, lockComment, requireVisible } from '../queries/comments.ts';
import * as queries from '../queries/likes.ts';
import { toNoticeTarget } from './change-status.ts';

interface LikeState {
  liked: boolean;
  likeCount: number;
}

/** Users who hide their likes are not named. Off the shelf, the title may be that of an unpublished draft. */
async function shouldNotify(ctx: Ctx, viewer: Viewer, essay: EssayRow): Promise<boolean> {
  const { privacy } = await getUser(ctx.db, viewer.id);
  return privacy.like !== false && essay.status === ESSAY_STATUS.onShelf;
}

export async function setCommentLiked(
  ctx: Ctx,
  viewer: Viewer,
  id: string,
  liked: boolean,
): Promise<LikeState> {
  const { essay } = await getReadableEssay(ctx, (await getComment(ctx.db, id)).essayId);
  return inTransaction(ctx, async (ctx) => {
    const { likeCount, userId } = requireVisible(await lockComment(ctx.db, id));
    const isChanged = liked
      ? await queries.insertLike(ctx.db, { commentId: id, userId: viewer.id, createdAt: ctx.now })
      : await queries.removeLike(ctx.db, id, viewer.id);
    if (!isChanged) return { liked, likeCount };
    const by = liked ? 1 : -1;
    await queries.addLikes(ctx.db, id, by);
    // A guest has no inbox.
    if (userId === null) return { liked, likeCount: likeCount + by };
    const notice = { userId, kind: 'like', actorId: viewer.id } as const;
    if (!liked) await removeNotices(ctx, [{ ...notice, targetId: id }]);
    else if (await shouldNotify(ctx, viewer, essay))
      await notify(ctx, { ...notice, text: '赞了你在《》下的评论', target: toNoticeTarget(essay, id) });
    return { liked, likeCount: likeCount + by };
  });
}
