import { from, to } from 'opencc-js/preset/t2cn';

/** Cache of the normalised form of each UTF-16 unit; 0 if not calculated yet. */
const normalizedUnits = new Uint16Array(0x10000);
let simplified: Map<string, string> | null = null;
let mainlandTerms: Map<string, string> | null = null;

/**
 * Normalises text for search: NFKC, lower case, simplified characters, control characters as spaces. Each UTF-16 unit
 * is mapped to exactly one, so that positions are the same as in the original text.
 */
export function normalizeSearchText(text: string): string {
  const units = new Uint16Array(text.length);
  for (let index = 0; index < text.length; index++) {
    units[index] = normalizeUnit(text.charCodeAt(index));
  }
  return Buffer.from(units.buffer).toString('utf16le');
}

export const normalizeUnit = (unit: number): number => normalizedUnits[unit] || calculateUnit(unit);

function calculateUnit(unit: number): number {
  const character = String.fromCharCode(unit);
  let result = character;
  if (/\p{Cc}|\p{Zl}|\p{Zp}/u.test(character)) result = ' ';
  else if (unit < 0xd800 || unit > 0xdfff) {
    const plain = ifSingleUnit(character.normalize('NFKC'), character);
    const lower = ifSingleUnit(plain.toLowerCase(), plain);
    simplified ??= buildSimplifiedMap();
    result = simplified.get(lower) ?? lower;
  }
  normalizedUnits[unit] = result.charCodeAt(0);
  return result.charCodeAt(0);
}

/** A replacement of more than one unit would shift all following positions. */
const ifSingleUnit = (changed: string, otherwise: string): string =>
  changed.length === 1 ? changed : otherwise;

/** Maps single characters only, not phrases: 「軟體」 becomes 软体, not 软件. */
function buildSimplifiedMap(): Map<string, string> {
  const pairs = (groups: (typeof to)[string] = []): Map<string, string> =>
    new Map(
      groups
        .flat()
        .flatMap((list) => (typeof list === 'string' ? list.split('|') : []))
        .map((pair) => pair.split(' '))
        .filter(([original = '', plain = '']) => original.length === 1 && plain.length === 1)
        .map(([original = '', plain = '']) => [original, plain]),
    );
  const standard = pairs(to.cn);
  for (const [variant, usual] of pairs(from.tw)) {
    if (!standard.has(variant)) standard.set(variant, standard.get(usual) ?? usual);
  }
  return standard;
}

const MAX_PHRASE_LENGTH = 8;

/** Terms of Taiwan and their counterparts, both normalised: 软体 and 软件. */
const buildMainlandTerms = (): Map<string, string> =>
  new Map(
    (from.twp ?? [])
      .flat()
      .flatMap((list) => (typeof list === 'string' ? list.split('|') : []))
      .map((pair) => pair.split(' ').map(normalizeSearchText))
      .filter(
        ([term = '', meant = '']) => term.length > 1 && term.length <= MAX_PHRASE_LENGTH && meant !== '',
      )
      .map(([term = '', meant = '']) => [term, meant]),
  );

/**
 * Replaces terms of Taiwan in a query that is written in traditional characters; null if there are none. Simplified text
 * is not changed, because 指标 there does not mean 指针.
 */
export function translateTraditional(text: string): string | null {
  const normalized = normalizeSearchText(text);
  const isTraditional = [...text].some(
    (character) => /\p{sc=Han}/u.test(character) && character !== normalizeSearchText(character),
  );
  if (!isTraditional) return null;
  mainlandTerms ??= buildMainlandTerms();
  let result = '';
  for (let at = 0; at < normalized.length; ) {
    let length = Math.min(MAX_PHRASE_LENGTH, normalized.length - at);
    while (length > 1 && !mainlandTerms.has(normalized.slice(at, at + length))) length -= 1;
    const phrase = normalized.slice(at, at + length);
    result += mainlandTerms.get(phrase) ?? phrase;
    at += length;
  }
  return result === normalized ? null : result;
}
