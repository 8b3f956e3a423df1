import { describe, expect, test } from 'vitest';
import { newSince } from './rules/reader-home.ts';
import { runAfter, spreadAuthors } from './rules/recommend.ts';

const toRows = (authors: string) =>
  [...authors].map((authorId, index) => ({ authorId, id: `${authorId}${index}` }));
const spread = (authors: string, before = '') =>
  spreadAuthors(toRows(authors), toRows(before).reduce(runAfter, { authorId: '', length: 0 }))
    .map(({ authorId }) => authorId)
    .join('');

describe('at most two essays of one author in a row', () => {
  test.each<[rule: string, given: string, expected: string, before?: string]>([
    ['keeps an order that has no more', 'aabbaab', 'aabbaab'],
    ['moves the next author forward', 'aaab', 'aaba'],
    ['moves as little as needed', 'aaabbbc', 'aababbc'],
    ['spreads many essays of one author', 'aaaaaabc', 'aabaacaa'],
    ['lists the rest when there is nobody else', 'aaaa', 'aaaa'],
    ['continues after two of the same author', 'aab', 'baa', 'aa'],
    ['continues after one of the same author', 'aab', 'aba', 'ba'],
    ['does not mind others before', 'aab', 'aab', 'bb'],
    ['an empty list', '', '', 'aa'],
  ])('%s', (_, given, expected, before) => {
    expect(spread(given, before)).toBe(expected);
  });

  test('keeps every essay once, and the order of those of one author', () => {
    const rows = toRows('abaaaacbbbbaacaaaad');
    const result = spreadAuthors(rows);
    expect(result.toSorted((a, b) => a.id.localeCompare(b.id))).toEqual(
      rows.toSorted((a, b) => a.id.localeCompare(b.id)),
    );
    for (const author of 'abcd')
      expect(result.filter(({ authorId }) => authorId === author)).toEqual(
        rows.filter(({ authorId }) => authorId === author),
      );
  });
});

describe('essays of followed authors are new', () => {
  const now = new Date('2026-11-17T12:00:00Z');
  test.each([
    ['since the last visit', '2026-11-15T08:00:00.000Z', '2026-11-15T08:00:00.000Z'],
    ['for a month at most', '2026-01-01T00:00:00.000Z', '2026-10-18T12:00:00.000Z'],
    ['for a week before the first visit', null, '2026-11-10T12:00:00.000Z'],
  ])('%s', (_, visited, since) => {
    expect(newSince(visited === null ? null : new Date(visited), now).toISOString()).toBe(since);
  });
});
