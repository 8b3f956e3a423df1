import { toTimeZone } from './dates.ts';
import {
  type Classified,
  createFileReader,
  type FolderSite,
  listMarkdownFiles,
  readConfig,
  readFolder,
} from './folder.ts';
import { createdAtOf } from './folder-item.ts';
import {
  type Fields,
  type FrontMatterFile,
  getFields,
  getList,
  getText,
  isFields,
  isTrue,
} from './front-matter.ts';
import { toBaseUrl, toOldUrls } from './links.ts';
import { baseNameOf, fileNameOf, folderOf } from './paths.ts';
import { dateValues, encodePathname, fillPattern, listAliases, slugify } from './permalinks.ts';
import type { Archive, Format, Upload } from './types.ts';

const CONTENT = /^((?:[^/]+\/)*?)content\//;
const CONFIG =
  /^((?:[^/]+\/)*?)(?:(?:hugo|config)\.(?:toml|ya?ml|json)|config\/_default\/[^/]+\.(?:toml|ya?ml|json))$/;
const MAX_LANGUAGES = 100;
const ENDINGS = ['toml', 'yaml', 'yml', 'json'];

/** The folder with `content/`; one with a configuration is preferred to the examples of a theme. */
function findRoot(upload: Pick<Upload, 'names'>): string | null {
  const configured = new Set(upload.names().flatMap((name) => CONFIG.exec(name)?.[1] ?? []));
  const roots = [...new Set(listMarkdownFiles(upload).flatMap((name) => CONTENT.exec(name)?.[1] ?? []))];
  const shortest = roots.toSorted((a, b) => a.length - b.length);
  return shortest.find((root) => configured.has(root)) ?? shortest[0] ?? null;
}

/** The configuration may be one file, or a folder with a file for each table. */
async function openConfig(archive: Archive, root: string): Promise<Fields> {
  const read = (name: string) =>
    readConfig(
      archive,
      ENDINGS.map((ending) => `${root}${name}.${ending}`),
    );
  const merged: Record<string, unknown> = {};
  for (const name of ['hugo', 'config', 'config/_default/hugo', 'config/_default/config'])
    Object.assign(merged, { ...(await read(name)), ...merged });
  for (const table of ['params', 'permalinks', 'languages', 'frontmatter']) {
    const own = await read(`config/_default/${table}`);
    if (own !== null) merged[table] = { ...own, ...getFields(merged, table) };
  }
  const start = `${root}config/_default/languages.`;
  const names = archive.names().filter((name) => name.startsWith(start) && CONFIG.test(name));
  for (const name of names.slice(0, MAX_LANGUAGES)) {
    const own = await readConfig(archive, [name]);
    const language = baseNameOf(name.slice(start.length));
    if (own !== null && language !== name.slice(start.length))
      merged.languages = { ...getFields(merged, 'languages'), [language]: own };
  }
  return merged;
}

interface Language {
  name: string;
  /** The folder of its content, with a slash at the end. */
  folder: string;
  /** `/en`; empty for the main language. */
  prefix: string;
  isMain: boolean;
}

interface Hugo {
  config: Fields;
  root: string;
  zone: string;
  basePath: string;
  languages: Language[];
  /** Folders of leaf bundles, whose other files are no pages. */
  bundles: ReadonlySet<string>;
  mainSections: string[];
  inherited: ReadonlyMap<string, Fields>;
}

function listLanguages(config: Fields, root: string): Language[] {
  const tables = getFields(config, 'languages');
  const main = getText(config, 'defaultContentLanguage') || 'en';
  const contentFolder = getText(config, 'contentDir') || 'content';
  const inFolder = isTrue(config, 'defaultContentLanguageInSubdir');
  const languages = Object.keys(tables).map((name) => ({
    name: name.toLowerCase(),
    folder: `${root}${getText(getFields(tables, name), 'contentDir', 'contentdir') || contentFolder}/`,
    prefix: name === main && !inFolder ? '' : `/${name.toLowerCase()}`,
    isMain: name === main,
  }));
  const { mounts } = getFields(config, 'module');
  const mounted = (Array.isArray(mounts) ? mounts.slice(0, 100) : [])
    .filter(isFields)
    .filter((mount) => getText(mount, 'target') === 'content' && getText(mount, 'source') !== '')
    .map((mount) => ({
      name: '',
      folder: `${root}${getText(mount, 'source').replace(/\/$/, '')}/`,
      prefix: '',
      isMain: true,
    }));
  return [
    ...languages,
    ...mounted,
    { name: '', folder: `${root}${contentFolder}/`, prefix: '', isMain: true },
  ];
}

interface Place {
  /** Below the folder of the language, without the language in the name: `posts/a.md`. */
  path: string;
  prefix: string;
  /** Empty for the main language. */
  language: string;
}

