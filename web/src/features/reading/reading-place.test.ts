import { afterEach, expect, test, vi } from 'vitest';
import { placeIn, scrollTopOf } from './reading-place.ts';

afterEach(() => vi.unstubAllGlobals());

/** A text that begins 400 px below the top of the page, seen on a screen of 800 px. */
function scrolled(to: number, height: number): Element {
  vi.stubGlobal('scrollY', to);
  vi.stubGlobal('innerHeight', 800);
  const top = 400 - to;
  return { getBoundingClientRect: () => ({ top, height, bottom: top + height }) } as Element;
}

test('nothing is read at the top of the page, all of it where the end of the text is in view', () => {
  expect(placeIn(scrolled(0, 2000))).toBe(0);
  expect(placeIn(scrolled(800, 2000))).toBe(50);
  expect(placeIn(scrolled(1600, 2000))).toBe(100);
  expect(placeIn(scrolled(3000, 2000))).toBe(100);
  // Some browsers let the page be pulled down beyond its top.
  expect(placeIn(scrolled(-50, 2000))).toBe(0);
});

test('a text that fits on the screen is read at once', () => {
  expect(placeIn(scrolled(0, 300))).toBe(100);
});

test('whoever goes on reading comes to the place they left', () => {
  const text = scrolled(0, 2000);
  expect(placeIn(scrolled(scrollTopOf(text, 37), 2000))).toBe(37);
});
