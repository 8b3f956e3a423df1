import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { type CSSOptions, defineConfig, type Plugin } from 'vite';
import { type Manifest, readManifest } from './src/document/assets.ts';

/** CSS targets: in-app browsers on old phones, for which nesting and `light-dark()` are transformed. */
const styled = ['chrome90', 'edge90', 'firefox90', 'safari14', 'ios14'];
/** Script targets support private class members, which are expensive to transform; every device with iOS 14 can run 15. */
const scripted = ['chrome91', 'edge91', 'firefox90', 'safari15', 'ios15'];

export const css: CSSOptions = {
  transformer: 'lightningcss',
  lightningcss: { cssModules: { pattern: '[local]_[hash]' } },
};

const source = (name: string) => join(import.meta.dirname, 'src', name);
const APPLICATION = source('hydrate.tsx');

type ModuleInfo = (id: string) => {
  importedIds: readonly string[];
  dynamicallyImportedIds: readonly string[];
} | null;

/** The file and its imports, recursively; dynamic imports only if asked for. */
function importsOf(
  id: string,
  infoOf: ModuleInfo,
  withDynamic = false,
  found = new Set<string>(),
): Set<string> {
  if (found.has(id)) return found;
  found.add(id);
  const info = infoOf(id);
  const imports = [
    ...(info?.importedIds ?? []),
    ...(withDynamic ? (info?.dynamicallyImportedIds ?? []) : []),
  ];
  for (const each of imports) importsOf(each, infoOf, withDynamic, found);
  return found;
}

let application: Set<string> | undefined;
/** Modules that every hydrated page needs, except those that the entry needs before hydration. */
function isApplication(id: string, infoOf: ModuleInfo): boolean {
  if (application === undefined) {
    application = importsOf(APPLICATION, infoOf)
      .difference(importsOf(source('entry-client.tsx'), infoOf))
      // The frame of a diagram may load no stylesheet, so it must not import this chunk, which has one.
      .difference(importsOf(source('diagram.ts'), infoOf, true));
    // A chunk of its own, because the manifest names it.
    application.delete(APPLICATION);
  }
  return application.has(id);
}

/** One stylesheet for each page: its first paint waits for one request instead of twenty. */
const pageStyles: Plugin = {
  name: 'page-styles',
  applyToEnvironment: ({ name }) => name === 'client',
  writeBundle: {
    order: 'post',
    handler({ dir = '' }) {
      const path = join(dir, '.vite/manifest.json');
      const manifest: Manifest = JSON.parse(readFileSync(path, 'utf8'));
      const assets = readManifest(manifest, '');
      for (const [key, chunk] of Object.entries(manifest)) {
        if (!key.startsWith('src/pages/')) continue;
        const text = assets(key)
          .css.map((file) => readFileSync(join(dir, file), 'utf8'))
          .join('');
        const hash = createHash('sha256').update(text).digest('base64url').slice(0, 8);
        chunk.pageStyles = `assets/page-${hash}.css`;
        writeFileSync(join(dir, chunk.pageStyles), text);
      }
      writeFileSync(path, JSON.stringify(manifest));
    },
  },
};

// biome-ignore lint/style/noDefaultExport: Vite requires it
export default defineConfig(({ command }) => ({
  root: import.meta.dirname,
  // Relative paths, so that one build works under any base path; in development the server sets it.
  base: command === 'build' ? './' : '/',
  appType: 'custom',
  publicDir: false,
  cacheDir: join(import.meta.dirname, '../node_modules/.vite'),
  plugins: [react(), pageStyles],
  css,
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
        // Scripts load their imports themselves; only stylesheets must be loaded before a page.
        modulePreload: {
          polyfill: false,
          resolveDependencies: (_file, files) => files.filter((file) => file.endsWith('.css')),
        },
        rolldownOptions: {
          input: ['src/entry-client.tsx', 'src/boot.ts', 'src/diagram.ts', 'src/service-worker.ts'],
          // The server looks up the worker by this name.
          output: {
            codeSplitting: {
              // Otherwise the entry would import the chunk of the application, with which it shares a few modules.
              includeDependenciesRecursively: false,
              groups: [
                // Rarely changed packages in one chunk; the code of the site is small in comparison.
                { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\// },
                // The application in one chunk, which compresses better than many small ones.
                {
                  name: (id, modules) =>
                    isApplication(id, (each) => modules.getModuleInfo(each)) ? 'application' : null,
                  debugName: 'application',
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
      // Bundles the production build of React, whatever NODE_ENV the server has.
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
