import { expect, test } from 'vitest';
import { safeRedirect } from './redirect.ts';

test.each([
  ['/account/center.html?tab=notice#top', '/account/center.html?tab=notice#top'],
  ['/admin/', '/admin/'],
  ['/blog/essay/detail/1.html', '/essay/detail/1.html'],
  ['/blogs/1', '/blogs/1'],
])('%s is followed', (wanted, path) => {
  expect(safeRedirect(wanted, '/blog')).toBe(path);
});

test.each([
  null,
  '',
  'home',
  'https://example.com/',
  '//example.com/',
  '/\\example.com/',
  '/a\\b',
  '/\t/example.com',
  '/\n/example.com',
  'javascript:alert(1)',
  '/blog//example.com/',
  '/login.html',
  '/login.html?redirect=/login.html',
])('%j leads home', (wanted) => {
  expect(safeRedirect(wanted, '/blog')).toBe('/home');
});
