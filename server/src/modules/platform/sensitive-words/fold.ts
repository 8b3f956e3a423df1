import traditional from 'opencc-js/dict/TSCharacters';

/**
 * How words and texts are compared: compatibility forms, case, traditional characters and what cannot be seen make no
 * difference. Words in scripts written without spaces are found through separators put between their characters
 * (赌 * 博); words in others, Latin above all, are found as whole words.
 */
export interface Folded {
  /** Code points; `BREAK` where nothing goes on. */
  symbols: number[];
  /** Which part of the original each stands for. */
  starts: number[];
  ends: number[];
  /** Whether a separator was left out before it. */
  gaps: boolean[];
}

export type Range = readonly [start: number, end: number];

/** How a word or text is folded: with its separators, for words with spaces; or without. */
export type Manner = 'spaced' | 'dense';

/** No pattern holds it. */
const BREAK = 0;
const SPACE = 32;

const simplified = new Map(
  traditional.split('|').map((pair) => {
    const [from = '', to = ''] = pair.split(' ');
    return [from, to];
  }),
);

const MARK = /\p{M}/u;
const UNSEEN = /[\p{Cf}\p{Script=Inherited}]|(?![\t\n\v\f\r\x85])\p{Cc}/u;
const LINE_END = /[\n\v\f\r\x85\u2028\u2029]/u;
const SEPARATOR = /[\p{Zs}\t\p{S}\p{Pd}*.·•‧・_/\\#@&%]/u;
const SPACED = /[\p{N}\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u;

type Kind = 'letter' | 'separator' | 'line-end' | 'space';

interface Symbol {
  code: number;
  kind: Kind;
}

function kindOf(char: string): Kind {
  if (LINE_END.test(char)) return 'line-end';
  if (/\s/.test(char)) return 'space';
  return SEPARATOR.test(char) ? 'separator' : 'letter';
}

function foldCluster(cluster: string): Symbol[] {
  const folded = cluster.normalize('NFKC').toLowerCase();
  return [...folded]
    .filter((char) => !UNSEEN.test(char))
    .map((char) => ({ code: (simplified.get(char) ?? char).codePointAt(0) ?? 0, kind: kindOf(char) }));
}

/** Between these there are Chinese characters, and no marks. */
const isMark = (code: number): boolean =>
  code >= 0x300 && !(code >= 0x3100 && code < 0xa000) && MARK.test(String.fromCodePoint(code));

/** On one character, that are looked at: putting very many in order takes for ever. */
const MOST_MARKS = 30;

const sizeOf = (code: number): number => (code > 0xffff ? 2 : 1);

/** Of single characters, by code: texts are made of few. */
const known = new Map<number, Symbol[]>();

function foldSingle(code: number): Symbol[] {
  const found = known.get(code);
  if (found !== undefined) return found;
  const symbols = foldCluster(String.fromCodePoint(code));
  if (code <= 0xffff) known.set(code, symbols);
  return symbols;
}

/** `skipped` ranges, in order, are taken for an end of the text. */
export function fold(text: string, manner: Manner, skipped: readonly Range[] = []): Folded {
  const folded: Folded = { symbols: [], starts: [], ends: [], gaps: [] };
  let hasGap = false;
  const add = (code: number, start: number, end: number) => {
    folded.symbols.push(code);
    folded.starts.push(start);
    folded.ends.push(end);
    folded.gaps.push(hasGap);
    hasGap = false;
  };
  let next = 0;
  for (let start = 0, end = 0; start < text.length; start = end) {
    const code = text.codePointAt(start) ?? 0;
    const single = start + sizeOf(code);
    end = single;
    let read = single;
    // Marks belong to what they stand on.
    for (let mark = text.codePointAt(end) ?? 0, marks = 1; isMark(mark); marks += 1) {
      end += sizeOf(mark);
      if (marks <= MOST_MARKS) read = end;
      mark = text.codePointAt(end) ?? 0;
    }
    while ((skipped[next]?.[1] ?? Infinity) <= start) next += 1;
    if ((skipped[next]?.[0] ?? Infinity) < end) {
      if (folded.symbols.at(-1) !== BREAK) add(BREAK, start, end);
      continue;
    }
    for (const symbol of end === single ? foldSingle(code) : foldCluster(text.slice(start, read))) {
      const { kind } = symbol;
      if (manner === 'dense' && (kind === 'space' || kind === 'separator')) hasGap = true;
      else if (manner === 'dense' && kind === 'line-end') add(BREAK, start, end);
      else if (kind === 'letter' || kind === 'separator') add(symbol.code, start, end);
      else if (folded.symbols.at(-1) !== SPACE) add(SPACE, start, end);
    }
  }
  return folded;
}

/** A letter or digit of a script that puts spaces between words. */
export const isSpaced = (code: number | undefined): boolean =>
  code !== undefined && code !== BREAK && SPACED.test(String.fromCodePoint(code));

const toText = (symbols: number[]): string => symbols.map((code) => String.fromCodePoint(code)).join('');

/** How a word is looked for, and as what: two words with the same key are one. */
export function spell(word: string): { manner: Manner; symbols: number[]; key: string } {
  const { symbols } = fold(word.trim(), 'spaced');
  const isDense = symbols.some((code) => /\p{L}/u.test(String.fromCodePoint(code)) && !isSpaced(code));
  const manner = isDense ? 'dense' : 'spaced';
  const own = isDense ? fold(word, 'dense').symbols : symbols;
  return { manner, symbols: own, key: toText(own) };
}
