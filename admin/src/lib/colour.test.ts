import { contrastRatio } from '@mozhan/contract/colour.ts';
import { expect, test } from 'vitest';
import { backgrounds, mixColours, tonesOf } from './colour.ts';

test('computes the WCAG contrast ratio and mixes colours', () => {
  expect(contrastRatio('#ffffff', '#000000')).toBeCloseTo(21);
  expect(contrastRatio('#ff6968', '#ffffff')).toBeCloseTo(2.81, 1);
  expect(mixColours('#000000', '#ffffff', 0.5)).toBe('#808080');
});

test.each(['#ff6968', '#1677ff', '#ffe600', '#000000', '#ffffff', '#808080'])(
  '%s becomes readable on every surface and on its tint, light and dark',
  (colour) => {
    for (const scheme of ['light', 'dark'] as const) {
      const { base, tint } = tonesOf(colour, scheme);
      for (const surface of [...backgrounds[scheme].surfaces, tint])
        expect(contrastRatio(base, surface), `${base} on ${surface}`).toBeGreaterThanOrEqual(4.5);
    }
  },
);

test('leaves a readable colour unchanged', () => {
  expect(tonesOf('#b0211f', 'light').base).toBe('#b0211f');
});
