import { defaultSettings } from '@mozhan/contract/default-settings.ts';
import type { SiteSettings } from '@mozhan/contract/site.ts';
import { expect, test } from 'vitest';
import { toDocument } from './document.ts';

const assets = { entry: '/e.js', boot: '/b.js', css: ['/e.css'], preload: ['/p.js'] };

const documentOf = (given: Partial<SiteSettings>, parts: { data?: unknown } = { data: {} }) =>
  toDocument({
    assets,
    site: { settings: { ...defaultSettings, ...given }, basePath: '/blog' },
    head: '',
    body: '<div id="root"></div>',
    ...parts,
  });
const rootOf = (html: string) => /<html[^>]*>/.exec(html)?.[0];

test('the usual layout needs no marks and no files of its own', () => {
  const html = documentOf({});
  expect(rootOf(html)).toBe('<html lang="zh-CN">');
  expect(html).not.toContain('brand.css');
  expect(html).not.toContain('manifest');
});

test('whatever differs is marked at the root', () => {
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

test('another colour comes after the styles it replaces', () => {
  const html = documentOf({ colorPrimary: '#1677ff' });
  expect(html).toContain(
    '<link rel="stylesheet" href="/e.css"><link rel="stylesheet" href="/blog/brand.css?c=1677ff">',
  );
});

test('the bar of the browser continues a dark header', () => {
  const colours = (html: string) => [...html.matchAll(/theme-color" content="(.*?)"/g)].map(([, c]) => c);
  expect(colours(documentOf({}))).toEqual(['#fcfbf9', '#171513']);
  expect(colours(documentOf({ navTheme: 'dark' }))).toEqual(['#171513', '#171513']);
});

test('only a site that can be installed has a manifest', () => {
  expect(documentOf({ pwa: true })).toContain('<link rel="manifest" href="/blog/manifest.webmanifest">');
});

test('a page without data stays as it is: no script takes it over', () => {
  const html = documentOf({}, {});
  expect(html).toContain('<script src="/b.js">');
  expect(html).not.toContain('/e.js');
  expect(html).not.toContain('/p.js');
  expect(html).not.toContain('application/json');
});
