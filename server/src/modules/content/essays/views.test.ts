import { expect, test } from 'vitest';
import { readConfig } from '../../../config/config.ts';
import { atBase } from './views/essays.ts';

const html =
  '<p><a href="/essay/detail/x.html">一</a> <a href="https://example.com/a">二</a> <a href="#h-三">三</a></p>' +
  '<img src="/files/ab/c.webp" alt="/files/" srcset="/files/ab/s.webp 320w, /files/ab/c.webp 1600w">';

test('a site at the root leaves the addresses of a text as they are', () => {
  expect(atBase(html, { basePath: '', s3: null })).toBe(html);
});

test('a site below another’s has its own addresses further down, and nobody else’s', () => {
  expect(atBase(html, { basePath: '/blog', s3: null })).toBe(
    '<p><a href="/blog/essay/detail/x.html">一</a> <a href="https://example.com/a">二</a> <a href="#h-三">三</a></p>' +
      '<img src="/blog/files/ab/c.webp" alt="/files/" srcset="/blog/files/ab/s.webp 320w, /blog/files/ab/c.webp 1600w">',
  );
});

test('files that everyone reads elsewhere are named there', () => {
  const { s3 } = readConfig({
    S3_ENDPOINT: 'https://s3.example',
    S3_BUCKET: 'mozhan',
    S3_ACCESS_KEY: 'key',
    S3_SECRET_KEY: 'secret',
    S3_PUBLIC_URL: 'https://cdn.example',
  });
  const moved = atBase(html, { basePath: '/blog', s3 });
  expect(moved).toContain('<a href="/blog/essay/detail/x.html">');
  expect(moved).toContain(
    '<img src="https://cdn.example/files/ab/c.webp" alt="/files/" srcset="https://cdn.',
  );
  expect(moved).toContain(', https://cdn.example/files/ab/c.webp 1600w">');
});

test('a title may say what it likes, however long', () => {
  const title = '<img src=/files/ '.repeat(10_000);
  const text = `<p><a href="/x" title="${title}">一</a><img src="/files/a.webp" alt="x"></p>`;
  expect(atBase(text, { basePath: '/blog', s3: null })).toBe(
    `<p><a href="/blog/x" title="${title}">一</a><img src="/blog/files/a.webp" alt="x"></p>`,
  );
});
