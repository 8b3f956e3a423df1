import { expect, test } from 'vitest';
import { displayState, formatPeriod, fromDateTimeField, toDateTimeField } from './display-period.ts';

const START = '2030-01-01T00:00:00.000Z';
const END = '2030-02-01T00:00:00.000Z';

test('converts between ISO times and form fields in the site’s time zone', () => {
  expect(toDateTimeField(START)).toBe('2030-01-01T08:00');
  expect(fromDateTimeField('2030-01-01T08:00')).toBe(START);
  expect(fromDateTimeField('2030-01-01T08:00:59')).toBe(START);
  expect([toDateTimeField(null), fromDateTimeField('')]).toEqual(['', null]);
});

test('describes the display period', () => {
  expect(formatPeriod({ startsAt: null, endsAt: null })).toBe('一直');
  expect(formatPeriod({ startsAt: START, endsAt: null })).toBe('2030-01-01 08:00 起');
  expect(formatPeriod({ startsAt: null, endsAt: END })).toBe('到 2030-02-01 08:00');
  expect(formatPeriod({ startsAt: START, endsAt: END })).toBe('2030-01-01 08:00 到 2030-02-01 08:00');
});

test.each([
  ['2029-12-31T23:59:59Z', 1, '未开始'],
  [START, 1, '展示中'],
  [END, 1, '已结束'],
  [START, 0, '停用'],
] as const)('at %s, enabled %i: %s', (now, enabled, state) => {
  expect(displayState({ enabled, startsAt: START, endsAt: END }, new Date(now))).toBe(state);
});
