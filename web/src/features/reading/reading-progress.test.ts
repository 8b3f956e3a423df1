import { afterEach, expect, test, vi } from 'vitest';
import { readingProgress, scrollTopOf } from './reading-progress.ts';

afterEach(() => vi.unstubAllGlobals());

/** A text that begins 400 px below the top of the page, in a viewport of 800 px. */
function scrolled(to: number, height: number): Element {
  vi.stubGlobal('scrollY', to);
  vi.stubGlobal('innerHeight', 800);
  const top = 400 - to;
  return { getBoundingClientRect: () => ({ top, height, bottom: top + height }) } as Element;
}

test('progress is 0 at the top of the page and 100 when the end of the text is visible', () => {
  expect(readingProgress(scrolled(0, 2000))).toBe(0);
  expect(readingProgress(scrolled(800, 2000))).toBe(50);
  expect(readingProgress(scrolled(1600, 2000))).toBe(100);
  expect(readingProgress(scrolled(3000, 2000))).toBe(100);
  // Some browsers allow negative scroll positions.
  expect(readingProgress(scrolled(-50, 2000))).toBe(0);
});

test('a text that fits into the viewport is fully read', () => {
  expect(readingProgress(scrolled(0, 300))).toBe(100);
});

test('scrolling to a stored progress restores the position', () => {
  const text = scrolled(0, 2000);
  expect(readingProgress(scrolled(scrollTopOf(text, 37), 2000))).toBe(37);
});
