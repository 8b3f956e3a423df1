import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
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

interface Groups {
  /** Modules that every hydrated page needs. */
  application: Set<string>;
  /** Modules that several pages need: a few kilobytes more for some pages, but half as many requests for most. */
  common: Set<string>;
}

const COMMON_PAGES = 4;
const PAGES = readdirSync(source('pages'))
  .filter((name) => name.endsWith('.tsx'))
  .map((name) => source(`pages/${name}`));

let groups: Groups | undefined;
function groupsOf(infoOf: ModuleInfo): Groups {
  if (groups === undefined) {
    // The entry needs its modules before the application. The frame of a diagram may load no stylesheet, so it must
    // not import these chunks, which have one.
    const others = importsOf(source('entry-client.tsx'), infoOf).union(
      importsOf(source('diagram.ts'), infoOf, true),
    );
    const application = importsOf(APPLICATION, infoOf).difference(others);
    // A chunk of its own, because the manifest names it.
    application.delete(APPLICATION);
    const pages = PAGES.map((page) => importsOf(page, infoOf).difference(new Set([page])));
    const isCommon = (id: string) => pages.filter((each) => each.has(id)).length >= COMMON_PAGES;
    const common = pages.reduce((all, each) => all.union(each), new Set<string>());
    groups = { application, common: new Set([...common.difference(others)].filter(isCommon)) };
  }
  return groups;
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
                // Few chunks, which compress better than many small ones.
                {
                  name: (id, modules) => {
                    const { application, common } = groupsOf((each) => modules.getModuleInfo(each));
                    return application.has(id) ? 'application' : common.has(id) ? 'common' : null;
                  },
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
