import { TREND_TYPE } from '@mozhan/contract/enums.ts';
import { type Ctx, touch } from '../../../../ctx.ts';
import { forgetTrends, recordTrend } from '../../../accounts/activity/index.ts';
import { forgetNotices, getUser, notify } from '../../../accounts/users/index.ts';
import type { Held } from '../queries/collections.ts';
import type { EssayRow } from '../tables.ts';

/** What goes into a public folder is a trend, and the author hears of it unless the collector shows nobody. */
export async function tell(ctx: Ctx, userId: string, { id, title, authorId }: EssayRow): Promise<void> {
  await recordTrend(ctx, { userId, type: TREND_TYPE.collect, targetKind: 'essay', targetId: id });
  touch(ctx, `trend:${userId}`);
  const { privacy } = await getUser(ctx.db, userId);
  if (privacy.collect === false) return;
  await notify(ctx, {
    userId: authorId,
    kind: 'collect',
    actorId: userId,
    text: '收藏了你的文章',
    target: { id, title, url: `/essay/detail/${id}.html` },
  });
}

/** What was taken out, or is in a private folder by now, is told no more. */
export async function hide(ctx: Ctx, userId: string, held: Held[]): Promise<void> {
  touch(ctx, `trend:${userId}`);
  await forgetTrends(
    ctx,
    held.map(({ essayId }) => ({ userId, type: TREND_TYPE.collect, targetId: essayId })),
  );
  await forgetNotices(
    ctx,
    held.map(({ essayId, authorId }) => ({
      userId: authorId,
      kind: 'collect',
      actorId: userId,
      targetId: essayId,
    })),
  );
}
