import type { Page } from '@mozhan/contract/common.ts';
import { TREND_TYPE } from '@mozhan/contract/enums.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import type { LikeState } from '@mozhan/contract/likes.ts';
import { type Ctx, inTx, type Services, shows, touch } from '../../../../ctx.ts';
import { createShared } from '../../../../db/batch.ts';
import type { PageQuery } from '../../../../db/page.ts';
import { systemCtx } from '../../../../jobs.ts';
import { forgetTrends, recordTrends } from '../../../accounts/activity/index.ts';
import { forgetNotices, getUser, holdBoxes, notify } from '../../../accounts/users/index.ts';
import { addToEssays } from '../queries/counters.ts';
import * as queries from '../queries/likes.ts';
import { listCardsByIds } from '../queries/lists.ts';
import { lastWords, refusalOf, sumsOf, type Wish } from '../rules/likes.ts';
import type { EssayRow } from '../tables.ts';
import { getReadable, toCards } from './read.ts';

type Outcomes = Map<Wish, LikeState | CallError>;

const writers = new WeakMap<Services, (wish: Wish) => Promise<Outcomes>>();

/** Wishes in one transaction. */
const AT_ONCE = 1000;

/** What is wanted while others' likes are being written is written with all that comes meanwhile. */
function createWriter(services: Services): (wish: Wish) => Promise<Outcomes> {
  let waiting: Wish[] = [];
  const writeNext = createShared(async () => {
    const wishes = waiting;
    waiting = [];
    const outcomes: Outcomes = new Map();
    for (let from = 0; from < wishes.length; from += AT_ONCE) {
      const some = wishes.slice(from, from + AT_ONCE);
      const written = await inTx(systemCtx(services), (ctx) => write(ctx, some));
      for (const [wish, outcome] of written) outcomes.set(wish, outcome);
    }
    return outcomes;
  });
  return (wish) => {
    waiting.push(wish);
    return writeNext(null);
  };
}

function gather({ services }: Ctx, wish: Wish): Promise<Outcomes> {
  let writer = writers.get(services);
  if (writer === undefined) {
    writer = createWriter(services);
    writers.set(services, writer);
  }
  return writer(wish);
}

/** Answers when it is written; inside a transaction it is that one's. */
export async function setLiked(ctx: Ctx, wish: Wish): Promise<LikeState> {
  const outcomes = await (ctx.effects === null ? gather(ctx, wish) : write(ctx, [wish]));
  const outcome = outcomes.get(wish);
  if (outcome === undefined) throw new Error('a like got lost');
  if (outcome instanceof CallError) throw outcome;
  return outcome;
}

/** In one transaction, as of one moment. */
export async function write(ctx: Ctx, wishes: Wish[]): Promise<Outcomes> {
  const locked = await queries.lockEssays(ctx.db, [...new Set(wishes.map((wish) => wish.essayId))]);
  const essays = new Map(locked.map((essay) => [essay.id, essay]));
  const refusals = new Map(wishes.map((wish) => [wish, refusalOf(essays.get(wish.essayId), wish)]));
  const wanted = lastWords(wishes.filter((wish) => refusals.get(wish) === null));
  const added = await queries.insertLikes(
    ctx.db,
    wanted.filter((wish) => wish.liked),
    ctx.now,
  );
  const removed = await queries.removeLikes(
    ctx.db,
    wanted.filter((wish) => !wish.liked),
  );
  const changed = await addToEssays(ctx, sumsOf(added, removed));
  if (added.length > 0 && removed.length > 0)
    await holdBoxes(
      ctx,
      [...added, ...removed].flatMap(({ essayId }) => essays.get(essayId)?.authorId ?? []),
    );
  await tell(ctx, essays, added);
  await untell(ctx, essays, removed);
  const counts = new Map([...locked, ...changed].map(({ id, likeCount }) => [id, likeCount]));
  return new Map(
    wishes.map((wish) => {
      const { essayId, liked } = wish;
      return [wish, refusals.get(wish) ?? { liked, likeCount: counts.get(essayId) ?? 0 }];
    }),
  );
}

const toTrend = ({ userId, essayId }: queries.Pair) =>
  ({ userId, type: TREND_TYPE.like, targetId: essayId, targetKind: 'essay' }) as const;

async function tell(
  ctx: Ctx,
  essays: Map<string, EssayRow>,
  added: (queries.Pair & { isOpen: boolean })[],
): Promise<void> {
  touch(ctx, ...added.map(({ userId }) => `trend:${userId}`));
  await recordTrends(ctx, added.map(toTrend));
  await notify(
    ctx,
    ...added.flatMap(({ userId: actorId, essayId, isOpen }) => {
      const essay = essays.get(essayId);
      // Who hides what they like is named to nobody.
      if (essay === undefined || !isOpen) return [];
      const { id, title, authorId } = essay;
      const target = { id, title, url: `/essay/detail/${id}.html` };
      return [{ userId: authorId, kind: 'like' as const, actorId, text: '赞了你的文章', target }];
    }),
  );
}

async function untell(ctx: Ctx, essays: Map<string, EssayRow>, removed: queries.Pair[]): Promise<void> {
  touch(ctx, ...removed.map(({ userId }) => `trend:${userId}`));
  await forgetTrends(ctx, removed.map(toTrend));
  await forgetNotices(
    ctx,
    removed.map(({ userId: actorId, essayId }) => ({
      userId: essays.get(essayId)?.authorId ?? '',
      kind: 'like',
      actorId,
      targetId: essayId,
    })),
  );
}

export async function listVisibleLikers(
  ctx: Ctx,
  essayId: string,
  query: PageQuery,
): Promise<Page<queries.LikerRow>> {
  shows(ctx, `essay:${essayId}`);
  await getReadable(ctx, essayId);
  return queries.listLikers(ctx.db, { ...query, essayId, viewerId: ctx.viewer?.id ?? null });
}

/** One's own always; another's while they let others see it. */
export async function listVisibleLiked(ctx: Ctx, userId: string, query: PageQuery) {
  shows(ctx, `user:${userId}`, `trend:${userId}`);
  const { privacy } = await getUser(ctx.db, userId);
  if (ctx.viewer?.id !== userId && privacy.like === false)
    return { list: [], total: 0, page: query.page, pageSize: query.pageSize, next: null };
  const page = await queries.listLiked(ctx.db, { ...query, userId });
  const rows = await listCardsByIds(
    ctx.db,
    page.list.map((row) => row.essayId),
  );
  const likedAt = new Map(page.list.map((row) => [row.essayId, row.createdAt.toISOString()]));
  const list = toCards(ctx, rows).map((card) => ({ ...card, likedAt: likedAt.get(card.id) ?? '' }));
  return { ...page, list };
}

/** Takes these people's likes out of what is counted, and others' of what they wrote, before they go. */
export async function releaseLikes(ctx: Ctx, userIds: string[]): Promise<void> {
  const removed = await queries.removeLikesAround(ctx.db, userIds);
  await forgetTrends(ctx, removed.map(toTrend));
  await addToEssays(ctx, sumsOf([], removed));
}
