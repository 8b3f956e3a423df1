import type { Page } from '@mozhan/contract/common.ts';
import { ESSAY_STATUS, TREND_TYPE } from '@mozhan/contract/enums.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import { addPageTags, type Ctx, inTransaction, invalidate, type Viewer } from '../../../../ctx.ts';
import { newId } from '../../../../db/id.ts';
import { createStatement } from '../../../../db/lookup.ts';
import { type PageQuery, readPage } from '../../../../db/page.ts';
import { type Prepared, prepareThenRun } from '../../../../prepared.ts';
import { hasTrendSince, recordTrend, removeTrends } from '../../../accounts/activity/index.ts';
import { notify, removeNotices, updateExcerpts } from '../../../accounts/users/index.ts';
import { addToEssayCounters, essayPathOf, getReadableEssay } from '../../../content/essays/index.ts';
import type { EssayRow } from '../../../content/essays/tables.ts';
import { screenText } from '../../../platform/sensitive-words/index.ts';
import * as queries from '../queries/rewards.ts';
import type { RewardRow } from '../tables.ts';

const DAY_MS = 86_400_000;

/** Rewards have no review queue, so text that would be held for review is rejected. */
async function screenOrReject(ctx: Ctx, field: 'message' | 'reply', text: string): Promise<string> {
  const { level, words, masked } = await screenText(ctx, text);
  if (level !== 'refuse' && level !== 'hold') return masked;
  const message = `含有不能发布的词语：${words.join('、')}`;
  throw new CallError('WORDS_REFUSED', { message, fields: { [field]: message } });
}

/** Returns the message with masked words. It may take long, so call it outside of transactions. */
export const screenRewardMessage = (ctx: Ctx, message: string): Promise<string> =>
  screenOrReject(ctx, 'message', message);

/** Runs in the transaction of the payment and is idempotent; the order sends the notice. */
export function recordReward(
  ctx: Ctx,
  given: Pick<RewardRow, 'orderId' | 'userId' | 'essayId' | 'amount' | 'message'>,
): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    if (!(await queries.insertReward(ctx.db, { ...given, id: newId(), createdAt: ctx.now }))) return;
    await addToEssayCounters(ctx, [{ essayId: given.essayId, rewards: 1 }]);
    invalidate(ctx, `essay:${given.essayId}`);
  });
}

const toReplyTrend = (authorId: string, essayId: string) =>
  ({ userId: authorId, type: TREND_TYPE.rewardReply, targetId: essayId }) as const;

const toReplyNoticeKey = (reward: RewardRow, authorId: string) =>
  ({ userId: reward.userId, kind: 'reward', actorId: authorId, targetId: reward.id }) as const;

/** Runs in the transaction of the refund. */
export function removeReward(ctx: Ctx, orderId: string): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const reward = await queries.removeReward(ctx.db, orderId);
    if (reward === null) return;
    invalidate(ctx, `essay:${reward.essayId}`);
    const [essay] = await addToEssayCounters(ctx, [{ essayId: reward.essayId, rewards: -1 }]);
    if (essay === undefined || reward.repliedAt === null) return;
    if (!(await queries.hasOtherReply(ctx.db, reward))) {
      await removeTrends(ctx, [toReplyTrend(essay.authorId, essay.id)]);
      invalidate(ctx, `trend:${essay.authorId}`);
    }
    await removeNotices(ctx, [toReplyNoticeKey(reward, essay.authorId)]);
  });
}

const findRewards = createStatement(queries.createRewardsQuery);
const LARGEST_ID = 'f'.repeat(32);

export async function listRewards(
  ctx: Ctx,
  essayId: string,
  query: PageQuery,
): Promise<Page<queries.RewardWithUser>> {
  addPageTags(ctx, `essay:${essayId}`);
  const { essay } = await getReadableEssay(ctx, essayId);
  const page = await readPage(query, {
    rows: ({ after, ...position }) =>
      findRewards(ctx, { ...position, essayId, before: after?.[0] ?? LARGEST_ID }),
    total: async () => essay.rewardCount,
    key: ({ reward }) => [reward.id],
  });
  for (const { user } of page.list) addPageTags(ctx, `user:${user.id}`);
  return page;
}

/** Sends no notice for an essay off the shelf, because its title is that of a draft. */
async function notifyReply(ctx: Ctx, essay: EssayRow, reward: RewardRow, reply: string): Promise<void> {
  const trend = toReplyTrend(essay.authorId, essay.id);
  // One trend per day and essay, regardless of the number of replies.
  if (!(await hasTrendSince(ctx, trend, new Date(ctx.now.getTime() - DAY_MS)))) {
    await recordTrend(ctx, { ...trend, targetKind: 'essay' });
    invalidate(ctx, `trend:${essay.authorId}`);
  }
  if (essay.status !== ESSAY_STATUS.onShelf) return;
  await notify(ctx, {
    userId: reward.userId,
    kind: 'reward',
    actorId: essay.authorId,
    text: '回复了你的打赏',
    target: { id: reward.id, title: essay.title, url: `${essayPathOf(essay)}#rewards` },
    excerpt: reply,
  });
}

async function requireAuthor(ctx: Ctx, viewer: Viewer, { essayId }: RewardRow): Promise<EssayRow> {
  const { essay } = await getReadableEssay(ctx, essayId);
  if (essay.authorId !== viewer.id)
    throw new CallError('FORBIDDEN', { message: '只有文章的作者可以回复打赏' });
  return essay;
}

/** A second reply replaces the first one. */
export async function prepareReply(
  ctx: Ctx,
  viewer: Viewer,
  input: { id: string; reply: string },
): Promise<Prepared<queries.RewardWithUser>> {
  const { reward } = await queries.getReward(ctx.db, input.id);
  await requireAuthor(ctx, viewer, reward);
  const reply = await screenOrReject(ctx, 'reply', input.reply);
  return (ctx) =>
    inTransaction(ctx, async (ctx) => {
      const { reward } = await queries.lockReward(ctx.db, input.id);
      const essay = await requireAuthor(ctx, viewer, reward);
      if (reward.reply !== reply) {
        await queries.updateReply(ctx.db, reward.id, reply, ctx.now);
        invalidate(ctx, `essay:${essay.id}`);
        if (reward.repliedAt === null) await notifyReply(ctx, essay, reward, reply);
        else await updateExcerpts(ctx, [toReplyNoticeKey(reward, essay.authorId)], reply);
      }
      return queries.getReward(ctx.db, reward.id);
    });
}

export const replyReward = prepareThenRun(prepareReply);

/** Removes rewards given by these users or for their essays, and updates the counters. */
export async function removeRewardsOfUsers(ctx: Ctx, userIds: string[]): Promise<void> {
  const removed = await queries.removeRewardsOfUsers(ctx.db, userIds);
  const perEssay = Map.groupBy(removed, ({ essayId }) => essayId);
  invalidate(ctx, ...[...perEssay.keys()].map((essayId) => `essay:${essayId}`));
  await addToEssayCounters(
    ctx,
    [...perEssay].map(([essayId, { length }]) => ({ essayId, rewards: -length })),
  );
}
