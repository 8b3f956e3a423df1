import { expect, test } from 'vitest';
import { moved } from './order.ts';

const list = [
  { id: 'a', sort: 10 },
  { id: 'b', sort: 20 },
  { id: 'c', sort: 20 },
];

test('neighbours change places', () => {
  expect(moved(list, 'b', -1)).toEqual([
    { id: 'b', sort: 10 },
    { id: 'a', sort: 20 },
  ]);
});

test('among equals all are numbered anew', () => {
  expect(moved(list, 'c', -1)).toEqual([
    { id: 'a', sort: 0 },
    { id: 'c', sort: 1 },
    { id: 'b', sort: 2 },
  ]);
});

test('the first goes no further up, the last no further down', () => {
  expect(moved(list, 'a', -1)).toEqual([]);
  expect(moved(list, 'c', 1)).toEqual([]);
  expect(moved(list, 'nobody', 1)).toEqual([]);
});
