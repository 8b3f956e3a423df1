import { defaultSettings } from '@mozhan/contract/default-settings.ts';
import type { SiteSettings } from '@mozhan/contract/site.ts';
import { expect, test } from 'vitest';
import { renderServiceWorker, type ServiceWorkerConfig } from './offline-page.tsx';

const settings: SiteSettings = { ...defaultSettings, title: '墨</栈>', tagline: '', pwa: true };

const workerOf = (given: Partial<SiteSettings> = {}, source = 'start();') =>
  renderServiceWorker({
    source,
    settings: { ...settings, ...given },
    assets: (file) => ({
      entry: '/e.js',
      boot: '/b.js',
      css: ['/e.css'],
      entryImports: [],
      preload: file === undefined ? [] : ['/app.js', `/${file.replace(/.*\/|\.tsx/g, '')}.js`],
    }),
    basePath: '/blog',
  });

function siteOf(text: string): ServiceWorkerConfig {
  const [, json = ''] = /^self\.site = (.*);\n/.exec(text) ?? [];
  return JSON.parse(json);
}

test('contains the files to cache and the offline page', () => {
  const text = workerOf({ logo: '/files/a.png', colorPrimary: '#1677ff' });
  expect(text.endsWith('\nstart();')).toBe(true);
  const { basePath, files, offline } = siteOf(text);
  expect(basePath).toBe('/blog');
  expect(files).toEqual([
    '/e.js',
    '/b.js',
    '/e.css',
    '/app.js',
    '/home.js',
    '/announcement-bar.js',
    '/blog/files/a.png',
    '/blog/brand.css?c=1677ff',
  ]);
  expect(offline).toContain('<title>当前处于离线状态 · 墨&lt;/栈&gt;</title>');
  expect(offline).not.toMatch(/ style="|<style|type="module"/);
});

test('does not cache an image on another host', () => {
  const { files } = siteOf(workerOf({ logo: 'https://pictures.example.com/a.png' }));
  expect(files.every((file) => file.startsWith('/'))).toBe(true);
});

test('changes the version only when the build or the appearance changes', () => {
  const { version } = siteOf(workerOf());
  expect(siteOf(workerOf()).version).toBe(version);
  expect(siteOf(workerOf({}, 'begin();')).version).not.toBe(version);
  expect(siteOf(workerOf({ title: '砚边' })).version).not.toBe(version);
  expect(siteOf(workerOf({ layout: 'side' })).version).not.toBe(version);
  expect(siteOf(workerOf({ icp: '京ICP备1号' })).version).toBe(version);
});

test('tells the worker to unregister when offline support is off', () => {
  expect(workerOf({ pwa: false })).toBe('self.site = null;\nstart();');
});
