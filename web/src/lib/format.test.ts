import { expect, test } from 'vitest';
import {
  formatCount,
  formatDate,
  formatDateTime,
  formatOrDash,
  formatShortDate,
  formatTime,
  isEmpty,
  isImage,
  isPdf,
  isUrl,
  isVideo,
  newId,
  timeAgo,
  truncate,
} from './format.ts';

test.each([null, undefined, '', 'undefined', 'null'])('%j is empty and formatted as a dash', (value) => {
  expect(isEmpty(value)).toBe(true);
  expect(formatOrDash(value)).toBe('-');
});

test.each([0, ' ', '0', '无', 'Null', 'nullable'])('%j is not empty and returned as text', (value) => {
  expect(isEmpty(value)).toBe(false);
  expect(formatOrDash(value)).toBe(String(value));
});

test('formats a date in the time zone of the site', () => {
  const at = '2026-01-02T19:04:05.678Z';
  expect(formatDateTime(at)).toBe('2026-01-03 03:04:05');
  expect(formatDate(at)).toBe('2026-01-03');
  expect(formatTime(at)).toBe('03:04:05');
  expect(formatShortDate(at)).toBe('2026-1-3');
  expect(formatShortDate('2026-10-20T00:00:00Z')).toBe('2026-10-20');
  expect(formatDateTime(new Date(at))).toBe('2026-01-03 03:04:05');
  expect(formatDateTime(Date.parse(at))).toBe('2026-01-03 03:04:05');
});

test.each([null, undefined, '', 'null', 'not a date'])('formats the invalid date %j as a dash', (value) => {
  for (const format of [formatDateTime, formatDate, formatTime, formatShortDate])
    expect(format(value)).toBe('-');
});

/** Noon of 20 November 2026 in Shanghai. */
const now = Date.parse('2026-11-20T04:00:00Z');

test.each([
  ['2026-11-20T04:00:30Z', '刚刚'],
  ['2026-11-20T04:00:00Z', '刚刚'],
  ['2026-11-20T03:59:01Z', '刚刚'],
  ['2026-11-20T03:59:00Z', '1 分钟前'],
  ['2026-11-20T03:57:00Z', '3 分钟前'],
  ['2026-11-20T03:00:01Z', '59 分钟前'],
  ['2026-11-20T03:00:00Z', '1 小时前'],
  ['2026-11-19T04:00:01Z', '23 小时前'],
  ['2026-11-19T04:00:00Z', '昨天'],
  ['2026-11-18T16:00:00Z', '昨天'],
  ['2026-11-18T15:59:59Z', '2 天前'],
  ['2026-11-17T04:00:00Z', '3 天前'],
  ['2026-11-13T16:00:00Z', '6 天前'],
  ['2026-11-13T15:59:59Z', '2026-11-13'],
  ['2022-02-03T04:00:00Z', '2022-02-03'],
  ['nonsense', '-'],
])('formats %s as %s', (at, text) => {
  expect(timeAgo(at, now)).toBe(text);
});

test.each([
  ['墨栈', 2, '墨栈'],
  ['墨栈文章', 2, '墨栈...'],
  ['', 3, ''],
  ['a🌊b', 3, 'a🌊b'],
  ['🌊🌊🌊', 2, '🌊🌊...'],
])('truncates %j to %i characters: %j', (text, max, cut) => {
  expect(truncate(text, max)).toBe(cut);
});

test.each([
  [0, '0'],
  [9999, '9999'],
  [10_000, '1万'],
  [12_345, '1.2万'],
  [19_999, '1.9万'],
  [128_000, '12.8万'],
  [99_999_999, '9999.9万'],
  [100_000_000, '1亿'],
  [123_456_789, '1.2亿'],
])('formats %i as %s', (count, text) => {
  expect(formatCount(count)).toBe(text);
});

test('recognizes media by extension, ignoring query and fragment', () => {
  for (const path of [
    '/files/a.jpg',
    'a.JPEG',
    'https://oss.example.com/a.png?size=2#top',
    '/f/a.webp',
    'a.gif',
  ])
    expect(isImage(path), path).toBe(true);
  for (const path of ['/a.mp4', 'https://example.com/live/a.m3u8?key=1'])
    expect(isVideo(path), path).toBe(true);
  for (const path of ['/a.pdf', 'A.PDF#page=2']) expect(isPdf(path), path).toBe(true);
  for (const path of ['', 'jpg', '/a.jpg.exe', '/a.html?file=b.jpg', '/mp4/a', 'a.pdfx'])
    expect([isImage(path), isVideo(path), isPdf(path)], path).toEqual([false, false, false]);
});

test.each([
  'http://example.com',
  'https://example.com/路径?q=1#三',
  'HTTPS://例子.中国/',
  'http://localhost:9000/home',
])('accepts the URL %s', (text) => {
  expect(isUrl(text)).toBe(true);
});

test.each([
  '',
  'example.com',
  '/home',
  'ftp://example.com',
  'javascript:alert(1)',
  'https://',
  'https:///home',
  'https://.com',
  'https://exa mple.com',
  '看 https://example.com',
])('rejects %j as a URL', (text) => {
  expect(isUrl(text)).toBe(false);
});

test('creates unique ids of 32 hexadecimal characters', () => {
  const ids = Array.from({ length: 100 }, newId);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{32}$/);
  expect(new Set(ids).size).toBe(100);
});
