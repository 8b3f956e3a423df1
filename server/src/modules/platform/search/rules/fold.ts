import { from, to } from 'opencc-js/preset/t2cn';

/** What each UTF-16 unit becomes; 0 until it has been met. */
const folded = new Uint16Array(0x10000);
let simplified: Map<string, string> | null = null;

/**
 * Text as it is compared: compatibility forms made plain, lower case, simplified characters, control characters as
 * blanks. Unit by unit, so that what is found in the folded text stands at the same place in the text itself.
 */
export function fold(text: string): string {
  const units = new Uint16Array(text.length);
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    units[index] = folded[unit] || foldUnit(unit);
  }
  return Buffer.from(units.buffer).toString('utf16le');
}

function foldUnit(unit: number): number {
  const character = String.fromCharCode(unit);
  let result = character;
  if (/\p{Cc}|\p{Zl}|\p{Zp}/u.test(character)) result = ' ';
  else if (unit < 0xd800 || unit > 0xdfff) {
    const plain = only(character.normalize('NFKC'), character);
    const lower = only(plain.toLowerCase(), plain);
    simplified ??= readSimplified();
    result = simplified.get(lower) ?? lower;
  }
  folded[unit] = result.charCodeAt(0);
  return result.charCodeAt(0);
}

/** What takes more than one unit would move everything behind it. */
const only = (changed: string, otherwise: string): string => (changed.length === 1 ? changed : otherwise);

/** Character by character and without phrases: 「軟體」 is 软体 as its readers would type it. */
function readSimplified(): Map<string, string> {
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
