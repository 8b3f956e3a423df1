import { HtmlValidate } from 'html-validate';
import { beforeAll, describe, expect, test } from 'vitest';
import type { TestApp } from './app.ts';
import { renderPages } from './pages.ts';

const validator = new HtmlValidate({
  extends: ['html-validate:standard', 'html-validate:a11y'],
  rules: {
    // Forms with a single field need no submit button: Enter submits them.
    'wcag/h32': 'off',
  },
});

/** GFM prescribes `align` for table cells, and the content security policy forbids the alternative, inline styles. */
const isCellAlignment = (message: string) => /^Attribute "align" is deprecated on <t[dh]>/.test(message);

async function validateHtml(html: string): Promise<string[]> {
  const { results } = await validator.validateString(html);
  return results
    .flatMap(({ messages }) => messages)
    .filter(({ message }) => !isCellAlignment(message))
    .map(({ ruleId, message, selector }) => `${ruleId}: ${message} (${selector})`);
}

const parseLinkedData = (html = '') =>
  [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g)].map(([, json = '']) =>
    JSON.parse(json),
  );

/** The app must have the demo content. */
export function describePages(testApp: () => TestApp): void {
  describe('pages', () => {
    let pages: Map<string, string>;
    beforeAll(async () => {
      pages = await renderPages(testApp());
    });

    test('the validator reports invalid HTML', async () => {
      const html =
        '<!doctype html><html lang="zh-CN"><head><title>x</title></head><body><p><div></div></p></body></html>';
      expect(await validateHtml(html)).not.toEqual([]);
    });

    test('every kind of page is valid HTML', { timeout: 600_000 }, async () => {
      for (const [url, html] of pages) expect(await validateHtml(html), url).toEqual([]);
    });

    test('no URL in a page contains a space', () => {
      for (const [url, html] of pages)
        expect(html.match(/ (?:href|src)="[^"]*[ \t\n][^"]*"/g), url).toBeNull();
    });

    test('only text inputs have the role combobox', () => {
      for (const [url, html] of pages)
        for (const [input] of html.matchAll(/<input[^>]*role="combobox"[^>]*>/g))
          expect(input, url).toContain(' type="text"');
    });

    test('screen readers ignore the anchor link of a heading', () => {
      const anchors = [...pages.values()].flatMap((html) => html.match(/<a class="anchor"[^>]*>/g) ?? []);
      expect(anchors.length).toBeGreaterThan(0);
      for (const anchor of anchors) expect(anchor).toContain('aria-hidden="true" tabindex="-1"');
    });

    const findPage = (pattern: RegExp) => [...pages].find(([url]) => pattern.test(url)) ?? ['', ''];

    test.each([
      [/^\/home$/, 'WebSite'],
      [/^\/mhome/, 'WebSite'],
      [/keyword=队列/, 'SearchResultsPage'],
      [/^\/home\?tag/, 'CollectionPage'],
      [/view=farmers/, 'CollectionPage'],
      [/view=stars/, 'CollectionPage'],
      [/^\/essay\/program\.html$/, 'CollectionPage'],
      [/^\/essay\/detail/, 'Article'],
      [/^\/essay\/mdetail/, 'Article'],
      [/^\/user\/home\/\w+\.html$/, 'ProfilePage'],
      [/^\/user\/mhome/, 'ProfilePage'],
      [/^\/column/, 'CollectionPage'],
      [/^\/mcolumn/, 'CollectionPage'],
      [/^\/about/, 'AboutPage'],
      [/^\/page\/sample/, 'WebPage'],
      [/^\/contact/, 'ContactPage'],
      [/^\/help/, 'WebPage'],
    ])('%s has linked data of type %s in the head', (pattern, type) => {
      const [, html] = findPage(pattern);
      expect(parseLinkedData(html.split('</head>')[0])[0]).toMatchObject({ '@type': type });
    });

    test('the linked data of a locked essay names the locked part, which exists once', () => {
      const locked = [...pages].filter(([, html]) => parseLinkedData(html)[0]?.isAccessibleForFree === false);
      expect(locked.map(([url]) => url.replace(/\w{32}/, 'ID'))).toEqual([
        '/essay/detail/ID.html',
        '/essay/mdetail/ID.html',
      ]);
      for (const [, html] of locked) {
        const { hasPart } = parseLinkedData(html)[0];
        expect(hasPart).toEqual({
          '@type': 'WebPageElement',
          isAccessibleForFree: false,
          cssSelector: '.locked-part',
        });
        expect(html.match(/class="[^"]*\blocked-part"/g)).toHaveLength(1);
      }
    });

    test('every page of the site has an og:image with its size', async () => {
      for (const [url, html] of pages) {
        if (/^\/(admin|api)\//.test(url)) continue;
        const [, picture = ''] = /<meta property="og:image" content="([^"]*)"/.exec(html) ?? [];
        expect(picture, url).toMatch(/^http:\/\/site\.test\/(og|files)\//);
        expect(html, url).toMatch(/<meta property="og:image:width" content="\d+"/);
        expect(html, url).toMatch(/<meta property="og:image:height" content="\d+"/);
      }
      const { statusCode, headers } = await testApp().app.server.inject('/og/site.png');
      expect([statusCode, headers['content-type']]).toEqual([200, 'image/png']);
    });

    test('lists link to their Atom and JSON feeds', () => {
      for (const pattern of [
        /^\/home$/,
        /^\/essay\/program\.html$/,
        /^\/user\/home\/\w+\.html$/,
        /^\/column/,
      ]) {
        const [, html] = findPage(pattern);
        const feeds = [...html.matchAll(/<link rel="alternate" type="([^"]*)"[^>]*href="([^"]*)"/g)];
        expect(feeds.map(([, type]) => type)).toEqual(['application/atom+xml', 'application/feed+json']);
        for (const [, , href = ''] of feeds) expect(href).toMatch(/\/feed\.(xml|json)$/);
      }
    });
  });
}
