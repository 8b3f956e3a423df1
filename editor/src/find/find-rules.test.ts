import fc from 'fast-check';
import { expect, test } from 'vitest';
import { answer, MAX_MATCHES, nextMatch, previousMatch, type Query } from './find-rules.ts';

const plain: Query = { text: '', isRegexp: false, isCaseSensitive: false, isWholeWord: false };

function find(text: string, query: Partial<Query>): string[] {
  const found = answer({ type: 'find', text, query: { ...plain, ...query } });
  if (found.type !== 'found') throw new Error(JSON.stringify(found));
  return found.matches.map(({ from, to }) => text.slice(from, to));
}

function replaceAll(text: string, query: Partial<Query>, template: string): string {
  const found = answer({ type: 'replace', text, query: { ...plain, ...query }, template, at: 'all' });
  if (found.type !== 'replacements') throw new Error(JSON.stringify(found));
  let result = text;
  for (const { from, to, insert } of found.replacements.toReversed())
    result = result.slice(0, from) + insert + result.slice(to);
  return result;
}

test('finds plain text with and without case', () => {
  expect(find('Node node NODE', { text: 'node' })).toHaveLength(3);
  expect(find('Node node NODE', { text: 'node', isCaseSensitive: true })).toEqual(['node']);
  expect(find('a.b axb', { text: 'a.b' })).toEqual(['a.b']);
});

test('plain text of any characters finds itself', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, unit: 'binary' }), (text) => {
      expect(find(`甲${text}乙`, { text, isCaseSensitive: true })).toContain(text);
    }),
  );
});

test('whole words apply to letters, not to Chinese', () => {
  expect(find('cat concat cat2 cat', { text: 'cat', isWholeWord: true })).toHaveLength(2);
  expect(find('写代码的人', { text: '代码', isWholeWord: true })).toEqual(['代码']);
  expect(find('用cat命令', { text: 'cat', isWholeWord: true })).toEqual(['cat']);
});

test('finds by regular expressions, with lines, Unicode classes and sloppy escapes', () => {
  const isRegexp = true;
  expect(find('一\n二', { text: '^.', isRegexp })).toEqual(['一', '二']);
  expect(find('a中b', { text: '\\p{Script=Han}', isRegexp })).toEqual(['中']);
  expect(find('a_b', { text: 'a\\_b', isRegexp })).toEqual(['a_b']);
  expect(answer({ type: 'find', text: 'a', query: { ...plain, text: '(', isRegexp } })).toEqual({
    type: 'failed',
    message: '这个正则表达式写得不对',
  });
});

test('replaces with groups of a regular expression, literally without one', () => {
  const isRegexp = true;
  expect(replaceAll('2026-11', { text: '(\\d+)-(\\d+)', isRegexp }, '$2/$1 $$ $& $3')).toBe(
    '11/2026 $ 2026-11 $3',
  );
  expect(replaceAll('ab', { text: '(?<x>a)(b)', isRegexp }, '$<x>$<y>$12\\n')).toBe('aa2\n');
  expect(replaceAll('一\n二', { text: '^', isRegexp }, '- ')).toBe('- 一\n- 二');
  expect(replaceAll('a a', { text: 'a' }, '$1\\n')).toBe('$1\\n $1\\n');
});

test('the number of matches and the length of the result are limited', () => {
  const text = 'a'.repeat(MAX_MATCHES + 1);
  const found = answer({ type: 'find', text, query: { ...plain, text: 'a' } });
  expect(found).toMatchObject({ type: 'found', isLimited: true });
  const grown = answer({
    type: 'replace',
    text: 'a'.repeat(5000),
    query: { ...plain, text: 'a' },
    template: 'b'.repeat(1000),
    at: 'all',
  });
  expect(grown).toEqual({ type: 'failed', message: '替换后的文字太长了' });
});

test('replaces one match at its position only', () => {
  const query = { ...plain, text: 'a' };
  expect(answer({ type: 'replace', text: 'a a', query, template: 'b', at: 2 })).toMatchObject({
    replacements: [{ from: 2, to: 3, insert: 'b' }],
  });
  expect(answer({ type: 'replace', text: 'a a', query, template: 'b', at: 1 })).toMatchObject({
    replacements: [],
  });
});

test('goes round at the ends of the text', () => {
  const matches = [
    { from: 2, to: 3 },
    { from: 5, to: 6 },
  ];
  expect([0, 2, 3, 6].map((at) => nextMatch(matches, at))).toEqual([0, 0, 1, 0]);
  expect([0, 2, 3, 6].map((at) => previousMatch(matches, at))).toEqual([1, 1, 0, 1]);
});
