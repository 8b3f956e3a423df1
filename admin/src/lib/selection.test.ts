import { expect, test } from 'vitest';
import { follow, type Selection, stillIn } from './selection.ts';

const first = { id: '1', enabled: 1 };
const second = { id: '2', enabled: 1 };
const third = { id: '3', enabled: 1 };
const rows = [first, second];
const chosen = [first, third];

/** The first page is seen; the first row of it and one of another page are chosen. */
const before: Selection<typeof first> = { scope: '', page: '1', rows, kept: chosen };
const ids = ({ kept }: typeof before) => kept.map(({ id }) => id);

test('another search or filter starts with nothing chosen', () => {
  const other = follow(before, { scope: '林', page: '1', rows: undefined });
  expect(other.kept).toEqual([]);
  const late = { ...other, kept: [third] };
  expect(follow(late, { scope: '林', page: '1', rows }).kept).toEqual([]);
});

test('turning the page keeps what was chosen', () => {
  const turning = follow(before, { scope: '', page: '2', rows: undefined });
  expect(turning).toBe(before);
  expect(ids(follow(turning, { scope: '', page: '2', rows: [third] }))).toEqual(['1', '3']);
});

test('what has left the page it was on is let go, also when the page is turned afterwards', () => {
  const after = follow(before, { scope: '', page: '1', rows: [second] });
  expect(ids(after)).toEqual(['3']);
  expect(ids(follow(after, { scope: '', page: '2', rows: [] }))).toEqual(['3']);
});

test('a chosen row is as it was seen last', () => {
  const disabled = rows.map((row) => ({ ...row, enabled: 0 }));
  const after = follow(before, { scope: '', page: '1', rows: disabled });
  expect(after.kept).toEqual([
    { id: '1', enabled: 0 },
    { id: '3', enabled: 1 },
  ]);
  expect(follow(after, { scope: '', page: '2', rows: [] }).kept).toEqual(after.kept);
});

test('nothing new is the same', () => {
  expect(follow(before, { scope: '', page: '1', rows })).toBe(before);
});

test('of a list that comes whole, only what is in it', () => {
  expect(stillIn(chosen, [{ id: '1', enabled: 0 }])).toEqual([{ id: '1', enabled: 0 }]);
});
