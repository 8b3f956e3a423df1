import { normalizeSearchText } from './normalize.ts';
import { isHan } from './segment.ts';

/** A spelling by which a name is found; `isWhole` means that it covers the name from its beginning. */
export interface NameForm {
  form: string;
  isWhole: boolean;
}

const MAX_NAME_LENGTH = 40;

/** Loads pinyin-pro on first use, because most processes never index a name. */
export async function buildNameForms(name: string): Promise<NameForm[]> {
  const { pinyin } = await import('pinyin-pro');
  const normalized = normalizeSearchText(name).trim().slice(0, MAX_NAME_LENGTH);
  const characters = [...normalized];
  const sounds = characters.map((character) => character);
  if (characters.some((character) => isHan(character.charCodeAt(0)))) {
    // Converts the complete name, because the reading of a character depends on its neighbours.
    const read = pinyin(normalized, { type: 'array', toneType: 'none', v: true });
    for (const [index, sound] of read.entries()) sounds[index] = sound.toLowerCase();
  }
  const forms = new Map<string, boolean>();
  const add = (form: string, isWhole: boolean) => {
    if (form !== '') forms.set(form, isWhole || (forms.get(form) ?? false));
  };
  for (const [index, character] of characters.entries()) {
    if (!isPartStart(characters[index - 1], character)) continue;
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

/** A part begins at every Chinese character and at the first letter of a Latin word. */
const isPartStart = (before: string | undefined, character: string): boolean =>
  /[\p{L}\p{N}]/u.test(character) &&
  (before === undefined ||
    isHan(character.charCodeAt(0)) ||
    isHan(before.charCodeAt(0)) ||
    !/[\p{L}\p{N}]/u.test(before));
