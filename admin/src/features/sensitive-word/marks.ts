import type { WordLevel } from '@mozhan/contract/sensitive-words.ts';

interface Hit {
  start: number;
  end: number;
  level: WordLevel;
}

export interface Piece {
  start: number;
  text: string;
  /** Of the strongest hit here. */
  level: WordLevel | null;
}

const order: (WordLevel | null)[] = [null, 'mask', 'hold', 'refuse'];

/** The text cut where what it is changes; where hits overlap, the strongest shows. */
export function markPieces(text: string, hits: readonly Hit[]): Piece[] {
  const strength = new Uint8Array(text.length);
  for (const { start, end, level } of hits) {
    for (let i = start; i < Math.min(end, text.length); i++)
      strength[i] = Math.max(strength[i] ?? 0, order.indexOf(level));
  }
  const pieces: Piece[] = [];
  for (let start = 0; start < text.length; ) {
    let end = start + 1;
    while (end < text.length && strength[end] === strength[start]) end += 1;
    pieces.push({ start, text: text.slice(start, end), level: order[strength[start] ?? 0] ?? null });
    start = end;
  }
  return pieces;
}
