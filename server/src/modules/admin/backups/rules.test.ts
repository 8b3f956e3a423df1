import { expect, test } from 'vitest';
import { fileNameFor, hasEnoughSpace, isDue, nextRunAt, selectExpired, timeOfFileName } from './rules.ts';

const schedule = { on: true, hour: 4, daily: 3, weekly: 2, copyDaily: 3, copyWeekly: 2 };
const at = (text: string): Date => new Date(`${text}+08:00`);

test('is due once in the configured hour, and later when it was missed', () => {
  expect(isDue(schedule, null, at('2026-11-16T03:59:00'))).toBe(false);
  expect(isDue(schedule, null, at('2026-11-16T04:00:00'))).toBe(true);
  expect(isDue(schedule, at('2026-11-16T04:00:00'), at('2026-11-16T04:40:00'))).toBe(false);
  expect(isDue(schedule, at('2026-11-15T04:00:00'), at('2026-11-16T04:00:00'))).toBe(true);
  expect(isDue(schedule, at('2026-11-15T04:00:00'), at('2026-11-16T03:00:00'))).toBe(false);
  expect(isDue(schedule, at('2026-11-15T04:00:00'), at('2026-11-16T09:00:00'))).toBe(true);
  expect(isDue({ ...schedule, on: false }, null, at('2026-11-16T04:00:00'))).toBe(false);
});

test('the next run is today or tomorrow', () => {
  expect(nextRunAt(schedule, at('2026-11-16T03:00:00'))).toEqual(at('2026-11-16T04:00:00'));
  expect(nextRunAt(schedule, at('2026-11-16T04:00:00'))).toEqual(at('2026-11-17T04:00:00'));
  expect(nextRunAt(schedule, at('2026-11-16T23:00:00'))).toEqual(at('2026-11-17T04:00:00'));
  expect(nextRunAt({ ...schedule, on: false }, at('2026-11-16T03:00:00'))).toBeNull();
});

test('retains the newest backup of each of the last days and weeks', () => {
  // 2026-11-16 is a Monday.
  const list = ['16T09', '16T04', '15T04', '14T04', '13T04', '12T04', '08T04', '07T04', '01T04'].map(
    (time) => ({ createdAt: at(`2026-11-${time}:00:00`) }),
  );
  const removed = selectExpired(list, schedule).map(({ createdAt }) => createdAt);
  const expected = ['16T04', '13T04', '12T04', '08T04', '07T04', '01T04'];
  expect(removed).toEqual(expected.map((time) => at(`2026-11-${time}:00:00`)));
  expect(selectExpired(list, { daily: 90, weekly: 0 })).toEqual([list[1]]);
  expect(selectExpired(list, { daily: 1, weekly: 3 }).map(({ createdAt }) => createdAt.getUTCDate())).toEqual(
    [15, 13, 12, 11, 6, 31],
  );
});

test('the file name contains the time in China', () => {
  expect(fileNameFor(new Date('2026-11-15T20:03:04.567Z'))).toBe('mozhan-20261116-040304.tar');
});

test('requires space for two backups of the last size', () => {
  expect(hasEnoughSpace(199, 100, 1)).toBe(false);
  expect(hasEnoughSpace(200, 100, 1000)).toBe(true);
  expect(hasEnoughSpace(99, null, 100)).toBe(false);
});

test('the name of a file tells when the backup was started', () => {
  const now = at('2026-11-16T04:05:06');
  expect(timeOfFileName(fileNameFor(now))).toEqual(now);
  expect(timeOfFileName('mozhan-20261116-040506-2.tar')).toEqual(now);
  expect(timeOfFileName('mozhan-brought.tar')).toBeNull();
  expect(timeOfFileName('mozhan-20261316-040506.tar')).toBeNull();
});
