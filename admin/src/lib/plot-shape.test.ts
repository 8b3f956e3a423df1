import { expect, test } from 'vitest';
import { indexAt, lineOf, roundUp } from './plot-shape.ts';

test('an axis ends at a round number', () => {
  expect([0, 1, 2, 3, 9, 11, 21, 51, 1234].map(roundUp)).toEqual([1, 1, 2, 5, 10, 20, 50, 100, 2000]);
});

test('values lie between the edges, from the first day to the last', () => {
  expect(lineOf([0, 5, 10], 10)).toBe('M0 100L50 50L100 0');
  expect(lineOf([10], 10)).toBe('M50 0');
  expect(lineOf([], 10)).toBe('');
});

test('a place on the plot is its nearest day', () => {
  expect([-1, 0, 0.24, 0.26, 1, 2].map((place) => indexAt(place, 3))).toEqual([0, 0, 0, 1, 2, 2]);
});
