import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editDistance, rankCorrections } from './rules/spelling.ts';

test('counts missing, additional, other and swapped letters up to a limit', () => {
  const distances = (max: number) =>
    ['kitten', 'kiten', 'kittten', 'kittem', 'ikttne', 'sitting', 'kit'].map((word) =>
      editDistance('kitten', word, max),
    );
  const far = Number.POSITIVE_INFINITY;
  expect(distances(1)).toEqual([0, 1, 1, 1, far, far, far]);
  expect(distances(2)).toEqual([0, 1, 1, 1, 2, far, far]);
  expect(editDistance('a'.repeat(200), 'a'.repeat(200), 2)).toBe(far);
});

test('comparing a word does not depend on the words before', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 9 });
  fc.assert(
    fc.property(word, word, word, (a, b, c) => {
      const distance = editDistance(a, b, 2);
      editDistance(c, a, 1);
      editDistance(b, c, 2);
      expect(editDistance(a, b, 2)).toBe(distance);
      expect(editDistance(b, a, 2)).toBe(distance);
      // A smaller limit only makes a distance infinite.
      if (distance <= 1) expect(editDistance(a, b, 1)).toBe(distance);
    }),
  );
});

test('words of any length get corrections', () => {
  const words = ['abcdefghij', 'abcdefghix', 'x'.repeat(300)].map((word) => ({ word, uses: 1 }));
  expect(rankCorrections('abcdefghijk', words)).toEqual(['abcdefghij', 'abcdefghix']);
  expect(rankCorrections('x'.repeat(299), words)).toEqual([]);
});
