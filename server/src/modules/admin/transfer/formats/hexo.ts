import { toTimeZone } from './dates.ts';
import {
  type Classified,
  type FolderSite,
  listMarkdownFiles,
  listOctopressFolders,
  readConfig,
  readFolder,
} from './folder.ts';
import { createdAtOf, slugOf } from './folder-item.ts';
import { type Fields, type FrontMatterFile, getFields, getList, getText } from './front-matter.ts';
import { toBaseUrl, toOldUrls } from './links.ts';
import { baseNameOf, folderOf } from './paths.ts';
import { dateValues, encodePathname, fieldValues, fillPattern, hashSlug, listAliases } from './permalinks.ts';
import type { Archive, Format, Upload } from './types.ts';

const POSTS = /^(.*?(?:^|\/)source\/)(?:_posts|_drafts)\//;
const DEFAULT_PERMALINK = ':year/:month/:day/:title/';

/** Pages whose text the theme writes. */
const GENERATED_PAGE =
  /^(?:tags?|categor(?:y|ies)|archives?|search|404|friends?|links?|link|photos?|gallery|music|movies?|books?|guestbook|timeline|schedule|bangumis?|essay|equipment)$/i;

/** The folder `source/` of the site. */
function findSource(upload: Pick<Upload, 'names'>): string | null {
  const folders = listMarkdownFiles(upload).flatMap((name) => POSTS.exec(name)?.[1] ?? []);
  return folders.toSorted((a, b) => a.length - b.length)[0] ?? null;
}

/** A folder of notes may contain the example of a theme, so that most files must belong to the site. */
function isSite(upload: Pick<Upload, 'names'>): boolean {
  const source = findSource(upload);
  if (source === null || listOctopressFolders(upload).has(source.replace(/source\/$/, ''))) return false;
  const names = listMarkdownFiles(upload);
  return names.filter((name) => name.startsWith(source)).length * 2 >= names.length;
}

/** The tags whose posts the plugin hexo-blog-encrypt protects with a password. */
function listLockedTags(config: Fields): Set<string> {
  const { tags } = getFields(config, 'encrypt');
  const names = (Array.isArray(tags) ? tags : []).flatMap((tag: unknown) =>
    typeof tag === 'object' && tag !== null && 'name' in tag ? [String(tag.name)] : [],
  );
  return new Set(names);
}

interface Hexo {
  config: Fields;
  source: string;
  zone: string;
  root: string;
}

