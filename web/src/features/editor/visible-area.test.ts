import { expect, test } from 'vitest';
import { isKeyboardOpen } from './visible-area.ts';

test('a keyboard takes a large part of the height', () => {
  expect(isKeyboardOpen({ height: 420, full: 760, scale: 1 })).toBe(true);
});

test('bars of the browser and a zoomed page are no keyboard', () => {
  expect(isKeyboardOpen({ height: 700, full: 760, scale: 1 })).toBe(false);
  expect(isKeyboardOpen({ height: 380, full: 760, scale: 2 })).toBe(false);
});
