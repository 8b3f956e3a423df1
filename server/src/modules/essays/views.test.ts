import { expect, test } from 'vitest';
import { atBase } from './views.ts';

const html =
  '<p><a href="/essay/detail/x.html">一</a> <a href="https://example.com/a">二</a> <a href="#h-三">三</a></p>' +
  '<img src="/files/ab/c.webp" alt="/files/" srcset="/files/ab/s.webp 320w, /files/ab/c.webp 1600w">';

test('a site at the root leaves the addresses of a text as they are', () => {
  expect(atBase(html, '')).toBe(html);
});

test('a site below another’s has its own addresses further down, and nobody else’s', () => {
  expect(atBase(html, '/blog')).toBe(
    '<p><a href="/blog/essay/detail/x.html">一</a> <a href="https://example.com/a">二</a> <a href="#h-三">三</a></p>' +
      '<img src="/blog/files/ab/c.webp" alt="/files/" srcset="/blog/files/ab/s.webp 320w, /blog/files/ab/c.webp 1600w">',
  );
});
