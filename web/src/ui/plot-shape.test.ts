import { expect, test } from 'vitest';
import { indexAt, roundUp, shapeOf } from './plot-shape.ts';

test('an axis ends at a round number', () => {
  expect([0, 1, 2, 3, 9, 11, 21, 51, 1234].map(roundUp)).toEqual([1, 1, 2, 5, 10, 20, 50, 100, 2000]);
});

test('values lie between the edges, from the first day to the last', () => {
  const shape = shapeOf([0, 5, 10]);
  expect(shape).toMatchObject({ line: 'M0 100L50 50L100 0', zero: 100, top: 10, bottom: 0 });
  expect(shape.area).toBe('M0 100L50 50L100 0L100 100L0 100Z');
});

test('what was taken back lies below zero', () => {
  expect(shapeOf([2, -2])).toMatchObject({ line: 'M0 0L100 100', zero: 50, top: 2, bottom: -2 });
});

test('an axis of money ends at a round number of yuan', () => {
  expect(shapeOf([0, 0], 100)).toMatchObject({ top: 100, bottom: 0 });
  expect(shapeOf([4268, -990], 100)).toMatchObject({ top: 5000, bottom: -1000 });
});

test('nothing at all is a flat line, one day a point in the middle, no day nothing', () => {
  expect(shapeOf([0, 0])).toMatchObject({ line: 'M0 100L100 100', top: 1 });
  expect(shapeOf([1]).line).toBe('M50 0');
  expect(shapeOf([])).toMatchObject({ line: '', area: '' });
});

test('a place on the plot is its nearest day', () => {
  expect([-1, 0, 0.24, 0.26, 1, 2].map((place) => indexAt(place, 3))).toEqual([0, 0, 0, 1, 2, 2]);
});
