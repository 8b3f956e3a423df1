import { expect, test } from 'vitest';
import { findExact } from './anchoring.ts';

test('reads a text that repeats itself once for each passage', () => {
  const text = '啊'.repeat(190_000);
  const words = [`${'啊'.repeat(999)}呀`, `啊呀${'啊'.repeat(998)}`];
  // Comparing all words at every position would take minutes.
  for (let turn = 0; turn < 50; turn += 1)
    for (const exact of words)
      expect(findExact(text, { exact, prefix: '', suffix: '', start: text.length, end: text.length })).toBe(
        null,
      );
});
