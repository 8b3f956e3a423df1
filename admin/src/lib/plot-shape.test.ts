import { expect, test } from 'vitest';
import { areaOf, barsOf, indexAt, lineOf, roundUp, ticksOf } from './plot-shape.ts';

test('rounds the axis maximum so that its half is round too', () => {
  expect([0, 1, 2, 3, 9, 11, 21, 51, 1234].map(roundUp)).toEqual([2, 2, 2, 4, 10, 20, 40, 60, 2000]);
});

test('draws lines and areas from edge to edge', () => {
  expect(lineOf([0, 5, 10], 10)).toBe('M0 100L50 50L100 0');
  expect(lineOf([10], 10)).toBe('M50 0');
  expect(lineOf([], 10)).toBe('');
  expect(areaOf([0, 5, 10], 10)).toBe('M0 100L50 50L100 0V100H0Z');
});

test('draws bars of equal width, and none for zero', () => {
  expect(barsOf([10, 0], 10)).toBe('M7.5 100V0H42.5V100Z');
});

test('maps a position on the plot to the nearest day', () => {
  expect([-1, 0, 0.24, 0.26, 1, 2].map((fraction) => indexAt(fraction, 3))).toEqual([0, 0, 0, 1, 2, 2]);
  expect([0, 0.3, 0.4, 1].map((fraction) => indexAt(fraction, 3, 'bars'))).toEqual([0, 0, 1, 2]);
});

test('labels the first, middle and last day', () => {
  expect([0, 1, 2, 7, 30].map(ticksOf)).toEqual([[], [0], [0, 1], [0, 3, 6], [0, 14, 29]]);
});
