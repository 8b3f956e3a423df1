import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import type { EssayRow } from '../tables.ts';
import { noEssay } from './essays.ts';

/** What somebody wants of an essay. */
export interface Wish {
  userId: string;
  essayId: string;
  liked: boolean;
}

/** What is on the shelf can be liked; a like is taken back from all that was there once. */
export function refusalOf(essay: EssayRow | undefined, { liked }: Wish): CallError | null {
  if (essay === undefined) return noEssay();
  if (essay.deletedAt !== null) return new CallError('GONE', { message: '这篇文章已被删除' });
  const isOpen = liked ? essay.status === ESSAY_STATUS.onShelf : essay.publishedAt !== null;
  return isOpen ? null : noEssay();
}

/** Of all that each person wants of each essay, what came last. */
export const lastWords = (wishes: readonly Wish[]): Wish[] => [
  ...new Map(wishes.map((wish) => [`${wish.userId}:${wish.essayId}`, wish])).values(),
];

/** By how much each essay's likes change. */
export function sumsOf(added: readonly { essayId: string }[], removed: readonly { essayId: string }[]) {
  const sums = new Map<string, number>();
  for (const [rows, by] of [
    [added, 1],
    [removed, -1],
  ] as const)
    for (const { essayId } of rows) sums.set(essayId, (sums.get(essayId) ?? 0) + by);
  return [...sums].flatMap(([essayId, likes]) => (likes === 0 ? [] : [{ essayId, likes }]));
}
