import { describe, expect, test } from 'vitest';
import { linksFor } from './text-links.ts';

const ID = '0123456789abcdef0123456789abcdef';
const site = { basePath: '/blog', siteUrl: 'https://mozhan.example/blog' };
const link = (href: string) => `<p>见 <a class="x" href="${href}" title="t">那一篇</a></p>`;

describe('links to essays inside a text', () => {
  test.each([
    `/blog/essay/detail/${ID}.html`,
    `/essay/detail/${ID}.html#h-1`,
    `https://mozhan.example/blog/essay/detail/${ID}.html?s=abc`,
  ])('%s leads to the phone page there, and back', (href) => {
    const bare = linksFor(link(href), 'bare', site);
    expect(bare).toBe(link(href.replace('/detail/', '/mdetail/')));
    expect(linksFor(bare, 'site', site)).toBe(link(href));
    expect(linksFor(bare, 'bare', site), 'a second time changes nothing').toBe(bare);
  });

  test.each([
    `https://elsewhere.example/essay/detail/${ID}.html`,
    `https://elsewhere.example/?to=/essay/detail/${ID}.html`,
    '/essay/program.html',
    `/essay/detail/${ID}`,
  ])('%s stays', (href) => {
    expect(linksFor(link(href), 'bare', site)).toBe(link(href));
  });

  test('what only looks like a link stays', () => {
    const text = `<code>&#x3C;a href="/essay/detail/${ID}.html"></code><img src="/essay/detail/${ID}.html">`;
    expect(linksFor(text, 'bare', site)).toBe(text);
  });
});
