import { toUserCard } from '../../../accounts/users/index.ts';
import type { LikerRow } from '../queries/likes.ts';

export const toLiker = ({ user, createdAt }: LikerRow, now: Date) => ({
  ...toUserCard(user, now),
  likedAt: createdAt.toISOString(),
});
