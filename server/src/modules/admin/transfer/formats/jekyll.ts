import { toTimeZone } from './dates.ts';
import {
  type Classified,
  type FolderSite,
  listMarkdownFiles,
  listOctopressFolders,
  readConfig,
  readFolder,
} from './folder.ts';
import { createdAtOf, DATED_NAME } from './folder-item.ts';
import { type Fields, type FrontMatterFile, getFields, getList, getText, isFields } from './front-matter.ts';
import { toBaseUrl, toOldUrls } from './links.ts';
import { baseNameOf, fileNameOf, folderOf } from './paths.ts';
import { dateValues, encodePathname, fillPattern, listAliases, slugify } from './permalinks.ts';
import { mapOutsideCode } from './template-tags.ts';
import type { Archive, Format, Upload } from './types.ts';

const isDatedPost = (name: string): boolean =>
  /(?:^|\/)_posts\//.test(name) && /^\d{4}-\d{1,2}-\d{1,2}-/.test(fileNameOf(name));
const STYLES: Record<string, string> = {
  date: '/:categories/:year/:month/:day/:title.html',
  pretty: '/:categories/:year/:month/:day/:title/',
  ordinal: '/:categories/:year/:y_day/:title.html',
  weekdate: '/:categories/:year/W:week/:short_day/:title.html',
  none: '/:categories/:title.html',
};

function findRoot(upload: Pick<Upload, 'names'>): string | null {
  const octopress = listOctopressFolders(upload);
  const posts = listMarkdownFiles(upload).filter((name) => {
    const [, hexoBase] = /^(.*?(?:^|\/))source\/_posts\//.exec(name) ?? [];
    return isDatedPost(name) && (hexoBase === undefined || octopress.has(hexoBase));
  });
  const [shortest] = posts.toSorted((a, b) => a.split('/').length - b.split('/').length);
  if (shortest === undefined) return null;
  const folder = shortest.slice(0, shortest.lastIndexOf('_posts/'));
  // The configuration may be above a folder such as `docs/`.
  const names = new Set(upload.names());
  for (
    let root = folder;
    ;
    root = folderOf(root.slice(0, -1)) === '' ? '' : `${folderOf(root.slice(0, -1))}/`
  ) {
    if (names.has(`${root}_config.yml`)) return root;
    if (root === '') return folder;
  }
}

