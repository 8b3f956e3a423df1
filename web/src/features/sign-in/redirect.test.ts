import fc from 'fast-check';
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
])('%s stays on this site', (wanted) => {
  for (const basePath of ['', '/blog']) {
    const to = basePath + safeRedirect(wanted, basePath);
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
      for (const wanted of [parts.join(''), `/${parts.join('')}`]) {
        const path = safeRedirect(wanted, basePath);
        expect(path).toMatch(/^\/(?!\/)/);
        expect(new URL(basePath + path, 'https://site.test/blog/login.html').origin).toBe(
          'https://site.test',
        );
      }
    }),
  );
});
