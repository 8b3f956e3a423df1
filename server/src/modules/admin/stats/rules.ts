import { invalid } from '@mozhan/contract/errors.ts';
import { dayOf } from '../../../day.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const MOST_DAYS = 366;
/** What began before midnight may be written down a little after it. */
const GRACE_MS = 10 * MINUTE_MS;
/** Numbers of today that are older are counted anew when somebody looks. */
const FRESH_MS = 30_000;
/** What is read most changes the more slowly, and is summed the longer, the more days there are. */
const FEW_DAYS = 31;

export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

/** The last day of which nothing can be missing. */
export const lastOver = (now: Date): string => addDays(dayOf(new Date(now.getTime() - GRACE_MS)), -1);

export interface Range {
  /** The last so many days are the same range tomorrow. */
  key: string;
  from: string;
  to: string;
  days: number;
}

/** `to` is included. */
const lengthOf = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;

export function rangeOf(
  { days, from, to }: { days: number; from?: string | undefined; to?: string | undefined },
  now: Date,
): Range {
  const today = dayOf(now);
  if (from === undefined && to === undefined)
    return { key: String(days), from: addDays(today, 1 - days), to: today, days };
  if (from === undefined) throw invalid('from', '请选择从哪天开始');
  const last = to ?? today;
  if (last > today) throw invalid('to', '不能晚于今天');
  if (from > last) throw invalid('from', '开始的日子不能晚于结束的日子');
  const length = lengthOf(from, last);
  if (length > MOST_DAYS) throw invalid('from', `最多 ${MOST_DAYS} 天`);
  return { key: `${from}/${last}`, from, to: last, days: length };
}

export const isFresh = (countedAt: Date | null, now: Date): boolean =>
  countedAt !== null && now.getTime() - countedAt.getTime() < FRESH_MS;

export const areTopsFresh = (computedAt: Date | undefined, { days }: Range, now: Date): boolean =>
  computedAt !== undefined && now.getTime() - computedAt.getTime() < (days > FEW_DAYS ? 60 : 10) * MINUTE_MS;
