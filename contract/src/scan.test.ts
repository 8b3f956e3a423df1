import { expect, test } from 'vitest';
import { before, replaceSections, replaceTags, splitTags, trimEnd } from './scan.ts';

const LONG = 200_000;

test('trims only at the end', () => {
  expect(trimEnd('/a//b///', '/')).toBe('/a//b');
  expect(trimEnd('///', '/')).toBe('');
  expect(trimEnd('a. .', '. ')).toBe('a');
  expect(trimEnd(`${'/'.repeat(LONG)}b`, '/')).toHaveLength(LONG + 1);
});

test('cuts at the first mark', () => {
  expect(before('/a?b?c', '?')).toBe('/a');
  expect(before('/a', '?')).toBe('/a');
});

const partsOf = (html: string) => [...splitTags(html)].map((part) => Object.values(part)[0]);

test('splits tags from text and keeps everything', () => {
  expect(partsOf('a <b title="x > y">c</b> d')).toEqual(['a ', '<b title="x > y">', 'c', '</b>', ' d']);
  expect(partsOf('1 < 2 and 2 > 1')).toEqual(['1 < 2 and 2 > 1']);
  expect(partsOf('<p>open <a href="x')).toEqual(['<p>', 'open <a href="x']);
  // A quote that is never closed ends with its tag.
  expect(partsOf(`<a title=it's>b</a>`)).toEqual([`<a title=it's>`, 'b', '</a>']);
});

test.each(['<a "', '<a', '<">" ', `<a '">`, '<'])('gives back all of a long run of %s', (unit) => {
  const html = unit.repeat(LONG / unit.length);
  expect(partsOf(html).join('')).toBe(html);
});

test('replaces tags alone', () => {
  expect(replaceTags('a<b>c</b>', (tag) => tag.toUpperCase())).toBe('a<B>c</B>');
});

const ends: Record<string, RegExp> = { x: /\[\/x\]/g, y: /\[\/y\]/g };
const withoutSections = (text: string, unclosed?: 'section') =>
  replaceSections(text, {
    open: /\[([xy])\]/g,
    close: ([, name = '']) => ({ name, pattern: ends[name] ?? /$/g }),
    replace: ([, name], inside) => `(${name}:${inside})`,
    ...(unclosed && { unclosed }),
  });

test('replaces sections up to what closes each', () => {
  expect(withoutSections('a[x]b[/x]c[y]d[x][/y]e')).toBe('a(x:b)c(y:d[x])e');
  expect(withoutSections('a[x]b[y]c[/y]')).toBe('a[x]b(y:c)');
  expect(withoutSections('a[x]b', 'section')).toBe('a(x:b)');
  expect(withoutSections('[x]'.repeat(LONG))).toHaveLength(3 * LONG);
});
