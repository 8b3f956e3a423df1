import { TREND_TYPE } from '@mozhan/contract/enums.ts';
import { type Ctx, invalidate } from '../../../../ctx.ts';
import { recordTrend, removeTrends } from '../../../accounts/activity/index.ts';
import { getUser, notify, removeNotices } from '../../../accounts/users/index.ts';
import type { CollectedEssay } from '../queries/collections.ts';
import { essayPathOf } from '../rules/essays.ts';
import type { EssayRow } from '../tables.ts';

/** Records a trend and notifies the author, unless the user hides their collection. */
export async function publishCollected(ctx: Ctx, userId: string, essay: EssayRow): Promise<void> {
  const { id, title, authorId } = essay;
  await recordTrend(ctx, { userId, type: TREND_TYPE.collect, targetKind: 'essay', targetId: id });
  invalidate(ctx, `trend:${userId}`);
  const { privacy } = await getUser(ctx.db, userId);
  if (privacy.collect === false) return;
  await notify(ctx, {
    userId: authorId,
    kind: 'collect',
    actorId: userId,
    text: '收藏了你的文章',
    target: { id, title, url: essayPathOf(essay) },
  });
}

/** Removes the trends and notices of essays that left a public folder. */
export async function retractCollected(ctx: Ctx, userId: string, collected: CollectedEssay[]): Promise<void> {
  invalidate(ctx, `trend:${userId}`);
  await removeTrends(
    ctx,
    collected.map(({ essayId }) => ({ userId, type: TREND_TYPE.collect, targetId: essayId })),
  );
  await removeNotices(
    ctx,
    collected.map(({ essayId, authorId }) => ({
      userId: authorId,
      kind: 'collect',
      actorId: userId,
      targetId: essayId,
    })),
  );
}
