import type { Page } from '@mozhan/contract/common.ts';
import { ESSAY_STATUS, TREND_TYPE } from '@mozhan/contract/enums.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import { type Ctx, inTx, shows, touch, type Viewer } from '../../../../ctx.ts';
import { newId } from '../../../../db/id.ts';
import type { PageQuery } from '../../../../db/page.ts';
import { type Prepared, whole } from '../../../../prepared.ts';
import { forgetTrends, hasTrendSince, recordTrend } from '../../../accounts/activity/index.ts';
import { forgetNotices, notify, updateExcerpts } from '../../../accounts/users/index.ts';
import { addToEssays, getReadable } from '../../../content/essays/index.ts';
import type { EssayRow } from '../../../content/essays/tables.ts';
import { screenText } from '../../../platform/sensitive-words/index.ts';
import * as queries from '../queries/rewards.ts';
import type { RewardRow } from '../tables.ts';

const DAY_MS = 86_400_000;

/** Nobody looks through what is said here before it is seen: what would be held is refused. */
async function screened(ctx: Ctx, field: 'message' | 'reply', text: string): Promise<string> {
  const { level, words, masked } = await screenText(ctx, text);
  if (level !== 'refuse' && level !== 'hold') return masked;
  const message = `含有不能发布的词语：${words.join('、')}`;
  throw new CallError('WORDS_REFUSED', { message, fields: { [field]: message } });
}

/** What somebody says with what they give, as it may be shown. Takes a while: never inside a transaction. */
export const checkRewardMessage = (ctx: Ctx, message: string): Promise<string> =>
  screened(ctx, 'message', message);

/** In the transaction that pays the order. Counted once; whoever gave it is told of by the order. */
export function recordReward(
  ctx: Ctx,
  given: Pick<RewardRow, 'orderId' | 'userId' | 'essayId' | 'amount' | 'message'>,
): Promise<void> {
  return inTx(ctx, async (ctx) => {
    if (!(await queries.insertReward(ctx.db, { ...given, id: newId(), createdAt: ctx.now }))) return;
    await addToEssays(ctx, [{ essayId: given.essayId, rewards: 1 }]);
    touch(ctx, `essay:${given.essayId}`);
  });
}

const replyDeed = (authorId: string, essayId: string) =>
  ({ userId: authorId, type: TREND_TYPE.rewardReply, targetId: essayId }) as const;

/** The author's answer to a reward. */
const toldOf = (reward: RewardRow, authorId: string) =>
  ({ userId: reward.userId, kind: 'reward', actorId: authorId, targetId: reward.id }) as const;

/** In the transaction that pays it back. */
export function removeReward(ctx: Ctx, orderId: string): Promise<void> {
  return inTx(ctx, async (ctx) => {
    const reward = await queries.removeReward(ctx.db, orderId);
    if (reward === null) return;
    touch(ctx, `essay:${reward.essayId}`);
    const [essay] = await addToEssays(ctx, [{ essayId: reward.essayId, rewards: -1 }]);
    if (essay === undefined || reward.repliedAt === null) return;
    if (!(await queries.hasOtherReply(ctx.db, reward))) {
      await forgetTrends(ctx, [replyDeed(essay.authorId, essay.id)]);
      touch(ctx, `trend:${essay.authorId}`);
    }
    await forgetNotices(ctx, [toldOf(reward, essay.authorId)]);
  });
}

export async function listRewards(
  ctx: Ctx,
  essayId: string,
  query: PageQuery,
): Promise<Page<queries.ShownReward>> {
  shows(ctx, `essay:${essayId}`);
  await getReadable(ctx, essayId);
  const page = await queries.listRewards(ctx.db, { ...query, essayId });
  for (const { user } of page.list) shows(ctx, `user:${user.id}`);
  return page;
}

/** Of an essay that its author took back nobody is told: its title is a draft's. */
async function tellReply(ctx: Ctx, essay: EssayRow, reward: RewardRow, reply: string): Promise<void> {
  const deed = replyDeed(essay.authorId, essay.id);
  // Once a day, however many are thanked.
  if (!(await hasTrendSince(ctx, deed, new Date(ctx.now.getTime() - DAY_MS)))) {
    await recordTrend(ctx, { ...deed, targetKind: 'essay' });
    touch(ctx, `trend:${essay.authorId}`);
  }
  if (essay.status !== ESSAY_STATUS.onShelf) return;
  await notify(ctx, {
    userId: reward.userId,
    kind: 'reward',
    actorId: essay.authorId,
    text: '回复了你的打赏',
    target: { id: reward.id, title: essay.title, url: `/essay/detail/${essay.id}.html#rewards` },
    excerpt: reply,
  });
}

async function requireAuthor(ctx: Ctx, viewer: Viewer, { essayId }: RewardRow): Promise<EssayRow> {
  const { essay } = await getReadable(ctx, essayId);
  if (essay.authorId !== viewer.id)
    throw new CallError('FORBIDDEN', { message: '只有文章的作者可以回复打赏' });
  return essay;
}

/** The author's thanks; writing once more changes them. */
export async function prepareReply(
  ctx: Ctx,
  viewer: Viewer,
  input: { id: string; reply: string },
): Promise<Prepared<queries.ShownReward>> {
  const { reward } = await queries.getReward(ctx.db, input.id);
  await requireAuthor(ctx, viewer, reward);
  const reply = await screened(ctx, 'reply', input.reply);
  return (ctx) =>
    inTx(ctx, async (ctx) => {
      const { reward } = await queries.lockReward(ctx.db, input.id);
      const essay = await requireAuthor(ctx, viewer, reward);
      if (reward.reply !== reply) {
        await queries.updateReply(ctx.db, reward.id, reply, ctx.now);
        touch(ctx, `essay:${essay.id}`);
        if (reward.repliedAt === null) await tellReply(ctx, essay, reward, reply);
        else await updateExcerpts(ctx, [toldOf(reward, essay.authorId)], reply);
      }
      return queries.getReward(ctx.db, reward.id);
    });
}

export const replyReward = whole(prepareReply);

/** Takes what these people gave out of what is counted, and what was given to them, before they go. */
export async function releaseRewards(ctx: Ctx, userIds: string[]): Promise<void> {
  const removed = await queries.removeRewardsAround(ctx.db, userIds);
  const perEssay = Map.groupBy(removed, ({ essayId }) => essayId);
  touch(ctx, ...[...perEssay.keys()].map((essayId) => `essay:${essayId}`));
  await addToEssays(
    ctx,
    [...perEssay].map(([essayId, { length }]) => ({ essayId, rewards: -length })),
  );
}
