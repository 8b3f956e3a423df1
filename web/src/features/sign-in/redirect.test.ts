import fc from 'fast-check';
import { expect, test } from 'vitest';
import { safeRedirect } from './redirect.ts';

test.each([
  ['/account/center.html?tab=notice#top', '/account/center.html?tab=notice#top'],
  ['/admin/', '/admin/'],
  ['/blog/essay/detail/1.html', '/essay/detail/1.html'],
  ['/blogs/1', '/blogs/1'],
])('%s is followed', (target, path) => {
  expect(safeRedirect(target, '/blog')).toBe(path);
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
])('%j leads to the home page', (target) => {
  expect(safeRedirect(target, '/blog')).toBe('/home');
});

test.each([
  '/..//example.com/',
  '/.//example.com/',
  '/blog/..//example.com/',
  '/%2F%2Fexample.com/',
  '/%5Cexample.com/',
  '/@example.com/',
  '/:80@example.com/',
  '/?//example.com/',
  '/#//example.com/',
])('%s stays on this site', (target) => {
  for (const basePath of ['', '/blog']) {
    const to = basePath + safeRedirect(target, basePath);
    expect(new URL(to, 'https://site.test/blog/login.html').origin).toBe('https://site.test');
  }
});

test('no text leads to another site', () => {
  const part = fc.constantFrom(
    ...['/', '\\', '.', ':', '@', '?', '#', '%', ' ', '\t', '\n', '\r', '\0', '\u00a0', '\u2028', '\ufeff'],
    ...['//', '/blog', 'https:', 'javascript:', 'data:', '%2F', '%5C', '..', 'example.com', 'login.html'],
  );
  const text = fc.array(fc.oneof(part, fc.string({ unit: 'binary', maxLength: 3 })), { maxLength: 8 });
  fc.assert(
    fc.property(text, fc.constantFrom('', '/blog'), (parts, basePath) => {
      for (const target of [parts.join(''), `/${parts.join('')}`]) {
        const path = safeRedirect(target, basePath);
        expect(path).toMatch(/^\/(?!\/)/);
        expect(new URL(basePath + path, 'https://site.test/blog/login.html').origin).toBe(
          'https://site.test',
        );
      }
    }),
  );
});
