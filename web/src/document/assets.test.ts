import { expect, test } from 'vitest';
import { devAssets, type Manifest, readManifest } from './assets.ts';

const manifest: Manifest = {
  'src/entry-client.tsx': { file: 'assets/entry-1.js', imports: ['_first.js'], css: ['assets/entry-1.css'] },
  '_first.js': { file: 'assets/first-1.js' },
  'src/hydrate.tsx': {
    file: 'assets/hydrate-1.js',
    imports: ['_shared.js'],
    dynamicImports: ['src/pages/login.tsx'],
  },
  'src/boot.ts': { file: 'assets/boot-1.js' },
  '_shared.js': { file: 'assets/shared-1.js', css: ['assets/shared-1.css'] },
  '_field.js': { file: 'assets/field-1.js', imports: ['_shared.js'], css: ['assets/field-1.css'] },
  'src/pages/login.tsx': {
    file: 'assets/login-1.js',
    imports: ['_field.js', 'src/entry-client.tsx'],
    css: ['assets/login-1.css'],
    dynamicImports: ['src/features/qr.tsx'],
    pageStyles: 'assets/page-1.css',
  },
  'src/features/qr.tsx': { file: 'assets/qr-1.js', imports: ['_field.js'], css: ['assets/qr-1.css'] },
};

test('lists the files of a page and all their imports once, under the base path', () => {
  expect(readManifest(manifest, '/blog')('src/pages/login.tsx')).toEqual({
    entry: '/blog/assets/entry-1.js',
    boot: '/blog/assets/boot-1.js',
    css: [
      '/blog/assets/entry-1.css',
      '/blog/assets/shared-1.css',
      '/blog/assets/field-1.css',
      '/blog/assets/login-1.css',
      // Imported dynamically, but its markup may be in the HTML already.
      '/blog/assets/qr-1.css',
    ],
    pageStyles: '/blog/assets/page-1.css',
    entryImports: ['/blog/assets/first-1.js'],
    preload: [
      '/blog/assets/first-1.js',
      '/blog/assets/hydrate-1.js',
      '/blog/assets/shared-1.js',
      '/blog/assets/login-1.js',
      '/blog/assets/field-1.js',
    ],
  });
});

test('returns only the application files for a page without its own file', () => {
  const { css, pageStyles, preload } = readManifest(manifest, '')();
  expect(css).toEqual(['/assets/entry-1.css', '/assets/shared-1.css']);
  expect(pageStyles).toBeUndefined();
  expect(preload).toEqual(['/assets/first-1.js', '/assets/hydrate-1.js', '/assets/shared-1.js']);
});

test('computes the files of a page only once', () => {
  const assets = readManifest(manifest, '');
  expect(assets('src/pages/login.tsx')).toBe(assets('src/pages/login.tsx'));
});

test('throws when the manifest does not contain the entry', () => {
  expect(() => readManifest({}, '')()).toThrow(/build the site again/);
});

test('uses source files in development', () => {
  expect(devAssets('/blog')()).toMatchObject({
    entry: '/blog/src/entry-client.tsx',
    boot: '/blog/src/boot.ts',
  });
});
