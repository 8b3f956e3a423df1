import type { WordLevel } from '@mozhan/contract/sensitive-words.ts';
import { expect, test } from 'vitest';
import { createMatcher, findWords, screen, type WordEntry } from './matcher.ts';
import { toPattern } from './normalize.ts';

const entries = (words: Record<string, WordLevel>): WordEntry[] =>
  Object.entries(words).map(([word, level]) => ({ word, level }));

function found(words: string[], text: string): string[] {
  const hits: [number, string][] = [];
  const matcher = createMatcher(words.map((word) => ({ word, level: 'hold' })));
  findWords(matcher, text, [], (_, start, end) => hits.push([start, text.slice(start, end)]));
  return hits.sort((a, b) => a[0] - b[0] || a[1].length - b[1].length).map(([, part]) => part);
}

test.each([
  ['unchanged', '这里有赌博网站', ['赌博']],
  ['traditional', '這裡有賭博網站', ['賭博']],
  ['spaces', '赌 　博', ['赌 　博']],
  ['dots and asterisks', '赌.*·博', ['赌.*·博']],
  ['Markdown emphasis', '赌**博**', ['赌**博']],
  ['dashes and slashes', '赌——/博', ['赌——/博']],
  ['emoji', '赌👩‍💻博', ['赌👩‍💻博']],
  ['zero width', '赌\u200b\u2060\ufeff博', ['赌\u200b\u2060\ufeff博']],
  ['combining marks', '赌\u0336博\u0336', ['赌\u0336博\u0336']],
  ['not across a comma', '我赌，博一把', []],
  ['not across a line end', '赌\n博', []],
  ['twice', '赌博赌博', ['赌博', '赌博']],
])('matches Chinese words: %s', (_, text, parts) => {
  expect(found(['赌博'], text)).toEqual(parts);
});

test.each([
  ['as a word', 'buy VIAGRA now', ['VIAGRA']],
  ['next to Chinese', '买viagra吧', ['viagra']],
  ['full width', 'ｖｉａｇｒａ', ['ｖｉａｇｒａ']],
  ['at both ends of the text', 'viagra', ['viagra']],
  ['between underscores', '_viagra_', ['viagra']],
  ['not inside another word', 'viagraful, 3viagra', []],
  ['not with spaces between letters', 'v i a g r a', []],
  ['with invisible characters', 'via\u200bgra', ['via\u200bgra']],
  ['invisible characters are not a word boundary', 'viagra\u200bful', []],
])('matches Latin words: %s', (_, text, parts) => {
  expect(found(['viagra'], text)).toEqual(parts);
});

test('matches phrases, symbols and words of mixed scripts', () => {
  expect(found(['hello world'], 'Hello   World, hello\nworld, helloworld')).toEqual([
    'Hello   World',
    'hello\nworld',
  ]);
  expect(found(['c++'], 'C++ 和 C')).toEqual(['C++']);
  expect(found(['c'], 'cc c. ç c')).toEqual(['c', 'c']);
  expect(found(['加vx'], '加 VX 吧，加vxyz，加V·X')).toEqual(['加 VX', '加V·X']);
  expect(found(['🎰'], '来玩🎰')).toEqual(['🎰']);
});

test('finds overlapping and nested words', () => {
  expect(found(['赌博', '博彩', '赌博网站', '网站'], '赌博网站博彩')).toEqual([
    '赌博',
    '赌博网站',
    '网站',
    '博彩',
  ]);
});

test('words that differ only in spelling variants have the same key', () => {
  const keys = (...words: string[]) => new Set(words.map((word) => toPattern(word).key)).size;
  expect(keys('赌博', '賭博', '赌 博', ' 赌*博 ', '赌\u200b博')).toBe(1);
  expect(keys('Viagra', 'VIAGRA', 'ｖｉａｇｒａ')).toBe(1);
  expect(keys('c', 'c++', 'c#')).toBe(3);
});

test('returns the strongest level, and its words first', () => {
  const matcher = createMatcher(entries({ 广告: 'mask', 代写: 'hold', 毒品: 'refuse' }));
  expect(screen(matcher, '广告')).toEqual({ level: 'mask', words: ['广告'], refused: [], masked: '＊＊' });
  expect(screen(matcher, '广告、代写')).toMatchObject({ level: 'hold', words: ['代写', '广告'] });
  expect(screen(matcher, '广告、代写、毒品、广告')).toEqual({
    level: 'refuse',
    words: ['毒品', '代写', '广告'],
    refused: ['毒品'],
    masked: '＊＊、代写、毒品、＊＊',
  });
  expect(screen(matcher, '干净的文字')).toEqual({
    level: null,
    words: [],
    refused: [],
    masked: '干净的文字',
  });
});

test('masking keeps length and white space, and handles overlaps', () => {
  const matcher = createMatcher(entries({ 赌博: 'mask', 博彩: 'mask', 'hello world': 'mask', 𠮷: 'mask' }));
  expect(screen(matcher, '去赌 博彩票').masked).toBe('去＊ ＊＊票');
  expect(screen(matcher, 'say hello\nworld').masked).toBe('say ＊＊＊＊＊\n＊＊＊＊＊');
  expect(screen(matcher, '𠮷野').masked).toBe('＊野');
});

test.each(['\u0301\u0316', '\u0316\u0301', '\u{1d185}\u{1d17b}'])(
  'finds words with any number of combining marks: %j',
  (marks) => {
    const many = marks.repeat(100_000);
    expect(found(['赌博'], `赌${many}博`)).toEqual([`赌${many}博`]);
    expect(found(['赌博'], `${many}赌博`)).toEqual(['赌博']);
  },
);

test('skipped ranges do not affect matches around them', () => {
  const matcher = createMatcher(entries({ 赌博: 'hold', viagra: 'hold' }));
  expect(screen(matcher, '赌博', [[0, 2]]).level).toBeNull();
  expect(screen(matcher, '赌`x`博', [[1, 4]]).level).toBeNull();
  expect(
    screen(matcher, '`a`赌博`b`', [
      [0, 3],
      [5, 8],
    ]).words,
  ).toEqual(['赌博']);
  expect(
    screen(matcher, '`a`viagra`b`', [
      [0, 3],
      [9, 12],
    ]).words,
  ).toEqual(['viagra']);
});
