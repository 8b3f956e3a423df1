import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { type CSSOptions, defineConfig } from 'vite';

/** In-app browsers on old phones: nesting, `light-dark()` and the like are lowered for them. */
const styled = ['chrome90', 'edge90', 'firefox90', 'safari14', 'ios14'];
/** Scripts may count on private class members, which are costly to lower; whatever runs iOS 14 can run 15. */
const scripted = ['chrome91', 'edge91', 'firefox90', 'safari15', 'ios15'];

export const css: CSSOptions = {
  transformer: 'lightningcss',
  lightningcss: { cssModules: { pattern: '[local]_[hash]' } },
};

// biome-ignore lint/style/noDefaultExport: Vite looks for it
export default defineConfig(({ command }) => ({
  root: import.meta.dirname,
  // Built files find each other relatively, so one build serves under any base path; in development the server sets it.
  base: command === 'build' ? './' : '/',
  appType: 'custom',
  publicDir: false,
  cacheDir: join(import.meta.dirname, '../node_modules/.vite'),
  plugins: [react()],
  css,
  builder: {},
  environments: {
    client: {
      build: {
        outDir: 'dist/client',
        manifest: true,
        target: scripted,
        cssTarget: styled,
        // What a page imports is found when it is: only its styles have to be there before it.
        modulePreload: {
          polyfill: false,
          resolveDependencies: (_file, files) => files.filter((file) => file.endsWith('.css')),
        },
        rolldownOptions: {
          input: ['src/entry-client.tsx', 'src/boot.ts', 'src/diagram.ts', 'src/service-worker.ts'],
          // A worker is found again by its name; the server gives it its address.
          output: {
            codeSplitting: {
              groups: [
                // One file for what seldom changes, beside which the site's own code is small.
                { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\// },
                // What nearly all pages need: small files are packed worse than one.
                {
                  name: 'common',
                  test: /\/(client|web|contract)\/src\/(?!features|pages)|@tanstack/,
                  minShareCount: 40,
                },
              ],
            },
            entryFileNames: ({ name }) =>
              name === 'service-worker' ? 'service-worker.js' : 'assets/[name]-[hash].js',
          },
        },
      },
    },
    ssr: {
      // Built, it holds React and the rest in their production form, whatever NODE_ENV the server runs with.
      ...(command === 'build' && {
        define: { 'process.env.NODE_ENV': '"production"' },
        resolve: { noExternal: true },
      }),
      build: {
        outDir: 'dist/server',
        ssr: true,
        target: 'node20',
        rolldownOptions: {
          input: 'src/entry-server.tsx',
          output: { entryFileNames: 'entry-server.js' },
        },
      },
    },
  },
}));
