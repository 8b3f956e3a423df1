import type { BackupSchedule } from '@mozhan/contract/backups.ts';
import { dayOf } from '../../../day.ts';
import type { BackupRow } from './tables.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** China's clock is ahead by so much. */
const AHEAD_MS = 8 * HOUR_MS;
/** Without a sign of life for so long, nobody is at it any more. */
export const SILENT_MS = 2 * 60_000;
export const ATTEMPTS = 3;

/** Those who brought their own database may have backups of their own, and not the room here. */
export const defaultSchedule = (isEmbedded: boolean): BackupSchedule => ({
  on: isEmbedded,
  hour: 4,
  daily: 7,
  weekly: 4,
});

/** In China, as in `mozhan-20261116-040000.tar`. */
export function nameOf(now: Date): string {
  const [day = '', clock = ''] = new Date(now.getTime() + AHEAD_MS).toISOString().split(/[T.]/);
  return `mozhan-${day.replaceAll('-', '')}-${clock.replaceAll(':', '')}.tar`;
}

export const isName = (name: string): boolean => /^mozhan-[\w-]+\.tar$/.test(name);
export const isAside = (name: string): boolean => /^\.mozhan-[\w-]+\.part$/.test(name);

/** When it will next be that hour. */
export function nextTime({ on, hour }: BackupSchedule, now: Date): Date | null {
  if (!on) return null;
  const today = new Date(Date.parse(dayOf(now)) - AHEAD_MS + hour * HOUR_MS);
  return today > now ? today : new Date(today.getTime() + DAY_MS);
}

/** In its hour, unless it was begun; and at any hour when the last time was missed, the site having been down. */
export function isDue({ on, hour }: BackupSchedule, last: Date | null, now: Date): boolean {
  if (!on) return false;
  const isHour = new Date(now.getTime() + AHEAD_MS).getUTCHours() === hour;
  const age = last === null ? Number.POSITIVE_INFINITY : now.getTime() - last.getTime();
  return isHour ? age > HOUR_MS : last !== null && age > DAY_MS + HOUR_MS;
}

/** Weeks begin on Monday. */
const weekOf = (day: string): number => Math.floor((Date.parse(day) / DAY_MS + 3) / 7);

/** The newest of each of the last days and weeks that have one are kept; given newest first. */
export function toRemove<B extends Pick<BackupRow, 'createdAt'>>(
  list: readonly B[],
  { daily, weekly }: Pick<BackupSchedule, 'daily' | 'weekly'>,
): B[] {
  const days = new Set<string>();
  const weeks = new Set<number>();
  return list.filter(({ createdAt }) => {
    const day = dayOf(createdAt);
    const week = weekOf(day);
    const isOfDay = !days.has(day) && days.size < daily;
    const isOfWeek = !weeks.has(week) && weeks.size < weekly;
    if (isOfDay) days.add(day);
    if (isOfWeek) weeks.add(week);
    return !isOfDay && !isOfWeek;
  });
}

/** Room for one more like the last, and as much again; the first one is measured by the database. */
export const hasRoom = (freeBytes: number, lastBytes: number | null, databaseBytes: number): boolean =>
  freeBytes >= (lastBytes === null ? databaseBytes : 2 * lastBytes);
