import { readItem, writeItem } from '@mozhan/client/storage.ts';

const KEY = 'reading-places';
const MOST = 50;

/** Of those who are not signed in, how far they have read: essay and percent, the latest last. */
function readPlaces(): [id: string, percent: number][] {
  try {
    const places: unknown = JSON.parse(readItem(KEY) ?? '[]');
    return Array.isArray(places) ? places : [];
  } catch {
    return [];
  }
}

export const readPlace = (id: string): number => readPlaces().find(([each]) => each === id)?.[1] ?? 0;

export function keepPlace(id: string, percent: number): void {
  const others = readPlaces().filter(([each]) => each !== id);
  writeItem(KEY, JSON.stringify([...others, [id, percent]].slice(-MOST)));
}

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
