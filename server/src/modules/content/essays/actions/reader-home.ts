import type { Ctx, Viewer } from '../../../../ctx.ts';
import * as queries from '../queries/reader-home.ts';
import { newSince, UNFINISHED_PROGRESS } from '../rules/reader-home.ts';
import { toCards } from './read.ts';

const MAX_UNFINISHED = 2;

export async function getReaderHome(ctx: Ctx, { id: userId }: Viewer) {
  const [rows, visitedAt] = await Promise.all([
    queries.listUnfinished(ctx.db, { userId, progress: UNFINISHED_PROGRESS, limit: MAX_UNFINISHED }),
    queries.findFollowingVisit(ctx.db, userId),
  ]);
  const newCount = await queries.countNewEssays(ctx.db, userId, newSince(visitedAt, ctx.now));
  const cards = toCards(ctx, rows);
  return {
    unfinished: rows.flatMap(({ history }, index) => {
      const card = cards[index];
      if (card === undefined) return [];
      const { id, slug, title, cover, readMinutes, author } = card;
      const { progress, readAt } = history;
      return [{ id, slug, title, cover, readMinutes, author, progress, readAt: readAt.toISOString() }];
    }),
    newCount,
  };
}

export const visitFollowing = (ctx: Ctx, { id }: Viewer): Promise<void> =>
  queries.upsertFollowingVisit(ctx.db, id, ctx.now);
