import { expect, test } from 'vitest';
import { commonEnds, replaceSections, replaceTags, splitTags, textBefore, trimEnd } from './text-scan.ts';

const LONG = 200_000;

test('trims only at the end', () => {
  expect(trimEnd('/a//b///', '/')).toBe('/a//b');
  expect(trimEnd('///', '/')).toBe('');
  expect(trimEnd('a. .', '. ')).toBe('a');
  expect(trimEnd(`${'/'.repeat(LONG)}b`, '/')).toHaveLength(LONG + 1);
});

test('returns the text before the first separator', () => {
  expect(textBefore('/a?b?c', '?')).toBe('/a');
  expect(textBefore('/a', '?')).toBe('/a');
});

const partsOf = (html: string) => [...splitTags(html)].map((part) => Object.values(part)[0]);

test('splits HTML into tags and text without losing characters', () => {
  expect(partsOf('a <b title="x > y">c</b> d')).toEqual(['a ', '<b title="x > y">', 'c', '</b>', ' d']);
  expect(partsOf('1 < 2 and 2 > 1')).toEqual(['1 < 2 and 2 > 1']);
  expect(partsOf('<p>open <a href="x')).toEqual(['<p>', 'open <a href="x']);
  // An unclosed quote ends with its tag.
  expect(partsOf(`<a title=it's>b</a>`)).toEqual([`<a title=it's>`, 'b', '</a>']);
});

test.each(['<a "', '<a', '<">" ', `<a '">`, '<'])('loses nothing in a long repetition of %s', (unit) => {
  const html = unit.repeat(LONG / unit.length);
  expect(partsOf(html).join('')).toBe(html);
});

test('replaces tags and leaves text unchanged', () => {
  expect(replaceTags('a<b>c</b>', (tag) => tag.toUpperCase())).toBe('a<B>c</B>');
});

const closePatterns: Record<string, RegExp> = { x: /\[\/x\]/g, y: /\[\/y\]/g };
const replaceTestSections = (text: string, unclosed?: 'section') =>
  replaceSections(text, {
    open: /\[([xy])\]/g,
    close: ([, name = '']) => ({ name, pattern: closePatterns[name] ?? /$/g }),
    replace: ([, name], inside) => `(${name}:${inside})`,
    ...(unclosed && { unclosed }),
  });

test('replaces each section up to its own closing pattern', () => {
  expect(replaceTestSections('a[x]b[/x]c[y]d[x][/y]e')).toBe('a(x:b)c(y:d[x])e');
  expect(replaceTestSections('a[x]b[y]c[/y]')).toBe('a[x]b(y:c)');
  expect(replaceTestSections('a[x]b', 'section')).toBe('a(x:b)');
  expect(replaceTestSections('[x]'.repeat(LONG))).toHaveLength(3 * LONG);
});

test('finds what two texts have in common', () => {
  expect(commonEnds('甲乙丙', '甲丁丙')).toEqual({ prefix: 1, suffix: 1 });
  expect(commonEnds('aaa', 'aa')).toEqual({ prefix: 2, suffix: 0 });
  expect(commonEnds('', '甲')).toEqual({ prefix: 0, suffix: 0 });
  expect(commonEnds('甲', '甲')).toEqual({ prefix: 1, suffix: 0 });
});