/** Values of `defaults` in the configuration for files of a path. */
function inherit(config: Fields, path: string, fields: Fields): Fields {
  const { defaults } = config;
  let inherited: Fields = {};
  for (const entry of Array.isArray(defaults) ? defaults.slice(0, 100) : []) {
    if (!isFields(entry)) continue;
    const scope = getFields(entry, 'scope');
    const folder = getText(scope, 'path').replace(/^\/|\/$/g, '');
    const type = getText(scope, 'type');
    const isPost = /(?:^|\/)_(?:posts|drafts)\//.test(path);
    const own = isPost ? 'posts' : (/^_([^/]+)\//.exec(path)?.[1] ?? 'pages');
    if ((folder === '' || path.startsWith(folder)) && (type === '' || type === own))
      inherited = { ...inherited, ...getFields(entry, 'values') };
  }
  return { ...inherited, ...fields };
}

interface Jekyll {
  config: Fields;
  root: string;
  zone: string;
  basePath: string;
}

function postUrls({ config, root, zone, basePath }: Jekyll, name: string, fields: Fields): string[] {
  const given = getText(fields, 'permalink') || getText(config, 'permalink') || 'date';
  const pattern = STYLES[given] ?? given;
  const path = name.slice(root.length);
  const folders = path.slice(0, path.search(/_(?:posts|drafts)\//)).split('/');
  const categories = [
    ...folders.filter((folder) => folder !== ''),
    ...getList(fields, 'categories', 'category'),
  ];
  const base = DATED_NAME.exec(baseNameOf(name))?.[2] ?? baseNameOf(name);
  const date = createdAtOf(fields, name, zone);
  const filled = fillPattern(pattern.replace(':output_ext', '.html'), {
    ...dateValues(date, zone),
    categories: [...new Set(categories.map(slugify))].join('/'),
    title: getText(fields, 'slug') || base,
    slug: getText(fields, 'slug') || slugify(base),
    name: slugify(base),
  });
  if (filled === null) return [];
  const isOpen = !/(?:\/|\.html?)$/.test(filled);
  return [
    encodePathname(basePath + filled),
    ...(isOpen ? [encodePathname(`${basePath}${filled}.html`)] : []),
  ];
}

function pageUrls({ config, root, basePath }: Jekyll, name: string, fields: Fields): string[] {
  const own = getText(fields, 'permalink');
  if (own !== '') return [encodePathname(basePath + (own.startsWith('/') ? own : `/${own}`))];
  const path = name.slice(root.length).replace(/^_/, '');
  const folder = folderOf(path) === '' ? '' : `${folderOf(path)}/`;
  const base = baseNameOf(path);
  if (/^(?:index|readme)$/i.test(base)) return [encodePathname(`${basePath}/${folder}`)];
  const isPretty = /^pretty$|\/$/.test(getText(config, 'permalink'));
  const urls = [`${basePath}/${folder}${base}.html`, `${basePath}/${folder}${base}/`];
  return (isPretty ? urls.toReversed() : urls).map(encodePathname);
}

function classify(jekyll: Jekyll, name: string, { fields, body, isBroken }: FrontMatterFile): Classified {
  const { root, basePath, config } = jekyll;
  const path = name.startsWith(root) ? name.slice(root.length) : name;
  const aliases = listAliases(fields).map((alias) =>
    encodePathname(`${basePath}/${alias.replace(/^\//, '')}`),
  );
  if (/(?:^|\/)_(?:posts|drafts)\//.test(path))
    return {
      kind: 'essay',
      section: 'posts',
      oldUrls: toOldUrls([...postUrls(jekyll, name, fields), ...aliases]),
    };
  const [, collection] = /^_([^/]+)\//.exec(path) ?? [];
  if (collection !== undefined && !Object.hasOwn(getFields(config, 'collections'), collection))
    return { kind: 'skipped', reason: '主题的数据，没有导入' };
  // Jekyll copies files without front matter unchanged.
  if (Object.keys(fields).length === 0 && !isBroken) return { kind: 'skipped', reason: '说明文件，没有导入' };
  if (body.trim() === '') return { kind: 'skipped', reason: '由主题生成的页面，没有正文，没有导入' };
  return {
    kind: 'page',
    section: collection ?? '',
    oldUrls: toOldUrls([...pageUrls(jekyll, name, fields), ...aliases]),
  };
}

const KRAMDOWN_TOC = /(?<![^\n])(?:[*+-]|\d{1,9}\.) [^\n]{0,200}\n\{: ?toc ?\}(?![^\s])/g;
const KRAMDOWN_ATTRIBUTES = /`[^`\n]*`|\{:([^{}\n]*)\}/g;

/** Removes kramdown's table of contents and attributes: `{:toc}`, `{: .center width="50%"}`. */
const removeAttributes = (part: string): string =>
  part
    .replace(KRAMDOWN_TOC, '')
    .replace(KRAMDOWN_ATTRIBUTES, (match, attributes: string | undefined) =>
      attributes !== undefined && /^ *(?:[.#][\w-]|[\w-]+=["']|toc *$)/.test(attributes) ? '' : match,
    );

/** Loops and conditions over the data of the site, in lists such as the archive. */
const isTemplate = (body: string): boolean => {
  let found = false;
  mapOutsideCode(body, (part) => {
    found ||= /\{%-? *(?:for|if|unless|case|assign|capture) /.test(part);
    return part;
  });
  return found;
};

/** Values of the site in addresses: `{{ site.baseurl }}/a.png`, `{{ "/a.png" | relative_url }}`. */
const prepare = (body: string): string =>
  mapOutsideCode(body, removeAttributes)
    .replace(/\{\{-? *site\.(?:baseurl|url|BASE_PATH) *-?\}\}/g, '')
    .replace(/\{\{-? *["']([^"'{}]*)["'] *\|[\w| ]*-?\}\}/g, '$1');

async function openSite(archive: Archive): Promise<FolderSite> {
  const base = findRoot(archive) ?? '';
  const config = (await readConfig(archive, [`${base}_config.yml`, `${base}_config.yaml`])) ?? {};
  const source = getText(config, 'source').replace(/^\.?\/|\/$/g, '');
  const isSource = archive.names().some((name) => name.startsWith(`${base}${source}/_posts/`));
  const root = source === '' || !isSource ? base : `${base}${source}/`;
  const zone = toTimeZone(getText(config, 'timezone'));
  const basePath = `/${getText(config, 'baseurl').replace(/^\/|\/$/g, '')}`.replace(/\/$/, '');
  const siteUrl = toBaseUrl(getText(config, 'url'));
  const author = config.author;
  const jekyll: Jekyll = { config, root, zone, basePath };
  return {
    program: 'jekyll',
    root,
    title: getText(config, 'title'),
    owner: isFields(author) ? getText(author, 'name') : getText(config, 'author'),
    baseUrl: siteUrl === '' ? '' : siteUrl + basePath,
    timeZone: zone,
    feedUrls: toOldUrls([`${basePath}/feed.xml`, `${basePath}/atom.xml`]),
    files: listMarkdownFiles(archive).filter((name) => name.startsWith(root)),
    mainSections: ['posts'],
    inherit: (name, fields) => inherit(config, name.slice(root.length), fields),
    classify: (name, file) => classify(jekyll, name, file),
    listRootFolders: (name) => [root, `${root}assets/`, folderOf(name), ''],
    isDraft: (name) => /(?:^|\/)_drafts\//.test(name),
    lockedTags: new Set(),
    isTemplate,
    prepare,
  };
}

/** Reads the folder of a Jekyll site. */
export const jekyll: Format = {
  detect: async (upload) => findRoot(upload) !== null,
  async *read(archive) {
    yield* readFolder(archive, await openSite(archive));
  },
};
