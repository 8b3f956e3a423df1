import { COMMENT_STATUS } from '@mozhan/contract/enums.ts';
import type { Sentences } from '../../../platform/text/index.ts';
import type { HighlightRow, StoredPassage } from '../tables.ts';

/** Fewer readers are not shown, because they could be recognized. */
export const MIN_READERS = 3;
export const MAX_PASSAGES = 60;
export const MAX_PER_ESSAY = 500;
export const MAX_PER_USER = 20_000;

type CountedHighlight = Pick<HighlightRow, 'userId' | 'startAt' | 'endAt' | 'state' | 'thoughtStatus'>;

/** The index of the first sentence that ends after the position. */
function firstEndingAfter(ends: Uint32Array, position: number): number {
  let [low, high] = [0, ends.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ends[middle] ?? 0) > position) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The first characters of a sentence. */
const OPENING_LENGTH = 8;

/** Counts for each sentence how many readers highlighted it. Highlights must be added in the order of their readers. */
export function createPassageCounter({ text, ends, publicEnd }: Sentences) {
  const readers = new Uint32Array(ends.length);
  const thoughts = new Uint32Array(ends.length);
  const lastReader = new Int32Array(ends.length).fill(-1);
  let reader = -1;
  let readerId = '';
  const countReader = (index: number): void => {
    if (lastReader[index] === reader) return;
    lastReader[index] = reader;
    readers[index] = (readers[index] ?? 0) + 1;
  };
  const toPassage = (index: number): StoredPassage => {
    const [start, end] = [ends[index - 1] ?? 0, ends[index] ?? 0];
    const count = readers[index] ?? 0;
    return {
      start,
      end,
      opening: text.slice(start, Math.min(end, start + OPENING_LENGTH)),
      readers: count >= MIN_READERS ? count : 0,
      thoughts: thoughts[index] ?? 0,
      locked: end > publicEnd,
    };
  };
  return {
    /** Counts sentences that the highlight covers at least by half, and the one that it covers most. */
    add({ userId, startAt, endAt, state, thoughtStatus }: CountedHighlight): void {
      if (state === 'orphaned') return;
      if (userId !== readerId) {
        readerId = userId;
        reader += 1;
      }
      let main = -1;
      let most = 0;
      for (let index = firstEndingAfter(ends, startAt); index < ends.length; index += 1) {
        const [start, end] = [ends[index - 1] ?? 0, ends[index] ?? 0];
        if (start >= endAt) break;
        const overlap = Math.min(end, endAt) - Math.max(start, startAt);
        if (2 * overlap >= end - start) countReader(index);
        if (overlap > most) [main, most] = [index, overlap];
      }
      if (main < 0) return;
      countReader(main);
      if (thoughtStatus === COMMENT_STATUS.visible) thoughts[main] = (thoughts[main] ?? 0) + 1;
    },
    /** The sentences that most readers highlighted, in the order of the text. */
    passages(): StoredPassage[] {
      const passages: StoredPassage[] = [];
      for (let index = 0; index < ends.length; index += 1)
        if ((readers[index] ?? 0) >= MIN_READERS || (thoughts[index] ?? 0) > 0)
          passages.push(toPassage(index));
      return passages
        .sort((a, b) => b.readers - a.readers || b.thoughts - a.thoughts)
        .slice(0, MAX_PASSAGES)
        .sort((a, b) => a.start - b.start);
    },
  };
}

/**
 * The words of a highlight for others than its reader; null if they are gone from the text, or if the viewer may not
 * read them. While the text is new, it is unknown whether they are in its public part.
 */
export function sharedWords(
  { exact, state, locked }: Pick<HighlightRow, 'exact' | 'state' | 'locked'>,
  viewer: { mayReadAll: boolean; isStale: boolean },
): { text: string | null; locked: boolean } {
  const isLocked = !viewer.mayReadAll && (locked || viewer.isStale);
  return { text: isLocked || state === 'orphaned' ? null : exact, locked: isLocked };
}
