import { webAddress } from '@mozhan/contract/common.ts';
import { addMissingScheme } from '@mozhan/contract/web-address.ts';
import { expect, test } from 'vitest';
import { isWebAddress } from './web-address.ts';

test.each([
  ['example.com', 'https://example.com'],
  [' example.com/a?b=c#d ', 'https://example.com/a?b=c#d'],
  ['localhost.test:8080/x', 'https://localhost.test:8080/x'],
  ['例子.中国', 'https://例子.中国'],
  ['http://example.com', 'http://example.com'],
])('%s becomes %s', (typed, address) => {
  expect(addMissingScheme(typed)).toBe(address);
  expect(isWebAddress(addMissingScheme(typed))).toBe(true);
});

test.each([
  '',
  '我的主页',
  'me@example.com',
  'javascript:alert(1)',
  'javascript:alert.com',
  'ftp://a.example',
  'a b.c',
])('%o is returned unchanged and is not a web address', (typed) => {
  expect(addMissingScheme(typed)).toBe(typed);
  expect(isWebAddress(typed)).toBe(false);
});

test.each([
  'https://example.com',
  'example.com/me',
  'https://',
  'https://[::1',
  'http://exa mple.com',
  'https://example.com:99999',
  'ftp://a.example',
])('the form and the contract agree on %o', (typed) => {
  expect(isWebAddress(addMissingScheme(typed))).toBe(webAddress(200).safeParse(typed).success);
});
