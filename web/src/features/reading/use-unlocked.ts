import type { Essay } from '@mozhan/contract/essays.ts';
import { type RefObject, useEffect, useRef } from 'react';

/** The first block that the preview did not have. */
function firstNew(blocks: readonly Element[], known: readonly string[]): HTMLElement | undefined {
  const found = blocks.find((block, index) => block.textContent !== known[index]);
  return found instanceof HTMLElement ? found : undefined;
}

/** Gives back the way to go on reading where the preview ended, once the rest of the text has come. */
export function useUnlocked({ html, locked }: Essay, text: RefObject<Element | null>): () => void {
  const preview = useRef<string[]>([]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another text has other blocks
  useEffect(() => {
    const blocks = [...(text.current?.firstElementChild?.children ?? [])];
    if (locked !== null) preview.current = blocks.map(({ textContent }) => textContent ?? '');
  }, [text, html, locked]);

  const goOn = useRef(() => {
    const blocks = [...(text.current?.firstElementChild?.children ?? [])];
    const block = firstNew(blocks, preview.current);
    if (block === undefined) return;
    block.tabIndex = -1;
    // It stands where the offer stood, before the reader's eyes.
    block.focus({ preventScroll: true });
  });
  return goOn.current;
}
