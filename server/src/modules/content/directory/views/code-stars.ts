import type { Star, StarPick } from '@mozhan/contract/code-stars.ts';
import { toUserCard } from '../../../accounts/users/index.ts';
import type { PickRow, RankRow } from '../queries/code-stars.ts';

/** Uses the index instead of the stored rank, so that omitted authors leave no gap. */
export function toStar({ star, user }: RankRow, index: number, now: Date): Star {
  return {
    rank: index + 1,
    user: toUserCard(user, now),
    score: star.score,
    reads: star.reads,
    likes: star.likes,
    collects: star.collects,
    rewards: star.rewards,
  };
}

export function toStarPick({ pick, user }: PickRow, now: Date): StarPick {
  return {
    user: toUserCard(user, now),
    note: pick.note,
    sort: pick.sort,
    pickedAt: pick.pickedAt.toISOString(),
  };
}
