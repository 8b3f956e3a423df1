import { expect, test } from 'vitest';
import { fromField, spanOf, stateOf, toField } from './moments.ts';

const START = '2030-01-01T00:00:00.000Z';
const END = '2030-02-01T00:00:00.000Z';

test('fields show the site’s clock, and lead back to the same moment', () => {
  expect(toField(START)).toBe('2030-01-01T08:00');
  expect(fromField('2030-01-01T08:00')).toBe(START);
  expect(fromField('2030-01-01T08:00:59')).toBe(START);
  expect([toField(null), fromField('')]).toEqual(['', null]);
});

test('when it is to be seen, in words', () => {
  expect(spanOf({ startsAt: null, endsAt: null })).toBe('一直');
  expect(spanOf({ startsAt: START, endsAt: null })).toBe('2030-01-01 08:00 起');
  expect(spanOf({ startsAt: null, endsAt: END })).toBe('到 2030-02-01 08:00');
  expect(spanOf({ startsAt: START, endsAt: END })).toBe('2030-01-01 08:00 到 2030-02-01 08:00');
});

test.each([
  ['2029-12-31T23:59:59Z', 1, '未开始'],
  [START, 1, '展示中'],
  [END, 1, '已结束'],
  [START, 0, '停用'],
] as const)('at %s, enabled %i: %s', (now, enabled, state) => {
  expect(stateOf({ enabled, startsAt: START, endsAt: END }, new Date(now))).toBe(state);
});
