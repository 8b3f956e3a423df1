import { expect, test } from 'vitest';
import { placeInColumn } from './columns.ts';

/** The essays of a column of `count` that the query returns for the essay at `position`. */
const around = (position: number, count: number) => {
  const first = Math.max(1, position - 8);
  const last = Math.min(count, position + 8);
  return Array.from({ length: last - first + 1 }, (_, index) => ({ id: `e${first + index}` }));
};
const place = (position: number, count: number) =>
  placeInColumn(around(position, count), `e${position}`, position);
const positions = (position: number, count: number) =>
  place(position, count).essays.map((each) => each.position);

test.each([
  [1, 1, [1]],
  [2, 3, [1, 2, 3]],
  [1, 20, [1, 2, 3, 4, 5, 6, 7, 8, 9]],
  [4, 20, [1, 2, 3, 4, 5, 6, 7, 8, 9]],
  [10, 20, [6, 7, 8, 9, 10, 11, 12, 13, 14]],
  [20, 20, [12, 13, 14, 15, 16, 17, 18, 19, 20]],
])('essay %i of %i is shown with the essays %j', (position, count, shown) => {
  expect(positions(position, count)).toEqual(shown);
  expect(place(position, count).essays.every((each) => each.id === `e${each.position}`)).toBe(true);
});

test('the neighbours are those before and after, and null at the ends', () => {
  expect(place(5, 9)).toMatchObject({ previous: { id: 'e4' }, next: { id: 'e6' } });
  expect(place(1, 2)).toMatchObject({ previous: null, next: { id: 'e2' } });
  expect(place(2, 2)).toMatchObject({ previous: { id: 'e1' }, next: null });
  expect(placeInColumn([], 'e1', 1)).toEqual({ previous: null, next: null, essays: [] });
});
