import type { TextQuote } from '@mozhan/contract/anchoring.ts';
import { useSyncExternalStore } from 'react';

/** A passage that the reader wants to quote in the next comment. */
export interface PendingQuote {
  essayId: string;
  quote: TextQuote;
  /** With its spaces. */
  words: string;
}

let pending: PendingQuote | null = null;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function setPendingQuote(quote: PendingQuote | null): void {
  pending = quote;
  for (const listener of listeners) listener();
}

export const usePendingQuote = (essayId: string): PendingQuote | null => {
  const quote = useSyncExternalStore(
    subscribe,
    () => pending,
    () => null,
  );
  return quote?.essayId === essayId ? quote : null;
};
