import type { WordLevel } from '@mozhan/contract/sensitive-words.ts';

interface Hit {
  start: number;
  end: number;
  level: WordLevel;
}

export interface TextPiece {
  start: number;
  text: string;
  /** Strictest level of the hits here. */
  level: WordLevel | null;
}

const order: (WordLevel | null)[] = [null, 'mask', 'hold', 'refuse'];

/** Splits the text where the level changes; overlapping hits get the strictest level. */
export function splitByHits(text: string, hits: readonly Hit[]): TextPiece[] {
  const strength = new Uint8Array(text.length);
  for (const { start, end, level } of hits) {
    for (let i = start; i < Math.min(end, text.length); i++)
      strength[i] = Math.max(strength[i] ?? 0, order.indexOf(level));
  }
  const pieces: TextPiece[] = [];
  for (let start = 0; start < text.length; ) {
    let end = start + 1;
    while (end < text.length && strength[end] === strength[start]) end += 1;
    pieces.push({ start, text: text.slice(start, end), level: order[strength[start] ?? 0] ?? null });
    start = end;
  }
  return pieces;
}
