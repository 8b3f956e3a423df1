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

/** A character with the marks on it. */
const CLUSTER = /\P{M}\p{M}*|\p{M}+/gu;
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

/** `skipped` ranges, in order, are taken for an end of the text. */
export function fold(text: string, manner: Manner, skipped: readonly Range[] = []): Folded {
  const known = new Map<string, Symbol[]>();
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
  for (const { 0: cluster, index: start } of text.matchAll(CLUSTER)) {
    const end = start + cluster.length;
    while ((skipped[next]?.[1] ?? Infinity) <= start) next += 1;
    if ((skipped[next]?.[0] ?? Infinity) < end) {
      if (folded.symbols.at(-1) !== BREAK) add(BREAK, start, end);
      continue;
    }
    let symbols = known.get(cluster);
    if (symbols === undefined) {
      symbols = foldCluster(cluster);
      known.set(cluster, symbols);
    }
    for (const { code, kind } of symbols) {
      if (manner === 'dense' && (kind === 'space' || kind === 'separator')) hasGap = true;
      else if (manner === 'dense' && kind === 'line-end') add(BREAK, start, end);
      else if (kind === 'letter' || kind === 'separator') add(code, start, end);
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
