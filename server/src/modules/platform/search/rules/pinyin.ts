import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The readings of Chinese characters, from a small table: the library for names takes a tenth of a second to load. */
export interface Readings {
  /** The usual reading first. */
  byCharacter: Map<string, string[]>;
  syllables: Set<string>;
}

/** The longest syllable is `zhuang`. */
const MAX_SYLLABLE_LENGTH = 6;
/** A word with several characters of more than one reading has no more spellings than this. */
const MAX_SPELLINGS = 8;

let loading: Promise<Readings> | null = null;

export function loadReadings(): Promise<Readings> {
  loading ??= read().catch((error) => {
    loading = null;
    throw error;
  });
  return loading;
}

async function read(): Promise<Readings> {
  const text = await readFile(join(import.meta.dirname, '..', 'readings.txt'), 'utf8');
  const byCharacter = new Map<string, string[]>();
  const syllables = new Set<string>();
  // Lines of other readings come last, so that the usual one is the first of its character.
  for (const line of text.split('\n')) {
    const [, syllable, characters] = /^\+?([a-z]+) (.+)$/.exec(line) ?? [];
    if (syllable === undefined || characters === undefined) continue;
    syllables.add(syllable);
    for (const character of characters) {
      const readings = byCharacter.get(character);
      if (readings === undefined) byCharacter.set(character, [syllable]);
      else readings.push(syllable);
    }
  }
  return { byCharacter, syllables };
}

/** Returns the pinyin spellings of a word, the most usual first; none if a character has no known reading. */
export function spellingsOf({ byCharacter }: Readings, word: string): string[] {
  let spellings = [''];
  for (const character of word) {
    const readings = byCharacter.get(character);
    if (readings === undefined) return [];
    spellings = readings
      .flatMap((reading) => spellings.map((spelling) => spelling + reading))
      .slice(0, MAX_SPELLINGS);
  }
  return spellings;
}

/** For each position of a typed text, the ends of the syllables that begin there. */
export function findSyllables({ syllables }: Readings, typed: string): number[][] {
  return Array.from({ length: typed.length }, (_, begin) => {
    const ends: number[] = [];
    for (let end = begin + 1; end <= Math.min(typed.length, begin + MAX_SYLLABLE_LENGTH); end++)
      if (syllables.has(typed.slice(begin, end))) ends.push(end);
    return ends;
  });
}

/** Whether the text can be read as syllables from its beginning to its end. */
export function isPinyin(readings: Readings, typed: string): boolean {
  const ends = findSyllables(readings, typed);
  const reachable = new Set([0]);
  for (let at = 0; at < typed.length; at++)
    if (reachable.has(at)) for (const end of ends[at] ?? []) reachable.add(end);
  return reachable.has(typed.length);
}
