import { describe, expect, test } from 'vitest';
import { adaptEssayLinks } from './essay-links.ts';

const ID = '0123456789abcdef0123456789abcdef';
const site = { basePath: '/blog', siteUrl: 'https://mozhan.example/blog' };
const link = (href: string) => `<p>见 <a class="x" href="${href}" title="t">那一篇</a></p>`;

describe('links to essays inside a text', () => {
  test.each([
    `/blog/essay/detail/${ID}.html`,
    `/essay/detail/${ID}.html#h-1`,
    `https://mozhan.example/blog/essay/detail/${ID}.html?s=abc`,
  ])('%s is rewritten to the page without frame, and back', (href) => {
    const bare = adaptEssayLinks(link(href), 'bare', site);
    expect(bare).toBe(link(href.replace('/detail/', '/mdetail/')));
    expect(adaptEssayLinks(bare, 'site', site)).toBe(link(href));
    expect(adaptEssayLinks(bare, 'bare', site), 'a second time changes nothing').toBe(bare);
  });

  test.each([
    `https://elsewhere.example/essay/detail/${ID}.html`,
    `https://elsewhere.example/?to=/essay/detail/${ID}.html`,
    '/essay/program.html',
    `/essay/detail/${ID}`,
  ])('%s is not changed', (href) => {
    expect(adaptEssayLinks(link(href), 'bare', site)).toBe(link(href));
  });

  test('does not change code and other tags that look like links', () => {
    const text = `<code>&#x3C;a href="/essay/detail/${ID}.html"></code><img src="/essay/detail/${ID}.html">`;
    expect(adaptEssayLinks(text, 'bare', site)).toBe(text);
  });
});
