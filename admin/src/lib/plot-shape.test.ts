import { expect, test } from 'vitest';
import { areaOf, barsOf, indexAt, lineOf, roundUp, ticksOf } from './plot-shape.ts';

test('an axis ends at a round number, and so does its half', () => {
  expect([0, 1, 2, 3, 9, 11, 21, 51, 1234].map(roundUp)).toEqual([2, 2, 2, 4, 10, 20, 40, 60, 2000]);
});

test('values lie between the edges, from the first day to the last', () => {
  expect(lineOf([0, 5, 10], 10)).toBe('M0 100L50 50L100 0');
  expect(lineOf([10], 10)).toBe('M50 0');
  expect(lineOf([], 10)).toBe('');
  expect(areaOf([0, 5, 10], 10)).toBe('M0 100L50 50L100 0V100H0Z');
});

test('bars have places of one width; nothing is no bar', () => {
  expect(barsOf([10, 0], 10)).toBe('M7.5 100V0H42.5V100Z');
});

test('a place on the plot is its nearest day', () => {
  expect([-1, 0, 0.24, 0.26, 1, 2].map((place) => indexAt(place, 3))).toEqual([0, 0, 0, 1, 2, 2]);
  expect([0, 0.3, 0.4, 1].map((place) => indexAt(place, 3, 'bars'))).toEqual([0, 0, 1, 2]);
});

test('the days that are named', () => {
  expect([0, 1, 2, 7, 30].map(ticksOf)).toEqual([[], [0], [0, 1], [0, 3, 6], [0, 14, 29]]);
});
