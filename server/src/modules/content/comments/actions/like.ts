import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import { type Ctx, inTx, type Viewer } from '../../../../ctx.ts';
import { forgetNotices, getUser, notify } from '../../../accounts/users/index.ts';
import { getReadable } from '../../essays/index.ts';
import type { EssayRow } from '../../essays/tables.ts';
import { getComment, lockComment, shown } from '../queries/comments.ts';
import * as queries from '../queries/likes.ts';
import { targetOf } from './standing.ts';

interface State {
  liked: boolean;
  likeCount: number;
}

/** Who hides what they like is named to nobody, and what its author took back has the title of a draft. */
async function isTold(ctx: Ctx, viewer: Viewer, essay: EssayRow): Promise<boolean> {
  const { privacy } = await getUser(ctx.db, viewer.id);
  return privacy.like !== false && essay.status === ESSAY_STATUS.onShelf;
}

/** Likes it or takes that back; whoever has done so already changes nothing. */
export async function setLiked(ctx: Ctx, viewer: Viewer, id: string, liked: boolean): Promise<State> {
  const { essay } = await getReadable(ctx, (await getComment(ctx.db, id)).essayId);
  return inTx(ctx, async (ctx) => {
    const { likeCount, userId } = shown(await lockComment(ctx.db, id));
    const isChanged = liked
      ? await queries.insertLike(ctx.db, { commentId: id, userId: viewer.id, createdAt: ctx.now })
      : await queries.removeLike(ctx.db, id, viewer.id);
    if (!isChanged) return { liked, likeCount };
    const by = liked ? 1 : -1;
    await queries.addLikes(ctx.db, id, by);
    const deed = { userId, kind: 'like', actorId: viewer.id } as const;
    if (!liked) await forgetNotices(ctx, [{ ...deed, targetId: id }]);
    else if (await isTold(ctx, viewer, essay))
      await notify(ctx, { ...deed, text: '赞了你在《》下的评论', target: targetOf(essay, id) });
    return { liked, likeCount: likeCount + by };
  });
}
