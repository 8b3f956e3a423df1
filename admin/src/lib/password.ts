/** Without characters that are taken for one another. */
const LETTERS = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const LENGTH = 16;

/** About 93 bits, in groups that can be read out. */
export function newPassword(): string {
  const letters: string[] = [];
  while (letters.length < LENGTH) {
    const [byte = 0] = crypto.getRandomValues(new Uint8Array(1));
    const letter = LETTERS[byte & 63];
    // Beyond the end of the alphabet: drawn again, so that every letter is as likely.
    if (letter !== undefined) letters.push(letter);
  }
  return letters.join('').replace(/.{4}(?=.)/g, '$&-');
}
