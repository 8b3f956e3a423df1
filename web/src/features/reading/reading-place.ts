import { keptValues } from '#web/lib/kept-values.ts';

/** Of those who are not signed in, how far they have read, in percent. */
const places = keptValues<number>('reading-places', 50);

export const readPlace = (id: string): number => places.read(id) ?? 0;
export const keepPlace = places.keep;

/** How far the page is scrolled when the end of the text has come into view. */
function endOf(text: Element): number {
  const { bottom } = text.getBoundingClientRect();
  return scrollY + bottom - innerHeight;
}

/** How much of the way from the top of the page to the end of the text is done, in percent: 0 before any scrolling. */
export function placeIn(text: Element): number {
  const end = endOf(text);
  // A text that fits on the screen is read without scrolling.
  return end <= 0 ? 100 : Math.max(0, Math.min(100, Math.round((scrollY / end) * 100)));
}

/** Where to scroll for that place. */
export const scrollTopOf = (text: Element, percent: number): number => (endOf(text) * percent) / 100;
