import { dirname, join, relative, sep } from 'node:path';
import { defineConfig, type Plugin } from 'vite';

/** The server as a few files: loading its sources and packages one by one takes five times as long, and twice the memory. */
const output = join(import.meta.dirname, 'dist');

/** Packages that find files of their own by their place, or hold compiled code. */
const APART = [
  '@node-rs/argon2',
  'graphile-worker',
  'harfbuzzjs',
  'ip2region',
  'pino',
  'piscina',
  // Only while developing.
  '@fastify/middie',
  'vite',
];

/** Sources find worker threads, texts and migrations beside themselves, wherever their code ends up. */
const places: Plugin = {
  name: 'places',
  transform(code, id) {
    if (id.includes('node_modules') || !code.includes('import.meta.')) return;
    const path = relative(output, id).split(sep).join('/');
    return {
      code: code
        .replaceAll('import.meta.dirname', `(import.meta.dirname + ${JSON.stringify(`/${dirname(path)}`)})`)
        .replaceAll('import.meta.url', `new URL(${JSON.stringify(path)}, import.meta.url).href`),
      map: null,
    };
  },
};

// biome-ignore lint/style/noDefaultExport: Vite looks for it
export default defineConfig({
  root: import.meta.dirname,
  appType: 'custom',
  publicDir: false,
  plugins: [places],
  builder: { buildApp: async ({ build, environments: { ssr } }) => void (ssr && (await build(ssr))) },
  environments: {
    ssr: {
      resolve: { noExternal: true, external: APART },
      build: {
        outDir: output,
        ssr: true,
        target: 'node24',
        rolldownOptions: {
          input: '../scripts/server.ts',
          output: { entryFileNames: 'server.js', chunkFileNames: '[name]-[hash].js' },
        },
      },
    },
  },
});
