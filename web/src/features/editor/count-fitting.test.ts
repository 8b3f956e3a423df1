import { expect, test } from 'vitest';
import { countFitting } from './count-fitting.ts';

const tools = [{}, {}, { startsGroup: true }, {}, {}];
const widths = { tool: 30, divider: 10 };

test('shows all tools where they fit exactly', () => {
  expect(countFitting(tools, 160, widths)).toBe(5);
  expect(countFitting([], 0, widths)).toBe(0);
});

test('leaves room for the button of the others where they do not', () => {
  expect(countFitting(tools, 159, widths)).toBe(3);
  expect(countFitting(tools, 130, widths)).toBe(3);
  expect(countFitting(tools, 129, widths)).toBe(2);
  expect(countFitting(tools, 60, widths)).toBe(1);
});

test('shows none where not even one fits', () => {
  expect(countFitting(tools, 20, widths)).toBe(0);
});
