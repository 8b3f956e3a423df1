/** What a page's HTML has to name; every entry is ready to be used as an address. */
export interface Assets {
  entry: string;
  /** Classic script that runs before the first paint. */
  boot: string;
  css: string[];
  /** The rules of `css` in one file, for a page that has one. */
  pageStyles?: string;
  /** What the entry imports at once. */
  entryImports: string[];
  /** The code of the application and of the page. */
  preload: string[];
}

/** The part of Vite's manifest that is read here. */
export type Manifest = Record<
  string,
  { file: string; imports?: string[]; dynamicImports?: string[]; css?: string[]; pageStyles?: string }
>;

const ENTRY = 'src/entry-client.tsx';
/** Imported by the entry when it is wanted; the back office has none. */
const APP = 'src/take-over.tsx';
const BOOT = 'src/boot.ts';

/** Files of a page, with everything they import, from the built manifest; worked out once for each page. */
export function readManifest(manifest: Manifest, basePath: string): (pageFile?: string) => Assets {
  const known = new Map<string, Assets>();

  function fileOf(key: string): string {
    const chunk = manifest[key];
    if (chunk === undefined) throw new Error(`${key} is not in the manifest: build the site again`);
    return `${basePath}/${chunk.file}`;
  }

  function collect(pageFile: string): Assets {
    const scripts = new Set<string>();
    const css = new Set<string>();
    const later: string[] = [];
    let isPage = false;
    const walk = (key: string, seen: Set<string>): void => {
      const chunk = manifest[key];
      if (chunk === undefined || seen.has(`${basePath}/${chunk.file}`)) return;
      seen.add(`${basePath}/${chunk.file}`);
      // Imports first: a page's own rules come after those of the parts it is made of.
      for (const each of chunk.imports ?? []) walk(each, seen);
      for (const file of chunk.css ?? []) css.add(`${basePath}/${file}`);
      // What the page fetches later may be in its HTML already, and is to look as it will.
      if (isPage) later.push(...(chunk.dynamicImports ?? []));
    };
    walk(ENTRY, scripts);
    const entryImports = [...scripts];
    walk(APP, scripts);
    isPage = true;
    walk(pageFile, scripts);
    isPage = false;
    const seen = new Set(scripts);
    for (const each of later) walk(each, seen);
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
    const assets = known.get(pageFile) ?? collect(pageFile);
    known.set(pageFile, assets);
    return assets;
  };
}

/** While developing Vite serves the sources themselves and brings the styles of components by script. */
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
