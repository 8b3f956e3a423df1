import { defaultSettings } from '@mozhan/contract/default-settings.ts';
import type { SiteSettings } from '@mozhan/contract/site.ts';
import { expect, test } from 'vitest';
import { renderDocument } from './document.ts';

const assets = { entry: '/e.js', boot: '/b.js', css: ['/e.css'], preload: ['/p.js'] };

const documentOf = (given: Partial<SiteSettings>, parts: { data?: unknown } = { data: {} }) =>
  renderDocument({
    assets,
    site: { settings: { ...defaultSettings, ...given }, basePath: '/blog' },
    head: '',
    body: '<div id="root"></div>',
    ...parts,
  });
const rootOf = (html: string) => /<html[^>]*>/.exec(html)?.[0];

test('adds no attributes or files for the default layout', () => {
  const html = documentOf({});
  expect(rootOf(html)).toBe('<html lang="zh-CN">');
  expect(html).not.toContain('brand.css');
  expect(html).not.toContain('manifest');
});

test('sets a root attribute for each setting that differs from the default', () => {
  const html = documentOf({
    layout: 'side',
    fixedHeader: false,
    fixSiderbar: false,
    contentWidth: 'Fluid',
    colorWeak: true,
  });
  expect(rootOf(html)).toBe(
    '<html lang="zh-CN" data-layout="side" data-header="static" data-sider="static" data-width="fluid" data-weak="on">',
  );
});

test('links the brand stylesheet after the styles it overrides', () => {
  const html = documentOf({ colorPrimary: '#1677ff' });
  expect(html).toContain(
    '<link rel="stylesheet" href="/e.css"><link rel="stylesheet" href="/blog/brand.css?c=1677ff">',
  );
});

test('sets a dark theme colour for a dark header', () => {
  const colours = (html: string) => [...html.matchAll(/theme-color" content="(.*?)"/g)].map(([, c]) => c);
  expect(colours(documentOf({}))).toEqual(['#fcfbf9', '#171513']);
  expect(colours(documentOf({ navTheme: 'dark' }))).toEqual(['#171513', '#171513']);
});

test('links the web app manifest only when the PWA setting is on', () => {
  expect(documentOf({ pwa: true })).toContain('<link rel="manifest" href="/blog/manifest.webmanifest">');
});

test('adds no hydration scripts to a page without data', () => {
  const html = documentOf({}, {});
  expect(html).toContain('<script src="/b.js">');
  expect(html).not.toContain('/e.js');
  expect(html).not.toContain('/p.js');
  expect(html).not.toContain('application/json');
});
