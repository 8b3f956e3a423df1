const DAY_MS = 24 * 60 * 60 * 1000;

/** Limit of the API. */
const MAX_DAYS = 366;

export interface DayRange {
  /** YYYY-MM-DD, both included. */
  from: string;
  to: string;
}

const shift = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

const earlier = (a: string, b: string): string => (a < b ? a : b);
const later = (a: string, b: string): string => (a > b ? a : b);

/** Changes the first day; keeps the last day when possible. */
export function withStart(range: DayRange, day: string, today: string): DayRange {
  const from = earlier(day, today);
  return { from, to: earlier(later(range.to, from), shift(from, MAX_DAYS - 1)) };
}

/** Changes the last day; keeps the first day when possible. */
export function withEnd(range: DayRange, day: string, today: string): DayRange {
  const to = earlier(day, today);
  return { from: later(earlier(range.from, to), shift(to, 1 - MAX_DAYS)), to };
}
