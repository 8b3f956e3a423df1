import { expect, test } from 'vitest';
import { computePlotShape, indexAt, roundUp } from './plot-shape.ts';

test('rounds the end of the axis up to 1, 2 or 5 times a power of ten', () => {
  expect([0, 1, 2, 3, 9, 11, 21, 51, 1234].map(roundUp)).toEqual([1, 1, 2, 5, 10, 20, 50, 100, 2000]);
});

test('scales the values to the plot', () => {
  const shape = computePlotShape([0, 5, 10]);
  expect(shape).toMatchObject({ line: 'M0 100L50 50L100 0', zero: 100, top: 10, bottom: 0 });
  expect(shape.area).toBe('M0 100L50 50L100 0L100 100L0 100Z');
});

test('draws negative values below zero', () => {
  expect(computePlotShape([2, -2])).toMatchObject({ line: 'M0 0L100 100', zero: 50, top: 2, bottom: -2 });
});

test('rounds a money axis to full yuan', () => {
  expect(computePlotShape([0, 0], 100)).toMatchObject({ top: 100, bottom: 0 });
  expect(computePlotShape([4268, -990], 100)).toMatchObject({ top: 5000, bottom: -1000 });
});

test('draws zeros as a flat line, one value as a centred point, and no values as nothing', () => {
  expect(computePlotShape([0, 0])).toMatchObject({ line: 'M0 100L100 100', top: 1 });
  expect(computePlotShape([1]).line).toBe('M50 0');
  expect(computePlotShape([])).toMatchObject({ line: '', area: '' });
});

test('returns the index nearest to a position', () => {
  expect([-1, 0, 0.24, 0.26, 1, 2].map((position) => indexAt(position, 3))).toEqual([0, 0, 0, 1, 2, 2]);
});
