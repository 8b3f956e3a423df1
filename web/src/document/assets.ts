/** URLs that a page's HTML refers to. */
export interface Assets {
  entry: string;
  /** Classic script that runs before the first paint. */
  boot: string;
  css: string[];
  /** One file that contains all rules of `css`, if the build created one for this page. */
  pageStyles?: string;
  entryImports: string[];
  /** The code of the application and of the page. */
  preload: string[];
}

/** The fields of Vite's manifest that are used here, plus `pageStyles`, which our build adds. */
export type Manifest = Record<
  string,
  { file: string; imports?: string[]; dynamicImports?: string[]; css?: string[]; pageStyles?: string }
>;

const ENTRY = 'src/entry-client.tsx';
/** Dynamically imported by the entry; the back office has none. */
const APP = 'src/hydrate.tsx';
const BOOT = 'src/boot.ts';

/** Returns a function that looks up the files of a page and of everything it imports; results are cached. */
export function readManifest(manifest: Manifest, basePath: string): (pageFile?: string) => Assets {
  const cache = new Map<string, Assets>();

  function fileOf(key: string): string {
    const chunk = manifest[key];
    if (chunk === undefined) throw new Error(`${key} is not in the manifest: build the site again`);
    return `${basePath}/${chunk.file}`;
  }

  function collect(pageFile: string): Assets {
    const scripts = new Set<string>();
    const css = new Set<string>();
    const dynamicImports: string[] = [];
    let isPage = false;
    const walk = (key: string, seen: Set<string>): void => {
      const chunk = manifest[key];
      if (chunk === undefined || seen.has(`${basePath}/${chunk.file}`)) return;
      seen.add(`${basePath}/${chunk.file}`);
      // Imports first, so that a page's own rules override those of its components.
      for (const each of chunk.imports ?? []) walk(each, seen);
      for (const file of chunk.css ?? []) css.add(`${basePath}/${file}`);
      // Dynamic imports may be server-rendered, so their styles are needed with the HTML.
      if (isPage) dynamicImports.push(...(chunk.dynamicImports ?? []));
    };
    walk(ENTRY, scripts);
    const entryImports = [...scripts];
    walk(APP, scripts);
    isPage = true;
    walk(pageFile, scripts);
    isPage = false;
    const seen = new Set(scripts);
    for (const each of dynamicImports) walk(each, seen);
    const entry = fileOf(ENTRY);
    const others = (files: Iterable<string>) => [...files].filter((file) => file !== entry);
    const pageStyles = manifest[pageFile]?.pageStyles;
    return {
      entry,
      boot: fileOf(BOOT),
      css: [...css],
      ...(pageStyles === undefined ? {} : { pageStyles: `${basePath}/${pageStyles}` }),
      entryImports: others(entryImports),
      preload: others(scripts),
    };
  }

  return (pageFile = '') => {
    const assets = cache.get(pageFile) ?? collect(pageFile);
    cache.set(pageFile, assets);
    return assets;
  };
}

/** In development Vite serves the source files and injects component styles by script. */
export function devAssets(basePath: string): () => Assets {
  const assets: Assets = {
    entry: `${basePath}/${ENTRY}`,
    boot: `${basePath}/${BOOT}`,
    css: ['styles/tokens', 'styles/base', 'ui/utilities'].map((name) => `${basePath}/src/${name}.css`),
    entryImports: [],
    preload: [],
  };
  return () => assets;
}
