import { readItem, writeItem } from '#contract/browser/storage.ts';

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

/** How much of the text has come into view, in percent. */
export function placeIn(text: Element): number {
  const { top, height } = text.getBoundingClientRect();
  if (height === 0) return 0;
  return Math.max(0, Math.min(100, Math.round(((innerHeight - top) / height) * 100)));
}

/** Where to scroll so that as much of the text has come into view. */
export function scrollTopOf(text: Element, percent: number): number {
  const { top, height } = text.getBoundingClientRect();
  return scrollY + top + (height * percent) / 100 - innerHeight;
}
