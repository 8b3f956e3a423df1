import { expect, test } from 'vitest';
import { listInvalidDates, parseDate, toTimeZone } from './dates.ts';

test('reads dates in every spelling; without a zone they are local time of the site', () => {
  const spellings = [
    '2024-01-02 03:04:05',
    '2024-1-2 3:4:5',
    '2024/1/2 03:04:05',
    '2024.01.02 03:04:05',
    '2024年1月2日 3时4分5秒',
    '2024年01月02日 03:04:05',
    '2024-01-02 上午3:04:05',
    '2024-01-02T03:04:05',
    '2024-01-02T03:04:05.123456',
    '2024-01-02T03:04:05+08:00',
    '2024-01-02 03:04:05 +0800',
    '2024-01-02 03:04:05 +0800 CST',
    '2024-01-01T19:04:05Z',
    '2024-01-01 19:04:05 UTC',
    '2024-01-01 07:04:05 PM UTC',
    'Mon, 01 Jan 2024 19:04:05 GMT',
    'Mon, 01 Jan 2024 19:04:05 +0000',
    'Tue Jan 02 2024 03:04:05 GMT+0800 (China Standard Time)',
    '02 January 2024 03:04:05',
    'Jan 2, 2024 03:04:05',
    'January 2nd, 2024 3:04:05 AM',
    '20240102030405',
    '1704135845',
    1704135845,
    1704135845000,
  ];
  for (const spelling of spellings)
    expect(parseDate(spelling)?.toISOString(), String(spelling)).toBe('2024-01-01T19:04:05.000Z');
  for (const day of ['2024-01-02', '2024/1/2', '20240102', '2024年1月2日', '2 Jan 2024'])
    expect(parseDate(day)?.toISOString(), day).toBe('2024-01-01T16:00:00.000Z');
  expect(parseDate('2024-07-01 12:00', 'Europe/Berlin')?.toISOString()).toBe('2024-07-01T10:00:00.000Z');
  expect(parseDate('2024-01-01 12:00', 'Europe/Berlin')?.toISOString()).toBe('2024-01-01T11:00:00.000Z');
});

test('returns null for text that is not a valid date', () => {
  const wrong = [
    '',
    '去年冬天',
    '2021-02-31',
    '{{ date }}',
    'soon 1',
    '01/02/2024',
    '2024-13-01',
    '123',
    '3024-01-01',
  ];
  for (const text of wrong) expect(parseDate(text), text).toBeNull();
  expect(listInvalidDates([undefined, null, '', '2024-01-02', 'soon', { a: 1 }])).toEqual([
    'soon',
    '{"a":1}',
  ]);
});

test('uses China time where a site names no zone, or one that does not exist', () => {
  expect(toTimeZone('')).toBe('Asia/Shanghai');
  expect(toTimeZone('Asia/Beijing')).toBe('Asia/Shanghai');
  expect(toTimeZone('Europe/Berlin')).toBe('Europe/Berlin');
});
