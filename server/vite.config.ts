import { dirname, join, relative, sep } from 'node:path';
import { defineConfig, type Plugin, type UserConfig } from 'vite';

/** Packages that load files relative to their own location or contain native code. */
const EXTERNAL_PACKAGES = [
  '@node-rs/argon2',
  'harfbuzzjs',
  'ip2region',
  'piscina',
  // Used in development only.
  '@fastify/middie',
  'vite',
];

/** Replaces `import.meta` paths, because sources load worker threads, texts and migrations relative to their own file. */
const sourcePaths = (output: string): Plugin => ({
  name: 'source-paths',
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
});

/**
 * An import of a built-in module evaluates all of its exports, some of which load large modules: `node:http` alone
 * would load Node's HTTP client, which takes a twentieth of the start.
 */
const builtInModules: Plugin = {
  name: 'built-in-modules',
  renderChunk: (code) => ({
    code: code.replace(
      /^import (?:([\w$]+)(?:, )?)?(?:\{([\w$, ]*)\}|\* as ([\w$]+))? from "(node:[\w/]+)";$/gm,
      (
        _,
        whole: string | undefined,
        names: string | undefined,
        namespace: string | undefined,
        id: string,
      ) => {
        const module = `process.getBuiltinModule(${JSON.stringify(id)})`;
        const picked = names === undefined ? [] : [`{${names.replaceAll(' as ', ': ')}} = ${module}`];
        const named = [whole, namespace].flatMap((name) =>
          name === undefined ? [] : [`${name} = ${module}`],
        );
        return `const ${[...named, ...picked].join(', ')};`;
      },
    ),
    map: null,
  }),
};

/** Changes a line of a package; the build fails if another version of the package no longer contains the line. */
const patchPackage = (name: string, file: string, line: string, replacement: string): Plugin => ({
  name,
  transform(code, id) {
    if (!id.endsWith(`/node_modules/${file}`)) return;
    if (!code.includes(line)) this.error(`${file} no longer contains "${line}"`);
    return { code: code.replace(line, replacement), map: null };
  },
});

/** Fastify's router compiles a function for each short piece of a URL, which takes a twentieth of the start. */
const routerPrefixes = patchPackage(
  'router-prefixes',
  'find-my-way/lib/node.js',
  'const LONG_PREFIX_MIN_LENGTH = 16',
  'const LONG_PREFIX_MIN_LENGTH = 2',
);

/** The beginning of Drizzle's comparison of class names. */
const NAME_COMPARISON = 'if (!Object.prototype.hasOwnProperty.call(type, entityKind)) {';

/**
 * Drizzle asks of each part of a query which of its classes it is. Comparing names serves several copies of the package,
 * and takes more than half of the time to build a query. The bundle contains one copy.
 */
const queryParts = patchPackage(
  'query-parts',
  'drizzle-orm/entity.js',
  NAME_COMPARISON,
  `return false;\n  ${NAME_COMPARISON}`,
);

interface Bundle {
  /** Paths are absolute. */
  input: string;
  output: string;
  name: string;
}

/** Bundles a server into a few files; loading sources and packages one by one takes five times as long and twice the memory. */
export const bundleServer = ({ input, output, name }: Bundle): UserConfig => ({
  root: import.meta.dirname,
  appType: 'custom',
  publicDir: false,
  plugins: [sourcePaths(output), builtInModules, routerPrefixes, queryParts],
  builder: { buildApp: async ({ build, environments: { ssr } }) => void (ssr && (await build(ssr))) },
  environments: {
    ssr: {
      resolve: { noExternal: true, external: EXTERNAL_PACKAGES },
      build: {
        outDir: output,
        emptyOutDir: true,
        ssr: true,
        target: 'node24',
        rolldownOptions: {
          input,
          output: { entryFileNames: name, chunkFileNames: '[name]-[hash].js' },
        },
      },
    },
  },
});

// biome-ignore lint/style/noDefaultExport: Vite requires it
export default defineConfig(
  bundleServer({
    input: join(import.meta.dirname, '../scripts/server.ts'),
    output: join(import.meta.dirname, 'dist'),
    name: 'server.js',
  }),
);
