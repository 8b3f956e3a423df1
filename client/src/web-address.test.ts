import { webAddress } from '@mozhan/contract/common.ts';
import { completeAddress } from '@mozhan/contract/web-address.ts';
import { expect, test } from 'vitest';
import { isWebAddress } from './web-address.ts';

test.each([
  ['example.com', 'https://example.com'],
  [' example.com/a?b=c#d ', 'https://example.com/a?b=c#d'],
  ['localhost.test:8080/x', 'https://localhost.test:8080/x'],
  ['例子.中国', 'https://例子.中国'],
  ['http://example.com', 'http://example.com'],
])('%s becomes %s', (typed, address) => {
  expect(completeAddress(typed)).toBe(address);
  expect(isWebAddress(completeAddress(typed))).toBe(true);
});

test.each([
  '',
  '我的主页',
  'me@example.com',
  'javascript:alert(1)',
  'javascript:alert.com',
  'ftp://a.example',
  'a b.c',
])('%o is left as it is and is no web address', (typed) => {
  expect(completeAddress(typed)).toBe(typed);
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
])('the form and the contract say the same of %o', (typed) => {
  expect(isWebAddress(completeAddress(typed))).toBe(webAddress(200).safeParse(typed).success);
});
