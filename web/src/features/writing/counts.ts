import type { Text } from '@codemirror/state';
import { createWordCounter, type Length } from '@mozhan/contract/word-count.ts';

export interface Counts extends Length {
  characters: number;
}

const LINES_AT_ONCE = 400;

/** As lists and history will say it. A long text is counted a piece at a time, so that a key never waits for it. */
export function countText(doc: Text, onCounted: (counts: Counts) => void): () => void {
  const lines = doc.iterLines();
  const counter = createWordCounter();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function countSome(): void {
    for (let turn = 0; turn < LINES_AT_ONCE; turn += 1) {
      const { value: line, done } = lines.next();
      if (done) {
        onCounted({ ...counter.result(), characters: doc.length });
        return;
      }
      counter.add(line);
    }
    timer = setTimeout(countSome);
  }

  countSome();
  return () => clearTimeout(timer);
}
