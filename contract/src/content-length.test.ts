import { expect, test } from 'vitest';
import { countCodePoints, excessCharacters, MAX_CONTENT_LENGTH } from './content-length.ts';
import { essayFields } from './essays.ts';

test('counts characters as the server does', () => {
  for (const text of ['', '汉字', '👩‍💻', 'a👍b', '\ud800', '\udc00a', '\ud83d\ud83d\udc4d'])
    expect([text, countCodePoints(text)]).toEqual([text, [...text].length]);
});

test('agrees with the limit of the call', () => {
  const isAccepted = (text: string) => essayFields.shape.content.safeParse(text).success;
  for (const text of ['字'.repeat(MAX_CONTENT_LENGTH), '👍'.repeat(MAX_CONTENT_LENGTH)]) {
    expect([excessCharacters(text), isAccepted(text)]).toEqual([0, true]);
    expect([excessCharacters(`${text}又多三`), isAccepted(`${text}又多三`)]).toEqual([3, false]);
  }
});
