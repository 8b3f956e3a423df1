import { fold } from './fold.ts';
import { isHan } from './segment.ts';

/** What someone may type to find a name: any of its later parts will do, but the whole is better. */
export interface Form {
  form: string;
  isWhole: boolean;
}

const LONGEST = 40;

/** Pinyin is loaded at first use: most processes never store a name. */
export async function readForms(name: string): Promise<Form[]> {
  const { pinyin } = await import('pinyin-pro');
  const folded = fold(name).trim().slice(0, LONGEST);
  const characters = [...folded];
  const sounds = characters.map((character) => character);
  if (characters.some((character) => isHan(character.charCodeAt(0)))) {
    // Of the whole name, since a character may sound otherwise among others.
    const read = pinyin(folded, { type: 'array', toneType: 'none', v: true });
    for (const [index, sound] of read.entries()) sounds[index] = sound.toLowerCase();
  }
  const forms = new Map<string, boolean>();
  const add = (form: string, isWhole: boolean) => {
    if (form !== '') forms.set(form, isWhole || (forms.get(form) ?? false));
  };
  for (const [index, character] of characters.entries()) {
    if (!beginsPart(characters[index - 1], character)) continue;
    const rest = characters.slice(index);
    const read = sounds.slice(index);
    const isWhole = index === 0;
    add(rest.join('').replace(/\s+/g, ''), isWhole);
    add(read.join('').replace(/\s+/g, ''), isWhole);
    add(
      rest
        .map((each, at) => (isHan(each.charCodeAt(0)) ? (read[at] ?? '').charAt(0) : each))
        .join('')
        .replace(/\s+/g, ''),
      isWhole,
    );
  }
  return [...forms].map(([form, isWhole]) => ({ form, isWhole }));
}

/** Every Chinese character, and Latin words at their first letter. */
const beginsPart = (before: string | undefined, character: string): boolean =>
  /[\p{L}\p{N}]/u.test(character) &&
  (before === undefined ||
    isHan(character.charCodeAt(0)) ||
    isHan(before.charCodeAt(0)) ||
    !/[\p{L}\p{N}]/u.test(before));
