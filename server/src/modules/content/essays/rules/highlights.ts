import { COMMENT_STATUS } from '@mozhan/contract/enums.ts';
import type { Sentence } from '../../../platform/text/index.ts';
import type { HighlightRow, StoredPassage } from '../tables.ts';

/** Fewer readers are not shown, because they could be recognized. */
export const MIN_READERS = 3;
export const MAX_PASSAGES = 60;
export const MAX_PER_ESSAY = 500;
export const MAX_PER_USER = 20_000;

type CountedHighlight = Pick<HighlightRow, 'userId' | 'startAt' | 'endAt' | 'state' | 'thoughtStatus'>;

/** The index of the first sentence that ends after the position. */
function firstEndingAfter(sentences: readonly Sentence[], position: number): number {
  let [low, high] = [0, sentences.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sentences[middle]?.end ?? 0) > position) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Sentences that a highlight covers at least by half, or else the one that it covers most; the latter comes first. */
function coveredSentences(sentences: readonly Sentence[], { startAt, endAt }: CountedHighlight): number[] {
  const covered: number[] = [];
  let main = { index: -1, overlap: 0 };
  for (let index = firstEndingAfter(sentences, startAt); index < sentences.length; index += 1) {
    const { start, end } = sentences[index] ?? { start: endAt, end: endAt };
    if (start >= endAt) break;
    const overlap = Math.min(end, endAt) - Math.max(start, startAt);
    if (2 * overlap >= end - start) covered.push(index);
    if (overlap > main.overlap) main = { index, overlap };
  }
  if (main.index < 0) return [];
  return [main.index, ...covered.filter((index) => index !== main.index)];
}

/** Counts for each sentence how many readers highlighted it. Highlights must be added in the order of their readers. */
export function createPassageCounter(sentences: readonly Sentence[]) {
  const readers = new Uint32Array(sentences.length);
  const thoughts = new Uint32Array(sentences.length);
  const lastReader = new Int32Array(sentences.length).fill(-1);
  let reader = -1;
  let readerId = '';
  return {
    add(highlight: CountedHighlight): void {
      if (highlight.state === 'orphaned') return;
      if (highlight.userId !== readerId) {
        readerId = highlight.userId;
        reader += 1;
      }
      const [main, ...others] = coveredSentences(sentences, highlight);
      if (main === undefined) return;
      for (const index of [main, ...others]) {
        if (lastReader[index] === reader) continue;
        lastReader[index] = reader;
        readers[index] = (readers[index] ?? 0) + 1;
      }
      if (highlight.thoughtStatus === COMMENT_STATUS.visible) thoughts[main] = (thoughts[main] ?? 0) + 1;
    },
    /** The sentences that most readers highlighted, in the order of the text. */
    passages: (): StoredPassage[] =>
      sentences
        .map(({ start, end, opening, isLocked }, index) => ({
          start,
          end,
          opening,
          readers: (readers[index] ?? 0) >= MIN_READERS ? (readers[index] ?? 0) : 0,
          thoughts: thoughts[index] ?? 0,
          locked: isLocked,
        }))
        .filter((passage) => passage.readers > 0 || passage.thoughts > 0)
        .sort((a, b) => b.readers - a.readers || b.thoughts - a.thoughts)
        .slice(0, MAX_PASSAGES)
        .sort((a, b) => a.start - b.start),
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
