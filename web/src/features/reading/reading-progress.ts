import { storedValues } from '#web/lib/stored-values.ts';

/** The progress of visitors, in percent. */
const storedProgress = storedValues<number>('reading-places', 50);

export const readStoredProgress = (id: string): number => storedProgress.read(id) ?? 0;
export const storeProgress = storedProgress.save;

/** The scroll position at which the end of the text becomes visible. */
function endScrollTop(text: Element): number {
  const { bottom } = text.getBoundingClientRect();
  return scrollY + bottom - innerHeight;
}

/** The progress from the top of the page to the end of the text, in percent. */
export function readingProgress(text: Element): number {
  const end = endScrollTop(text);
  // A text that fits into the viewport is read without scrolling.
  return end <= 0 ? 100 : Math.max(0, Math.min(100, Math.round((scrollY / end) * 100)));
}

export const scrollTopOf = (text: Element, percent: number): number => (endScrollTop(text) * percent) / 100;
