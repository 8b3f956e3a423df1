import type { Text } from '@codemirror/state';
import { countCodePoints, MAX_CONTENT_LENGTH } from '@mozhan/contract/content-length.ts';
import { createWordCounter, type TextLength } from '@mozhan/contract/word-count.ts';

export interface TextCounts extends TextLength {
  characters: number;
}

/** Only a text near the limit is counted exactly, which reads all of it. */
const countCharacters = (doc: Text): number =>
  doc.length <= MAX_CONTENT_LENGTH ? doc.length : countCodePoints(doc.toString());

const LINES_PER_BATCH = 400;

/** Counts as lists and history do. A long text is counted in batches so that typing is not blocked. */
export function countText(doc: Text, onCounted: (counts: TextCounts) => void): () => void {
  const lines = doc.iterLines();
  const counter = createWordCounter();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function countBatch(): void {
    for (let turn = 0; turn < LINES_PER_BATCH; turn += 1) {
      const { value: line, done } = lines.next();
      if (done) {
        onCounted({ ...counter.result(), characters: countCharacters(doc) });
        return;
      }
      counter.add(line);
    }
    timer = setTimeout(countBatch);
  }

  countBatch();
  return () => clearTimeout(timer);
}