/** The path below `_posts` without ending; the pattern of new names may put the date in front. */
function postSlug({ config, source }: Hexo, name: string): string {
  const path = name.slice(source.length).replace(/^(?:_posts|_drafts)\//, '');
  const slug = folderOf(path) === '' ? baseNameOf(path) : `${folderOf(path)}/${baseNameOf(path)}`;
  const hasDate = /:year-:month-:day-/.test(getText(config, 'new_post_name'));
  return hasDate ? slug.replace(/(^|\/)\d{4}-\d{2}-\d{2}-([^/]*)$/, '$1$2') : slug;
}

/** Joins the categories of the last hierarchy, as Hexo does for `:category`. */
function categorySlug({ config }: Hexo, fields: Fields): string {
  const { categories } = fields;
  const last: unknown = Array.isArray(categories) ? categories.at(-1) : categories;
  const names = Array.isArray(last) ? getList({ last }, 'last') : getList(fields, 'categories', 'category');
  const map = getFields(config, 'category_map');
  const slugs = names.map((name) => getText(map, name) || name);
  return slugs.length === 0 ? getText(config, 'default_category') || 'uncategorized' : slugs.join('/');
}

/** `a/b` becomes `a/b/` unless it has an ending, as in Hexo. */
const closePath = (path: string): string => (/\.[a-z]+$|\/$/i.test(path) ? path : `${path}/`);

function postUrls(hexo: Hexo, name: string, fields: Fields): string[] {
  const { config, zone, root } = hexo;
  const own = getText(fields, 'permalink');
  const slug = postSlug(hexo, name);
  const date = createdAtOf(fields, name, zone);
  const values = {
    ...fieldValues(getFields(config, 'permalink_defaults')),
    ...fieldValues(fields),
    ...dateValues(date, zone),
    title: slug,
    name: baseNameOf(`${slug}.md`),
    post_title: getText(fields, 'title').replace(/\s+/g, '-'),
    category: categorySlug(hexo, fields),
    hash: date === null ? null : hashSlug(slug, date),
    ...(getText(fields, 'slug') === '' ? {} : { slug: getText(fields, 'slug') }),
  };
  const path =
    own === '' ? fillPattern(getText(config, 'permalink') || DEFAULT_PERMALINK, values) : closePath(own);
  return path === null ? [] : [encodePathname(root + path.replace(/^\//, ''))];
}

function pageUrls({ source, root }: Hexo, name: string, fields: Fields): string[] {
  const own = getText(fields, 'permalink');
  if (own !== '') return [encodePathname(root + closePath(own).replace(/^\//, ''))];
  const path = name.slice(source.length);
  const folder = folderOf(path);
  const address = /^index$/i.test(baseNameOf(path))
    ? `${folder}/`
    : `${folder === '' ? '' : `${folder}/`}${baseNameOf(path)}.html`;
  return [encodePathname(root + address)];
}

function classify(hexo: Hexo, name: string, { fields, body }: FrontMatterFile): Classified {
  const { source, root } = hexo;
  if (!name.startsWith(source)) return { kind: 'skipped', reason: '不在网站的目录里，没有导入' };
  const path = name.slice(source.length);
  const isPost = /(?:^|\/)(?:_posts|_drafts)\//.test(path);
  const kind = getText(fields, 'type', 'layout');
  const isPage = !isPost || /^(?:page|about|links?|friends)$/i.test(kind);
  const aliases = listAliases(fields).map((alias) => encodePathname(root + alias.replace(/^\//, '')));
  if (!isPage)
    return { kind: 'essay', section: '', oldUrls: toOldUrls([...postUrls(hexo, name, fields), ...aliases]) };
  if (/(?:^|\/)_[^/]*\//.test(path) && !isPost) return { kind: 'skipped', reason: '主题的数据，没有导入' };
  if (body.trim() === '' && (GENERATED_PAGE.test(kind) || GENERATED_PAGE.test(slugOf({}, name))))
    return { kind: 'skipped', reason: '由主题生成的页面，没有正文，没有导入' };
  const urls = isPost ? postUrls(hexo, name, fields) : pageUrls(hexo, name, fields);
  return { kind: 'page', section: '', oldUrls: toOldUrls([...urls, ...aliases]) };
}

/** The feed's path may be a text or a list. */
function listFeeds(config: Fields, root: string): string[] {
  const given = getList(getFields(config, 'feed'), 'path');
  const paths = given.length > 0 ? given : ['atom.xml', 'rss2.xml'];
  return toOldUrls(paths.map((path) => root + path.replace(/^\//, '')));
}

async function openSite(archive: Archive): Promise<FolderSite> {
  const source = findSource(archive) ?? '';
  const base = source.replace(/(?:^|(?<=\/))source\/$/, '');
  const config = (await readConfig(archive, [`${base}_config.yml`, `${base}_config.yaml`])) ?? {};
  const rootUrl = toBaseUrl(getText(config, 'root'));
  const rootPath = rootUrl === '' ? getText(config, 'root') : new URL(rootUrl).pathname;
  const root = `/${rootPath.replace(/^\/|\/$/g, '')}/`.replace('//', '/');
  const zone = toTimeZone(getText(config, 'timezone'));
  const hexo: Hexo = { config, source, zone, root };
  const siteUrl = toBaseUrl(getText(config, 'url'));
  const hasRoot = siteUrl === '' || new URL(siteUrl).pathname !== '/' || root === '/';
  return {
    program: 'hexo',
    root: base,
    title: getText(config, 'title'),
    owner: getText(config, 'author'),
    baseUrl: hasRoot ? siteUrl : siteUrl + root,
    timeZone: zone,
    feedUrls: listFeeds(config, root),
    files: listMarkdownFiles(archive),
    mainSections: null,
    inherit: (_, fields) => fields,
    classify: (name, file) => classify(hexo, name, file),
    listRootFolders: (name) => [source, folderOf(name), base, ''],
    isDraft: (name) => /(?:^|\/)_drafts\//.test(name),
    lockedTags: listLockedTags(config),
  };
}

/** Reads the folder of a Hexo site. */
export const hexo: Format = {
  detect: async (upload) => isSite(upload),
  async *read(archive) {
    yield* readFolder(archive, await openSite(archive));
  },
};