/** `index.zh-cn.md` names its language before the ending. */
function placeOf({ languages }: Hugo, name: string): Place | null {
  const suffix = /\.([a-z]{2,3}(?:-[a-z]{2,4})?)\.\w+$/i.exec(name)?.[1]?.toLowerCase();
  const bySuffix = languages.find((language) => language.name !== '' && language.name === suffix);
  const inFolder = languages
    .filter(({ folder }) => name.startsWith(folder))
    .toSorted((a, b) => b.folder.length - a.folder.length);
  const language = bySuffix !== undefined && name.startsWith(bySuffix.folder) ? bySuffix : inFolder[0];
  if (language === undefined) return null;
  const path = name.slice(language.folder.length);
  const plain = bySuffix === undefined ? path : path.replace(/\.[a-z-]+(\.\w+)$/i, '$1');
  const isShared = inFolder.filter(({ folder }) => folder === language.folder).length > 1;
  const isMain = isShared && bySuffix === undefined;
  return {
    path: plain,
    prefix: isMain ? '' : language.prefix,
    language: isMain || language.isMain ? '' : language.name,
  };
}

const sectionOf = (path: string): string => (path.includes('/') ? path.slice(0, path.indexOf('/')) : '');

/** Hugo writes paths in lower case, with hyphens for spaces, and without most signs. */
const toPath = (text: string): string =>
  text
    .toLowerCase()
    .replace(/\s+/g, '-')
    .replace(/[^\p{L}\p{M}\p{N}\-_./+~@]/gu, '');

/** Patterns are grouped by the kind of page since Hugo 0.118. */
function patternOf({ config }: Hugo, section: string): string {
  const permalinks = getFields(config, 'permalinks');
  return getText(getFields(permalinks, 'page'), section) || getText(permalinks, section);
}

/** The values of `:slug`, `:filename` and so on, in the current and the former spelling. */
function pathValues(path: string, fields: Fields) {
  const own = baseNameOf(path) === 'index' ? fileNameOf(folderOf(path)) : baseNameOf(path);
  const folder = baseNameOf(path) === 'index' ? folderOf(folderOf(path)) : folderOf(path);
  const slug = getText(fields, 'slug');
  const titleSlug = slugify(getText(fields, 'title')) || toPath(own);
  return {
    own,
    folder,
    values: {
      section: sectionOf(path),
      sections: folder,
      title: titleSlug,
      slug: slug === '' ? titleSlug : toPath(slug),
      slugorfilename: toPath(slug || own),
      slugorcontentbasename: toPath(slug || own),
      filename: toPath(own),
      contentbasename: toPath(own),
    },
  };
}

function pageUrls(hugo: Hugo, { path, prefix }: Place, fields: Fields, name: string): string[] {
  const { config, zone, basePath } = hugo;
  const start = basePath + prefix;
  const given = getText(fields, 'url');
  if (given !== '') return [`${given.startsWith('/') ? basePath : `${start}/`}${given}`];
  const isUgly = isTrue(config, 'uglyURLs', 'uglyurls');
  const close = (address: string): string => (isUgly ? `${address}.html` : `${address}/`);
  if (baseNameOf(path) === '_index') return [`${start}/${toPath(folderOf(path))}/`];
  const { own, folder, values } = pathValues(path, fields);
  const pattern = patternOf(hugo, values.section);
  if (pattern !== '') {
    const filled = fillPattern(pattern, { ...dateValues(createdAtOf(fields, name, zone), zone), ...values });
    return filled === null ? [] : [start + (/\/$|\.html?$/.test(filled) ? filled : close(filled))];
  }
  const last = getText(fields, 'slug') || own;
  return [close(`${start}/${toPath(folder === '' ? last : `${folder}/${last}`)}`)];
}

function aliasesOf({ basePath }: Hugo, { prefix }: Place, own: string[], fields: Fields): string[] {
  const [from = '/'] = own;
  const parent = from.slice(0, from.lastIndexOf('/', from.length - 2) + 1);
  return listAliases(fields).map((alias) =>
    alias.startsWith('/') ? basePath + alias : `${parent === '' ? `${basePath}${prefix}/` : parent}${alias}`,
  );
}

function classify(hugo: Hugo, name: string, { fields, body }: FrontMatterFile): Classified {
  const place = placeOf(hugo, name);
  if (place === null) return { kind: 'skipped', reason: '不在网站的目录里，没有导入' };
  const { path } = place;
  const isIndex = baseNameOf(path) === '_index';
  const folder = folderOf(path);
  const owner = findBundle(hugo, folderOf(name), baseNameOf(path));
  if (owner !== undefined) return { kind: 'skipped', reason: '文章的附属文件，没有单独导入' };
  if (isIndex && (body.trim() === '' || folder === ''))
    return { kind: 'skipped', reason: '栏目页，没有导入' };
  const section = sectionOf(path);
  const urls = pageUrls(hugo, place, fields, name);
  const oldUrls = toOldUrls([...urls, ...aliasesOf(hugo, place, urls, fields)].map(encodePathname));
  const isPage =
    isIndex ||
    !hugo.mainSections.includes(section) ||
    /^(?:page|about|archives?|links?|friends|tags|categories|search)$/i.test(
      getText(fields, 'type', 'layout'),
    );
  if (isPage && body.trim() === '') return { kind: 'skipped', reason: '没有正文的页面，没有导入' };
  const { language } = place;
  return {
    kind: isPage ? 'page' : 'essay',
    section: language === '' ? section : `${language}/${section}`,
    oldUrls,
  };
}

