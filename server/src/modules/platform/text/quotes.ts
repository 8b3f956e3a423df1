import {
  compactText,
  createAnchoring,
  findExact,
  quoteAt,
  type TextQuote,
  type TextRange,
} from '@mozhan/contract/anchoring.ts';
import { visibleText } from './visible-text.ts';

/** A passage of a text, as words and as position. */
export interface Passage extends TextQuote {
  /** With its spaces and line breaks; `exact` has none. */
  words: string;
  /** Whether only those who may read the full text may see it. */
  isLocked: boolean;
}

export interface QuoteTexts {
  html: string;
  /** The part that everyone may read, if it is not all. */
  publicHtml: string | null;
}

export interface QuoteJob extends QuoteTexts {
  quotes: TextQuote[];
  /** Finds also passages that were changed a little. */
  allowSimilar: boolean;
  /** Finds only passages in the public part. */
  publicOnly: boolean;
}

function commonLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length += 1;
  return length;
}

interface ReadableText {
  text: string;
  /** Up to here everyone may read it. */
  publicEnd: number;
  wordsOf: (range: TextRange) => string;
}

function readTexts({ html, publicHtml }: QuoteTexts): ReadableText {
  const visible = visibleText(html);
  const text = compactText(visible);
  const positions = new Uint32Array(text.length);
  let next = 0;
  for (const { index, 0: word } of visible.matchAll(/\S+/g))
    for (let at = 0; at < word.length; at += 1) positions[next++] = index + at;
  return {
    text,
    publicEnd: publicHtml === null ? text.length : commonLength(text, compactText(visibleText(publicHtml))),
    wordsOf: ({ start, end }) =>
      visible
        .slice(positions[start], (positions[end - 1] ?? 0) + 1)
        .replace(/[^\S\n]+/g, ' ')
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== '')
        .join('\n'),
  };
}

/** Finds passages in the text of rendered HTML; null for one that is gone. */
export function findQuotes({ quotes, allowSimilar, publicOnly, ...texts }: QuoteJob): (Passage | null)[] {
  const { text, publicEnd, wordsOf } = readTexts(texts);
  const searched = publicOnly ? text.slice(0, publicEnd) : text;
  const find = allowSimilar ? createAnchoring(searched) : (quote: TextQuote) => findExact(searched, quote);
  return quotes.map((quote) => {
    const range = find(quote);
    return range && { ...quoteAt(text, range), words: wordsOf(range), isLocked: range.end > publicEnd };
  });
}

const SENTENCE_END = /[。！？；…!?;\n]+["\u201d\u2019」』）)]*/g;

/** The sentences of a text, each of which begins where the one before ends. Few objects, so that threads pass them quickly. */
export interface Sentences {
  text: string;
  ends: Uint32Array;
  /** Up to here everyone may read the text. */
  publicEnd: number;
}

export function findSentences(texts: QuoteTexts): Sentences {
  const visible = visibleText(texts.html);
  const { publicEnd, text } = readTexts(texts);
  const ends: number[] = [];
  let end = 0;
  let done = 0;
  const add = (until: number) => {
    const length = compactText(visible.slice(done, until)).length;
    done = until;
    if (length === 0) return;
    end += length;
    ends.push(end);
  };
  for (const { index, 0: mark } of visible.matchAll(SENTENCE_END)) add(index + mark.length);
  add(visible.length);
  return { text, ends: Uint32Array.from(ends), publicEnd };
}
