import { expect, test } from 'vitest';
import { readConfig } from '../../../config/config.ts';
import { withBasePath } from './views/essays.ts';

const html =
  '<p><a href="/essay/detail/x.html">一</a> <a href="https://example.com/a">二</a> <a href="#h-三">三</a></p>' +
  '<img src="/files/ab/c.webp" alt="/files/" srcset="/files/ab/s.webp 320w, /files/ab/c.webp 1600w">';

test('does not change URLs without a base path', () => {
  expect(withBasePath(html, { basePath: '', s3: null })).toBe(html);
});

test('adds the base path to URLs of this site only', () => {
  expect(withBasePath(html, { basePath: '/blog', s3: null })).toBe(
    '<p><a href="/blog/essay/detail/x.html">一</a> <a href="https://example.com/a">二</a> <a href="#h-三">三</a></p>' +
      '<img src="/blog/files/ab/c.webp" alt="/files/" srcset="/blog/files/ab/s.webp 320w, /blog/files/ab/c.webp 1600w">',
  );
});

test('uses the public URL of the file storage', () => {
  const { s3 } = readConfig({
    S3_ENDPOINT: 'https://s3.example',
    S3_BUCKET: 'mozhan',
    S3_ACCESS_KEY: 'key',
    S3_SECRET_KEY: 'secret',
    S3_PUBLIC_URL: 'https://cdn.example',
  });
  const moved = withBasePath(html, { basePath: '/blog', s3 });
  expect(moved).toContain('<a href="/blog/essay/detail/x.html">');
  expect(moved).toContain(
    '<img src="https://cdn.example/files/ab/c.webp" alt="/files/" srcset="https://cdn.',
  );
  expect(moved).toContain(', https://cdn.example/files/ab/c.webp 1600w">');
});

test('does not change URLs inside long attribute values', () => {
  const title = '<img src=/files/ '.repeat(10_000);
  const text = `<p><a href="/x" title="${title}">一</a><img src="/files/a.webp" alt="x"></p>`;
  expect(withBasePath(text, { basePath: '/blog', s3: null })).toBe(
    `<p><a href="/blog/x" title="${title}">一</a><img src="/blog/files/a.webp" alt="x"></p>`,
  );
});
