import { expect, test } from 'vitest';
import { devAssets, type Manifest, readManifest } from './assets.ts';

const manifest: Manifest = {
  'src/entry-client.tsx': { file: 'assets/entry-1.js', imports: ['_first.js'], css: ['assets/entry-1.css'] },
  '_first.js': { file: 'assets/first-1.js' },
  'src/take-over.tsx': {
    file: 'assets/take-over-1.js',
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

test('a page names its own files and all they import, once and under the base path', () => {
  expect(readManifest(manifest, '/blog')('src/pages/login.tsx')).toEqual({
    entry: '/blog/assets/entry-1.js',
    boot: '/blog/assets/boot-1.js',
    css: [
      '/blog/assets/entry-1.css',
      '/blog/assets/shared-1.css',
      '/blog/assets/field-1.css',
      '/blog/assets/login-1.css',
      // Fetched later, but it may be in the HTML already.
      '/blog/assets/qr-1.css',
    ],
    pageStyles: '/blog/assets/page-1.css',
    entryImports: ['/blog/assets/first-1.js'],
    preload: [
      '/blog/assets/first-1.js',
      '/blog/assets/take-over-1.js',
      '/blog/assets/shared-1.js',
      '/blog/assets/login-1.js',
      '/blog/assets/field-1.js',
    ],
  });
});

test('a page without a file of its own needs the application alone', () => {
  const { css, pageStyles, preload } = readManifest(manifest, '')();
  expect(css).toEqual(['/assets/entry-1.css', '/assets/shared-1.css']);
  expect(pageStyles).toBeUndefined();
  expect(preload).toEqual(['/assets/first-1.js', '/assets/take-over-1.js', '/assets/shared-1.js']);
});

test('files are worked out once', () => {
  const assets = readManifest(manifest, '');
  expect(assets('src/pages/login.tsx')).toBe(assets('src/pages/login.tsx'));
});

test('a manifest of another build is refused', () => {
  expect(() => readManifest({}, '')()).toThrow(/build the site again/);
});

test('while developing the sources are served', () => {
  expect(devAssets('/blog')()).toMatchObject({
    entry: '/blog/src/entry-client.tsx',
    boot: '/blog/src/boot.ts',
  });
});
