import { expect, test } from 'vitest';
import { buildAutomaton, findPatterns } from './automaton.ts';

const symbols = (text: string) => [...text].map((char) => char.codePointAt(0) ?? 0);

function findAll(patterns: string[], text: string): string[] {
  const hits: string[] = [];
  findPatterns(buildAutomaton(patterns.map(symbols)), symbols(text), (pattern, end) => {
    hits.push(`${patterns[pattern]} ${end}`);
  });
  return hits.sort();
}

function naive(patterns: string[], text: string): string[] {
  const chars = [...text];
  return patterns
    .flatMap((pattern) =>
      chars.flatMap((_, i) => {
        const end = i + [...pattern].length;
        return chars.slice(i, end).join('') === pattern ? [`${pattern} ${end}`] : [];
      }),
    )
    .sort();
}

test.each([
  ['overlapping', ['he', 'she', 'his', 'hers'], 'ushers'],
  ['a pattern and its prefixes', ['赌', '赌博', '赌博网站'], '上赌博网站'],
  ['a pattern inside another', ['bcd', 'c', 'abcde'], 'xabcdey'],
  ['a failed prefix', ['aab', 'abc'], 'aaabcab'],
  ['a pattern that overlaps itself', ['aa', 'aaa'], 'aaaa'],
  ['characters beyond the basic plane', ['𠮷', '𠮷野', '😀'], '去𠮷野家😀𠮷'],
  ['at both ends', ['ab', 'yz'], 'ab--yz'],
  ['the complete text', ['全文'], '全文'],
  ['no match', ['没有'], '这里什么也没'],
])('matches like a naive search: %s', (_, patterns, text) => {
  const found = findAll(patterns, text);
  expect(found).toEqual(naive(patterns, text));
});

test('finds nothing without patterns or text', () => {
  expect(findAll([], 'text')).toEqual([]);
  expect(findAll(['a'], '')).toEqual([]);
});

function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state >>> 8) % below;
  };
}

test('matches like a naive search for random patterns and texts', () => {
  const random = createRandom(7);
  const word = (most: number) =>
    Array.from({ length: 1 + random(most) }, () => ['a', 'b', '赌', '𠮷'][random(4)]).join('');
  for (let round = 0; round < 500; round++) {
    const patterns = [...new Set(Array.from({ length: 1 + random(12) }, () => word(5)))];
    const text = word(60);
    expect({ patterns, text, found: findAll(patterns, text) }).toEqual({
      patterns,
      text,
      found: naive(patterns, text),
    });
  }
});

test('handles many patterns with a common prefix in linear time', () => {
  const patterns = Array.from({ length: 2000 }, (_, i) => 'a'.repeat(20) + i);
  const text = `${'a'.repeat(100_000)}1999`;
  expect(findAll(patterns, text)).toEqual(
    [...new Set([...'1999'].map((_, i) => '1999'.slice(0, i + 1)))]
      .filter((digits) => patterns.includes('a'.repeat(20) + digits))
      .map((digits) => `${'a'.repeat(20)}${digits} ${100_000 + digits.length}`)
      .sort(),
  );
});
