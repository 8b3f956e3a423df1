import { toUserCard } from '../users/index.ts';
import type { LikerRow } from './queries.ts';

export const toLiker = ({ user, createdAt }: LikerRow, now: Date) => ({
  ...toUserCard(user, now),
  likedAt: createdAt.toISOString(),
});
