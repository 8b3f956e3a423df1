import { HtmlValidate } from 'html-validate';
import { beforeAll, describe, expect, test } from 'vitest';
import type { TestApp } from './app.ts';
import { renderPages } from './pages.ts';

const validator = new HtmlValidate({
  extends: ['html-validate:standard', 'html-validate:a11y'],
  rules: {
    // Forms with a single field are submitted by Enter.
    'wcag/h32': 'off',
  },
});

/** GFM prescribes it for the cells of tables, feeds keep it, and the content security policy allows no style. */
const isCellAlignment = (message: string) => /^Attribute "align" is deprecated on <t[dh]>/.test(message);

async function problemsOf(html: string): Promise<string[]> {
  const { results } = await validator.validateString(html);
  return results
    .flatMap(({ messages }) => messages)
    .filter(({ message }) => !isCellAlignment(message))
    .map(({ ruleId, message, selector }) => `${ruleId}: ${message} (${selector})`);
}

const linkedData = (html = '') =>
  [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g)].map(([, json = '']) =>
    JSON.parse(json),
  );

/** Of an app with the demo's content, so that it need not be made once more. */
export function describePages(testApp: () => TestApp): void {
  describe('pages', () => {
    let pages: Map<string, string>;
    beforeAll(async () => {
      pages = await renderPages(testApp());
    });

    test('the validator finds what is wrong', async () => {
      const html =
        '<!doctype html><html lang="zh-CN"><head><title>x</title></head><body><p><div></div></p></body></html>';
      expect(await problemsOf(html)).not.toEqual([]);
    });

    test('every kind of page is valid HTML', { timeout: 600_000 }, async () => {
      for (const [url, html] of pages) expect(await problemsOf(html), url).toEqual([]);
    });

    test('no address in a page has a space', () => {
      for (const [url, html] of pages)
        expect(html.match(/ (?:href|src)="[^"]*[ \t\n][^"]*"/g), url).toBeNull();
    });

    test('only plain fields are comboboxes', () => {
      for (const [url, html] of pages)
        for (const [input] of html.matchAll(/<input[^>]*role="combobox"[^>]*>/g))
          expect(input, url).toContain(' type="text"');
    });

    test('the link beside a heading is not read with it', () => {
      const anchors = [...pages.values()].flatMap((html) => html.match(/<a class="anchor"[^>]*>/g) ?? []);
      expect(anchors.length).toBeGreaterThan(0);
      for (const anchor of anchors) expect(anchor).toContain('aria-hidden="true" tabindex="-1"');
    });

    const pageLike = (pattern: RegExp) => [...pages].find(([url]) => pattern.test(url)) ?? ['', ''];

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
      [/column=/, 'CollectionPage'],
      [/^\/about/, 'AboutPage'],
      [/^\/contact/, 'ContactPage'],
      [/^\/help/, 'WebPage'],
    ])('%s is described as a %s, in the head', (pattern, type) => {
      const [, html] = pageLike(pattern);
      expect(linkedData(html.split('</head>')[0])[0]).toMatchObject({ '@type': type });
    });

    test('a locked essay says which part is locked, and has that part', () => {
      const locked = [...pages].filter(([, html]) => linkedData(html)[0]?.isAccessibleForFree === false);
      expect(locked.map(([url]) => url.replace(/\w{32}/, 'ID'))).toEqual([
        '/essay/detail/ID.html',
        '/essay/mdetail/ID.html',
      ]);
      for (const [, html] of locked) {
        const { hasPart } = linkedData(html)[0];
        expect(hasPart).toEqual({
          '@type': 'WebPageElement',
          isAccessibleForFree: false,
          cssSelector: '.locked-part',
        });
        expect(html.match(/class="[^"]*\blocked-part"/g)).toHaveLength(1);
      }
    });

    test('every page of the site has a picture for links, with its size', async () => {
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

    test('pages name both feeds of what they show', () => {
      for (const pattern of [/^\/home$/, /^\/essay\/program\.html$/, /^\/user\/home\/\w+\.html$/]) {
        const [, html] = pageLike(pattern);
        const feeds = [...html.matchAll(/<link rel="alternate" type="([^"]*)"[^>]*href="([^"]*)"/g)];
        expect(feeds.map(([, type]) => type)).toEqual(['application/atom+xml', 'application/feed+json']);
        for (const [, , href = ''] of feeds) expect(href).toMatch(/\/feed\.(xml|json)$/);
      }
    });
  });
}