/** The leaf bundle that a file belongs to; its own `index` is the page. */
function findBundle({ bundles }: Hugo, folder: string, base: string): string | undefined {
  for (let each = folder; each !== ''; each = folderOf(each))
    if (bundles.has(each)) return each === folder && base === 'index' ? undefined : each;
  return undefined;
}

/** Values that a section's `cascade` gives to the pages below it; conditions are not read. */
async function readCascades(archive: Archive, files: readonly string[]): Promise<Map<string, Fields>> {
  const readFile = createFileReader(archive);
  const cascades = new Map<string, Fields>();
  for (const name of files.filter((each) => /(?:^|\/)_index\.[^/]*$/.test(each))) {
    const file = await readFile(name);
    if ('kind' in file) continue;
    const { cascade } = file.fields;
    const parts = (Array.isArray(cascade) ? cascade : [cascade]).filter(isFields);
    const plain = parts.filter((part) => part.target === undefined && part._target === undefined);
    // Values such as `build` may be below `params`.
    if (plain.length > 0)
      cascades.set(
        folderOf(name),
        Object.assign({}, ...plain.map((part) => ({ ...getFields(part, 'params'), ...part }))),
      );
  }
  return cascades;
}

/** Hugo ignores the case of names: `Draft`, `URL`. */
const withLowerCaseNames = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name.toLowerCase(), value]));

function inherit({ inherited }: Pick<Hugo, 'inherited'>, name: string, fields: Fields): Fields {
  let values = fields;
  for (let folder = folderOf(name); folder !== '' && inherited.size > 0; folder = folderOf(folder)) {
    const { cascade: _, ...above } = inherited.get(folder) ?? {};
    values = { ...above, ...values };
  }
  return values;
}

/** The sections of the configuration, or the one with the most pages, as Hugo chooses. */
function chooseMainSections(hugo: Omit<Hugo, 'mainSections'>, files: readonly string[]): string[] {
  const { config } = hugo;
  const given = [
    ...getList(getFields(config, 'params'), 'mainSections', 'mainsections'),
    ...getList(config, 'mainSections'),
  ];
  if (given.length > 0) return given;
  const counts = new Map<string, number>();
  for (const name of files) {
    const place = placeOf({ ...hugo, mainSections: [] }, name);
    if (place === null || place.language !== '' || baseNameOf(place.path) === '_index') continue;
    const section = sectionOf(place.path);
    if (section !== '') counts.set(section, (counts.get(section) ?? 0) + 1);
  }
  const [largest] = [...counts].toSorted(([, a], [, b]) => b - a);
  return largest === undefined ? [''] : [largest[0]];
}

async function openSite(archive: Archive): Promise<FolderSite> {
  const root = findRoot(archive) ?? '';
  const config = await openConfig(archive, root);
  const baseUrl = toBaseUrl(getText(config, 'baseURL', 'baseurl', 'baseUrl'));
  const basePath = baseUrl === '' ? '' : new URL(baseUrl).pathname.replace(/\/$/, '');
  const zone = toTimeZone(getText(config, 'timeZone', 'timezone'));
  const languages = listLanguages(config, root);
  const files = listMarkdownFiles(archive).filter((name) => name.startsWith(root));
  const bundles = new Set(files.filter((name) => /(?:^|\/)index\.[^/]*$/.test(name)).map(folderOf));
  const partial = {
    config,
    root,
    zone,
    basePath,
    languages,
    bundles,
    inherited: await readCascades(archive, files),
  };
  const hugo: Hugo = { ...partial, mainSections: chooseMainSections(partial, files) };
  const title =
    getText(config, 'title') ||
    getText(getFields(getFields(config, 'languages'), languages[0]?.name ?? ''), 'title');
  const author = getFields(getFields(config, 'params'), 'author');
  return {
    program: 'hugo',
    root,
    title,
    owner:
      getText(author, 'name') ||
      getText(getFields(config, 'params'), 'author') ||
      getText(getFields(config, 'author'), 'name'),
    baseUrl,
    timeZone: zone,
    feedUrls: toOldUrls([
      `${basePath}/index.xml`,
      ...hugo.mainSections
        .filter((name) => name !== '')
        .map((name) => `${basePath}/${toPath(name)}/index.xml`),
    ]),
    files,
    mainSections: hugo.mainSections,
    inherit: (name, fields) => inherit(hugo, name, { ...withLowerCaseNames(fields), ...fields }),
    classify: (name, file) => classify(hugo, name, file),
    listRootFolders: (name) => [
      ...languages.map(({ folder }) => folder),
      `${root}static/`,
      `${root}assets/`,
      folderOf(name),
      '',
    ],
    isDraft: () => false,
    lockedTags: new Set(),
  };
}

/** Reads the folder of a Hugo site. */
export const hugo: Format = {
  detect: async (upload) => findRoot(upload) !== null,
  async *read(archive) {
    yield* readFolder(archive, await openSite(archive));
  },
};
