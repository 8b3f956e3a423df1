import { expect, test } from 'vitest';
import { hasRoom, isDue, nameOf, nextTime, toRemove } from './rules.ts';

const schedule = { on: true, hour: 4, daily: 3, weekly: 2 };
/** By China's clock. */
const at = (text: string): Date => new Date(`${text}+08:00`);

test('it is due in its hour once, and later when it was missed', () => {
  expect(isDue(schedule, null, at('2026-11-16T03:59:00'))).toBe(false);
  expect(isDue(schedule, null, at('2026-11-16T04:00:00'))).toBe(true);
  expect(isDue(schedule, at('2026-11-16T04:00:00'), at('2026-11-16T04:40:00'))).toBe(false);
  expect(isDue(schedule, at('2026-11-15T04:00:00'), at('2026-11-16T04:00:00'))).toBe(true);
  expect(isDue(schedule, at('2026-11-15T04:00:00'), at('2026-11-16T03:00:00'))).toBe(false);
  expect(isDue(schedule, at('2026-11-15T04:00:00'), at('2026-11-16T09:00:00'))).toBe(true);
  expect(isDue({ ...schedule, on: false }, null, at('2026-11-16T04:00:00'))).toBe(false);
});

test('the next time is today or tomorrow', () => {
  expect(nextTime(schedule, at('2026-11-16T03:00:00'))).toEqual(at('2026-11-16T04:00:00'));
  expect(nextTime(schedule, at('2026-11-16T04:00:00'))).toEqual(at('2026-11-17T04:00:00'));
  expect(nextTime(schedule, at('2026-11-16T23:00:00'))).toEqual(at('2026-11-17T04:00:00'));
  expect(nextTime({ ...schedule, on: false }, at('2026-11-16T03:00:00'))).toBeNull();
});

test('the newest of the last days and weeks stay', () => {
  // 2026-11-16 is a Monday.
  const list = ['16T09', '16T04', '15T04', '14T04', '13T04', '12T04', '08T04', '07T04', '01T04'].map(
    (time) => ({ createdAt: at(`2026-11-${time}:00:00`) }),
  );
  const removed = toRemove(list, schedule).map(({ createdAt }) => createdAt);
  const expected = ['16T04', '13T04', '12T04', '08T04', '07T04', '01T04'];
  expect(removed).toEqual(expected.map((time) => at(`2026-11-${time}:00:00`)));
  expect(toRemove(list, { daily: 90, weekly: 0 })).toEqual([list[1]]);
  expect(toRemove(list, { daily: 1, weekly: 3 }).map(({ createdAt }) => createdAt.getUTCDate())).toEqual([
    15, 13, 12, 11, 6, 31,
  ]);
});

test('a name tells the time in China', () => {
  expect(nameOf(new Date('2026-11-15T20:03:04.567Z'))).toBe('mozhan-20261116-040304.tar');
});

test('there must be room for two like the last', () => {
  expect(hasRoom(199, 100, 1)).toBe(false);
  expect(hasRoom(200, 100, 1000)).toBe(true);
  expect(hasRoom(99, null, 100)).toBe(false);
});
