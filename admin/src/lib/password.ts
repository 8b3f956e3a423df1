/** Without characters that look alike. */
const LETTERS = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const LENGTH = 16;

/** About 93 bits of entropy, in groups of four for reading aloud. */
export function generatePassword(): string {
  const letters: string[] = [];
  while (letters.length < LENGTH) {
    const [byte = 0] = crypto.getRandomValues(new Uint8Array(1));
    const letter = LETTERS[byte & 63];
    // An index beyond the alphabet is drawn again, so that every letter is equally likely.
    if (letter !== undefined) letters.push(letter);
  }
  return letters.join('').replace(/.{4}(?=.)/g, '$&-');
}
