import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import type { EssayRow } from '../tables.ts';
import { essayNotFound } from './essays.ts';

export interface LikeRequest {
  userId: string;
  essayId: string;
  liked: boolean;
}

/** Only essays on the shelf can be liked; a like can be removed from any essay that was published once. */
export function findLikeError(essay: EssayRow | undefined, { liked }: LikeRequest): CallError | null {
  if (essay === undefined) return essayNotFound();
  if (essay.deletedAt !== null) return new CallError('GONE', { message: '这篇文章已被删除' });
  const isAllowed = liked ? essay.status === ESSAY_STATUS.onShelf : essay.publishedAt !== null;
  return isAllowed ? null : essayNotFound();
}

/** Keeps the last request per user and essay. */
export const lastRequests = (requests: readonly LikeRequest[]): LikeRequest[] => [
  ...new Map(requests.map((request) => [`${request.userId}:${request.essayId}`, request])).values(),
];

export function toLikeChanges(
  added: readonly { essayId: string }[],
  removed: readonly { essayId: string }[],
) {
  const sums = new Map<string, number>();
  for (const [rows, by] of [
    [added, 1],
    [removed, -1],
  ] as const)
    for (const { essayId } of rows) sums.set(essayId, (sums.get(essayId) ?? 0) + by);
  return [...sums].flatMap(([essayId, likes]) => (likes === 0 ? [] : [{ essayId, likes }]));
}
