import type { BackupSchedule } from '@mozhan/contract/backups.ts';
import { chinaDayOf } from '../../../day.ts';
import type { BackupRow } from './tables.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const CHINA_OFFSET_MS = 8 * HOUR_MS;
/** Without a heartbeat for this time, the process that writes a backup is considered dead. */
export const STALLED_AFTER_MS = 2 * 60_000;
export const MAX_ATTEMPTS = 3;

/** Off with an external database, whose operator may have other backups and no disk space here. */
export const defaultSchedule = (isEmbedded: boolean): BackupSchedule => ({
  on: isEmbedded,
  hour: 4,
  daily: 7,
  weekly: 4,
  copyDaily: 30,
  copyWeekly: 26,
});

/** Uses the time in China, as in `mozhan-20261116-040000.tar`. */
export function fileNameFor(now: Date, prefix = 'mozhan'): string {
  const [day = '', clock = ''] = new Date(now.getTime() + CHINA_OFFSET_MS).toISOString().split(/[T.]/);
  return `${prefix}-${day.replaceAll('-', '')}-${clock.replaceAll(':', '')}.tar`;
}

/** The start of the backup with this file name; null for names that operators chose. */
export function timeOfFileName(name: string): Date | null {
  const [, day = '', clock = ''] = /^mozhan-(\d{8})-(\d{6})/.exec(name) ?? [];
  const time = new Date(
    `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}T${clock.slice(0, 2)}:${clock.slice(2, 4)}:${clock.slice(4)}+08:00`,
  );
  return Number.isNaN(time.getTime()) ? null : time;
}

export const isBackupFileName = (name: string): boolean => /^mozhan-[\w-]+\.tar$/.test(name);
export const UPDATE_PREFIX = 'mozhan-update';
/** The manifest does not say so, because version 0.1.0 must be able to read it. */
export const isUpdateBackup = (name: string): boolean => name.startsWith(`${UPDATE_PREFIX}-`);
export const isTemporaryFileName = (name: string): boolean => /^\.mozhan-[\w-]+\.part$/.test(name);

export function nextRunAt({ on, hour }: BackupSchedule, now: Date): Date | null {
  if (!on) return null;
  const today = new Date(Date.parse(chinaDayOf(now)) - CHINA_OFFSET_MS + hour * HOUR_MS);
  return today > now ? today : new Date(today.getTime() + DAY_MS);
}

/** True once in the configured hour, and at any time when the last scheduled backup was missed. */
export function isDue({ on, hour }: BackupSchedule, last: Date | null, now: Date): boolean {
  if (!on) return false;
  const isHour = new Date(now.getTime() + CHINA_OFFSET_MS).getUTCHours() === hour;
  const age = last === null ? Number.POSITIVE_INFINITY : now.getTime() - last.getTime();
  return isHour ? age > HOUR_MS : last !== null && age > DAY_MS + HOUR_MS;
}

const weekNumberOf = (day: string): number => Math.floor((Date.parse(day) / DAY_MS + 3) / 7);

/** Retains the newest backup of each of the last days and weeks; `list` must be sorted newest first. */
export function selectExpired<B extends Pick<BackupRow, 'createdAt'>>(
  list: readonly B[],
  { daily, weekly }: Pick<BackupSchedule, 'daily' | 'weekly'>,
): B[] {
  const days = new Set<string>();
  const weeks = new Set<number>();
  return list.filter(({ createdAt }) => {
    const day = chinaDayOf(createdAt);
    const week = weekNumberOf(day);
    const isNewestOfDay = !days.has(day) && days.size < daily;
    const isNewestOfWeek = !weeks.has(week) && weeks.size < weekly;
    if (isNewestOfDay) days.add(day);
    if (isNewestOfWeek) weeks.add(week);
    return !isNewestOfDay && !isNewestOfWeek;
  });
}

/** Requires twice the size of the last backup, or the size of the database for the first one. */
export const hasEnoughSpace = (freeBytes: number, lastBytes: number | null, databaseBytes: number): boolean =>
  freeBytes >= (lastBytes === null ? databaseBytes : 2 * lastBytes);
