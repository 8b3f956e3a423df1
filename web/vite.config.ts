import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** In-app browsers on old phones: nesting, `light-dark()` and new syntax are lowered for them. */
const browsers = ['chrome90', 'edge90', 'firefox90', 'safari14', 'ios14'];

export default defineConfig(({ command }) => ({
  root: import.meta.dirname,
  // Built files find each other relatively, so one build serves under any base path; in development the server sets it.
  base: command === 'build' ? './' : '/',
  appType: 'custom',
  publicDir: false,
  plugins: [react()],
  css: { transformer: 'lightningcss', lightningcss: { cssModules: { pattern: '[local]_[hash]' } } },
  builder: {},
  environments: {
    client: {
      build: {
        outDir: 'dist/client',
        manifest: true,
        target: browsers,
        modulePreload: { polyfill: false },
        rolldownOptions: { input: ['src/entry-client.tsx', 'src/boot.ts'] },
      },
    },
    ssr: {
      // React and the rest are bundled in their production form, whatever NODE_ENV the server runs with.
      resolve: { noExternal: true },
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
