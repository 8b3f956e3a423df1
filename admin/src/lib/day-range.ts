const DAY_MS = 24 * 60 * 60 * 1000;

/** The longest that can be asked for. */
const MOST_DAYS = 366;

export interface DayRange {
  /** YYYY-MM-DD, both included. */
  from: string;
  to: string;
}

const shift = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

const earlier = (a: string, b: string): string => (a < b ? a : b);
const later = (a: string, b: string): string => (a > b ? a : b);

/** Beginning on another day: the end stays where it can. */
export function beginAt(range: DayRange, day: string, today: string): DayRange {
  const from = earlier(day, today);
  return { from, to: earlier(later(range.to, from), shift(from, MOST_DAYS - 1)) };
}

/** Ending on another day: the beginning stays where it can. */
export function endAt(range: DayRange, day: string, today: string): DayRange {
  const to = earlier(day, today);
  return { from: later(earlier(range.from, to), shift(to, 1 - MOST_DAYS)), to };
}
