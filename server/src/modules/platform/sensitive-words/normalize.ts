import traditional from 'opencc-js/dict/TSCharacters';

/**
 * Text normalised for comparison: compatibility forms, case, traditional and invisible characters make no difference.
 * Words in scripts without spaces match across separators (赌 * 博); words in other scripts match as complete words.
 */
export interface NormalizedText {
  /** Code points; `BREAK` where no match may continue. */
  symbols: number[];
  /** Range of each symbol in the original text. */
  starts: number[];
  ends: number[];
  /** Whether a separator was removed before the symbol. */
  gaps: boolean[];
}

export type Range = readonly [start: number, end: number];

/** `spaced` keeps separators, `dense` removes them. */
export type MatchMode = 'spaced' | 'dense';

/** Not part of any pattern. */
const BREAK = 0;
const SPACE = 32;

let simplified: Map<string, string> | undefined;

/** Built when it is needed, because it delays the start. */
function toSimplified(char: string): string {
  simplified ??= new Map(
    traditional.split('|').map((pair) => {
      const [from = '', to = ''] = pair.split(' ');
      return [from, to];
    }),
  );
  return simplified.get(char) ?? char;
}

const MARK = /\p{M}/u;
const INVISIBLE = /[\p{Cf}\p{Script=Inherited}]|(?![\t\n\v\f\r\x85])\p{Cc}/u;
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

function normalizeCluster(cluster: string): Symbol[] {
  const normalized = cluster.normalize('NFKC').toLowerCase();
  return [...normalized]
    .filter((char) => !INVISIBLE.test(char))
    .map((char) => ({ code: toSimplified(char).codePointAt(0) ?? 0, kind: kindOf(char) }));
}

/** Fast path: code points of Chinese characters are never combining marks. */
const isMark = (code: number): boolean =>
  code >= 0x300 && !(code >= 0x3100 && code < 0xa000) && MARK.test(String.fromCodePoint(code));

/** Further combining marks on a character are ignored, because normalising very many takes quadratic time. */
const MAX_MARKS = 30;

const sizeOf = (code: number): number => (code > 0xffff ? 2 : 1);

/** Cache by code point, because texts use few different characters. */
const singleCache = new Map<number, Symbol[]>();

function normalizeSingle(code: number): Symbol[] {
  const found = singleCache.get(code);
  if (found !== undefined) return found;
  const symbols = normalizeCluster(String.fromCodePoint(code));
  if (code <= 0xffff) singleCache.set(code, symbols);
  return symbols;
}

/** `skipped` ranges must be sorted; each is replaced by `BREAK`. */
export function normalizeText(text: string, mode: MatchMode, skipped: readonly Range[] = []): NormalizedText {
  const normalized: NormalizedText = { symbols: [], starts: [], ends: [], gaps: [] };
  let hasGap = false;
  const add = (code: number, start: number, end: number) => {
    normalized.symbols.push(code);
    normalized.starts.push(start);
    normalized.ends.push(end);
    normalized.gaps.push(hasGap);
    hasGap = false;
  };
  let next = 0;
  for (let start = 0, end = 0; start < text.length; start = end) {
    const code = text.codePointAt(start) ?? 0;
    const single = start + sizeOf(code);
    end = single;
    let read = single;
    // Combining marks belong to the character before them.
    for (let mark = text.codePointAt(end) ?? 0, marks = 1; isMark(mark); marks += 1) {
      end += sizeOf(mark);
      if (marks <= MAX_MARKS) read = end;
      mark = text.codePointAt(end) ?? 0;
    }
    while ((skipped[next]?.[1] ?? Infinity) <= start) next += 1;
    if ((skipped[next]?.[0] ?? Infinity) < end) {
      if (normalized.symbols.at(-1) !== BREAK) add(BREAK, start, end);
      continue;
    }
    for (const symbol of end === single ? normalizeSingle(code) : normalizeCluster(text.slice(start, read))) {
      const { kind } = symbol;
      if (mode === 'dense' && (kind === 'space' || kind === 'separator')) hasGap = true;
      else if (mode === 'dense' && kind === 'line-end') add(BREAK, start, end);
      else if (kind === 'letter' || kind === 'separator') add(symbol.code, start, end);
      else if (normalized.symbols.at(-1) !== SPACE) add(SPACE, start, end);
    }
  }
  return normalized;
}

/** Whether it is a letter or digit of a script with spaces between words. */
export const isSpacedLetter = (code: number | undefined): boolean =>
  code !== undefined && code !== BREAK && SPACED.test(String.fromCodePoint(code));

const toText = (symbols: number[]): string => symbols.map((code) => String.fromCodePoint(code)).join('');

/** Returns the search pattern of a word; words with the same key are the same. */
export function toPattern(word: string): { mode: MatchMode; symbols: number[]; key: string } {
  const { symbols } = normalizeText(word.trim(), 'spaced');
  const isDense = symbols.some((code) => /\p{L}/u.test(String.fromCodePoint(code)) && !isSpacedLetter(code));
  const mode = isDense ? 'dense' : 'spaced';
  const own = isDense ? normalizeText(word, 'dense').symbols : symbols;
  return { mode, symbols: own, key: toText(own) };
}
