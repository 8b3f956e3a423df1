import { expect, test } from 'vitest';
import { diffLines } from './diff-lines.ts';

const diff = (before: string, after: string) =>
  diffLines(before.split(''), after.split('')).map(({ kind, from, to }) => `${kind} ${from}-${to}`);

test('finds added, changed and removed lines', () => {
  expect(diff('abc', 'abc')).toEqual([]);
  expect(diff('abc', 'abxc')).toEqual(['added 2-3']);
  expect(diff('abc', 'ac')).toEqual(['removed 1-1']);
  expect(diff('abc', 'axc')).toEqual(['changed 1-2']);
  expect(diff('', 'ab')).toEqual(['added 0-2']);
  expect(diff('ab', '')).toEqual(['removed 0-0']);
  expect(diff('abcdef', 'xbcdyef')).toEqual(['changed 0-1', 'added 4-5']);
  expect(diff('abcdef', 'bcdf')).toEqual(['removed 0-0', 'removed 3-3']);
});

/** Applies the changes to the old text, taking changed and added lines from the new one. */
function isConsistent(before: string, after: string): boolean {
  const changes = diffLines(before.split(''), after.split(''));
  let line = 0;
  let kept = '';
  for (const { from, to } of changes) {
    kept += after.slice(line, from);
    line = to;
  }
  kept += after.slice(line);
  // What is unchanged appears in the old text in the same order.
  let at = 0;
  for (const letter of kept) {
    at = before.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

test('what it does not report is in both texts, in the same order', () => {
  let seed = 7;
  const random = (max: number) => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed % max;
  };
  const text = () => Array.from({ length: random(14) }, () => 'abc'[random(3)]).join('');
  for (let round = 0; round < 500; round += 1) {
    const [before, after] = [text(), text()];
    expect([before, after, isConsistent(before, after)]).toEqual([before, after, true]);
  }
});

test('compares texts that have nothing in common as a whole', () => {
  const lines = (prefix: string) => Array.from({ length: 2000 }, (_, index) => `${prefix}${index}`);
  expect(diffLines(lines('a'), lines('b'))).toEqual([{ kind: 'changed', from: 0, to: 2000 }]);
});
