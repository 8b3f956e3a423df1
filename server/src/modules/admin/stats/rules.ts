import { invalidField } from '@mozhan/contract/errors.ts';
import { chinaDayOf } from '../../../day.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const MAX_DAYS = 366;
/** Work that started before midnight may be stored a few minutes later. */
const GRACE_MS = 10 * MINUTE_MS;
/** Older figures of today are recounted when somebody views them. */
const MAX_AGE_MS = 30_000;
/** Rankings of longer ranges change slowly and are expensive, so they are refreshed less often. */
const SHORT_RANGE_DAYS = 31;

export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

export const lastCompleteDay = (now: Date): string =>
  addDays(chinaDayOf(new Date(now.getTime() - GRACE_MS)), -1);

export interface DayRange {
  /** A range of the last N days has the same key every day. */
  key: string;
  from: string;
  to: string;
  days: number;
}

/** Includes `to`. */
const countDaysBetween = (from: string, to: string): number =>
  (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;

export function parseRange(
  { days, from, to }: { days: number; from?: string | undefined; to?: string | undefined },
  now: Date,
): DayRange {
  const today = chinaDayOf(now);
  if (from === undefined && to === undefined)
    return { key: String(days), from: addDays(today, 1 - days), to: today, days };
  if (from === undefined) throw invalidField('from', '请选择开始日期');
  const last = to ?? today;
  if (last > today) throw invalidField('to', '不能晚于今天');
  if (from > last) throw invalidField('from', '开始日期不能晚于结束日期');
  const length = countDaysBetween(from, last);
  if (length > MAX_DAYS) throw invalidField('from', `最多 ${MAX_DAYS} 天`);
  return { key: `${from}/${last}`, from, to: last, days: length };
}

export const isFresh = (countedAt: Date | null, now: Date): boolean =>
  countedAt !== null && now.getTime() - countedAt.getTime() < MAX_AGE_MS;

export const areTopsFresh = (computedAt: Date | undefined, { days }: DayRange, now: Date): boolean =>
  computedAt !== undefined &&
  now.getTime() - computedAt.getTime() < (days > SHORT_RANGE_DAYS ? 60 : 10) * MINUTE_MS;
