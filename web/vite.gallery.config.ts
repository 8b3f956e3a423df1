import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { css } from './vite.config.ts';

/** The gallery of the components, which is no part of what `vite.config.ts` builds. */
// biome-ignore lint/style/noDefaultExport: Vite looks for it
export default defineConfig({
  root: join(import.meta.dirname, 'src/gallery'),
  base: './',
  publicDir: false,
  cacheDir: join(import.meta.dirname, '../node_modules/.vite/gallery'),
  plugins: [react()],
  css,
  server: { host: '127.0.0.1', port: 9010, open: true },
});
