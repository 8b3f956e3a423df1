import { expect, test } from 'vitest';
import { reorder } from './reorder.ts';

const list = [
  { id: 'a', sort: 10 },
  { id: 'b', sort: 20 },
  { id: 'c', sort: 20 },
];

test('swaps the sort numbers of neighbours', () => {
  expect(reorder(list, 'b', -1)).toEqual([
    { id: 'b', sort: 10 },
    { id: 'a', sort: 20 },
  ]);
});

test('renumbers all rows when sort numbers are equal', () => {
  expect(reorder(list, 'c', -1)).toEqual([
    { id: 'a', sort: 0 },
    { id: 'c', sort: 1 },
    { id: 'b', sort: 2 },
  ]);
});

test('does nothing at the ends of the list or for an unknown id', () => {
  expect(reorder(list, 'a', -1)).toEqual([]);
  expect(reorder(list, 'c', 1)).toEqual([]);
  expect(reorder(list, 'nobody', 1)).toEqual([]);
});
