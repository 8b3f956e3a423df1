import { contrast } from '@mozhan/contract/colour.ts';
import { expect, test } from 'vitest';
import { grounds, mix, tonesOf } from './colour.ts';

test('contrast is that of WCAG', () => {
  expect(contrast('#ffffff', '#000000')).toBeCloseTo(21);
  expect(contrast('#ff6968', '#ffffff')).toBeCloseTo(2.81, 1);
  expect(mix('#000000', '#ffffff', 0.5)).toBe('#808080');
});

test.each(['#ff6968', '#1677ff', '#ffe600', '#000000', '#ffffff', '#808080'])(
  '%s becomes readable on every surface and on its tint, light and dark',
  (colour) => {
    for (const scheme of ['light', 'dark'] as const) {
      const { base, tint } = tonesOf(colour, scheme);
      for (const surface of [...grounds[scheme].surfaces, tint])
        expect(contrast(base, surface), `${base} on ${surface}`).toBeGreaterThanOrEqual(4.5);
    }
  },
);

test('a colour that reads well is left alone', () => {
  expect(tonesOf('#b0211f', 'light').base).toBe('#b0211f');
});
