import { join } from 'node:path';
import { defineConfig } from 'vite';
import { bundleServer } from '../server/vite.config.ts';

/** Bundles the server without a page cache like the product, because the sources are slower. */
export default defineConfig(
  bundleServer({
    input: join(import.meta.dirname, 'uncached-server.ts'),
    output: join(import.meta.dirname, 'dist'),
    name: 'uncached-server.js',
  }),
);
