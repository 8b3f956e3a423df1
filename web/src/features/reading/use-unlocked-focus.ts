import type { Essay } from '@mozhan/contract/essays.ts';
import { type RefObject, useEffect, useRef } from 'react';

function firstNewBlock(blocks: readonly Element[], known: readonly string[]): HTMLElement | undefined {
  const found = blocks.find((block, index) => block.textContent !== known[index]);
  return found instanceof HTMLElement ? found : undefined;
}

/** Returns a function that moves the focus to the end of the preview, once the full text is loaded. */
export function useUnlockedFocus({ html, locked }: Essay, text: RefObject<Element | null>): () => void {
  const preview = useRef<string[]>([]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new text has new blocks
  useEffect(() => {
    const blocks = [...(text.current?.firstElementChild?.children ?? [])];
    if (locked !== null) preview.current = blocks.map(({ textContent }) => textContent ?? '');
  }, [text, html, locked]);

  const focusUnlocked = useRef(() => {
    const blocks = [...(text.current?.firstElementChild?.children ?? [])];
    const block = firstNewBlock(blocks, preview.current);
    if (block === undefined) return;
    block.tabIndex = -1;
    // The block replaces the paywall in the viewport, so scrolling is not needed.
    block.focus({ preventScroll: true });
  });
  return focusUnlocked.current;
}
