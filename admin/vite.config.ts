import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

// The same targets as the reader site: in-app browsers on old phones.
const styled = ['chrome90', 'edge90', 'firefox90', 'safari14', 'ios14'];
const scripted = ['chrome91', 'edge91', 'firefox90', 'safari15', 'ios15'];

// biome-ignore lint/style/noDefaultExport: Vite requires it
export default defineConfig(({ command }) => ({
  root: import.meta.dirname,
  // Relative paths, so that one build works under any base path; in development the server sets it.
  base: command === 'build' ? './' : '/',
  appType: 'custom',
  publicDir: false,
  // Separate from the cache of the site, which has other packages.
  cacheDir: join(import.meta.dirname, '../node_modules/.vite-admin'),
  plugins: [react()],
  css: { transformer: 'lightningcss', lightningcss: { cssModules: { pattern: '[local]_[hash]' } } },
  resolve: {
    alias: {
      // Its version for browsers needs a document, which the worker that converts pasted HTML does not have.
      'decode-named-character-reference': join(
        import.meta.dirname,
        '../node_modules/decode-named-character-reference/index.js',
      ),
    },
  },
  builder: {},
  environments: {
    client: {
      build: {
        outDir: 'dist/client',
        manifest: true,
        target: scripted,
        cssTarget: styled,
        modulePreload: { polyfill: false },
        rolldownOptions: { input: ['src/entry-client.tsx', 'src/boot.ts'] },
      },
    },
  },
}));
