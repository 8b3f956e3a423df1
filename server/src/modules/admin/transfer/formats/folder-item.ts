/** Converts one Markdown file with front matter. */
import { trimEnd } from '@mozhan/contract/text-scan.ts';
import { listInvalidDates, parseDate } from './dates.ts';
import type { ClassifiedItem, FolderContext } from './folder.ts';
import {
  type Fields,
  type FrontMatterFile,
  getFields,
  getList,
  getText,
  isFalse,
  isFields,
  isTrue,
} from './front-matter.ts';
import { htmlToMarkdown } from './html.ts';
import { hostOf } from './links.ts';
import { baseNameOf, decodePath, folderOf, isExternalUrl, joinPath } from './paths.ts';
import { resolveContent, resolveCover } from './references.ts';
import { STATUS_REASONS } from './status.ts';
import { convertTags } from './template-tags.ts';
import type { ImportedEssay, ImportedStatus } from './types.ts';

const MORE_MARK = /<!--\s*more\s*-->/i;
const MORE_MARKS = /<!--\s*more\s*-->/gi;

/** Uses the text before the "more" mark if it is short enough. */
function summaryOf(fields: Fields, body: string): string {
  const given = getText(fields, 'description', 'summary', 'excerpt', 'subtitle');
  if (given !== '' || !MORE_MARK.test(body)) return given;
  const [above = ''] = body.split(MORE_MARK);
  const plain = above
    .replace(/!\[[^[\]]*\]\([^()]*\)/g, '')
    .replace(/\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replace(/[#>*`_~]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  return plain.length <= 200 ? plain : '';
}

const COVER_FIELDS = [
  'cover',
  'cover_image',
  'coverImage',
  'coverImg',
  'feature_image',
  'featured_image',
  'featuredImage',
  'featureImage',
  'featured-image',
  'feature',
  'thumbnail',
  'thumbnailImage',
  'thumb',
  'image',
  'images',
  'banner',
  'banner_img',
  'bannerimg',
  'index_img',
  'top_img',
  'header-img',
  'headimg',
  'img',
  'og_image',
  'ogImage',
  'teaser',
];

const looksLikeAddress = (text: string): boolean => /[./]/.test(text) && !/\s{2}|\n/.test(text);

/** Accepts a text, a list of texts, or an object such as `cover: { image: … }` and `header: { teaser: … }`. */
function addressOf(value: unknown): string {
  if (typeof value === 'string') return looksLikeAddress(value.trim()) ? value.trim() : '';
  if (Array.isArray(value)) return addressOf(value[0]);
  if (!isFields(value)) return '';
  for (const name of ['image', 'src', 'url', 'path', 'relative_url', 'teaser', 'overlay_image', 'feature'])
    if (typeof value[name] === 'string') return addressOf(value[name]);
  return '';
}

function coverOf(fields: Fields): string {
  for (const table of [fields, getFields(fields, 'header'), getFields(fields, 'params')])
    for (const name of COVER_FIELDS) {
      const address = addressOf(table[name]);
      if (address !== '') return address;
    }
  return addressOf(fields.header);
}

/** `# title`, or a line that is underlined with `=`. */
const FIRST_HEADING = /^\s*(?:# ([^\n]*)|([^\s#>*+`|-][^\n]*)\n=+[ \t]*)(?:\n|$)/;

function titleOf(fields: Fields, body: string, name: string): { title: string; body: string } {
  const given = getText(fields, 'title');
  const [heading, atx, underlined] = FIRST_HEADING.exec(body) ?? [];
  const title = trimEnd((atx ?? underlined ?? '').trimEnd(), '#').trim();
  const rest = heading === undefined ? body : body.slice(heading.length);
  // A heading that repeats the title would be shown twice.
  if (given !== '') return { title: given, body: given === title ? rest : body };
  return title === '' ? { title: slugOf({}, name), body } : { title, body: rest };
}

export const DATED_NAME = /^(\d{4}-\d{1,2}-\d{1,2})[-_ ](.+)$/;

/** A bundle (`post/index.md`) gets the name of its folder. */
export function slugOf(fields: Fields, name: string): string {
  const base = baseNameOf(name).replace(/\.[a-z]{2}(?:-[a-z]{2})?$/i, '');
  const isBundle = /^(?:_?index|readme)$/i.test(base) && folderOf(name) !== '';
  const own = isBundle ? baseNameOf(`${folderOf(name)}.md`) : base;
  return getText(fields, 'slug', 'abbrlink') || (DATED_NAME.exec(own)?.[2] ?? own);
}

/** Fields of plugins and themes that hide a post with any value except false; Hugo uses the table `build`. */
const HIDDEN_FIELDS = ['hidden', 'hide', 'secret', 'unlisted', 'headless', 'hiddenFromHomePage'];
const PRIVATE_FIELDS = ['private', 'isPrivate', 'protected', 'encrypt', 'encrypted'];
const PASSWORD_FIELDS = ['password', 'passwd', 'pwd', 'passcode'];
const BUILD_FIELDS = ['build', '_build'];
const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== '';
const isSet = (fields: Fields, names: readonly string[]): boolean =>
  names.some((name) => isGiven(fields[name]) && !isFalse(fields, name));

function isHidden(fields: Fields): boolean {
  const isUnlisted = BUILD_FIELDS.some((name) => {
    const { list, render } = getFields(fields, name);
    return [list, render].some((value) => value === false || value === 'never');
  });
  return (
    isUnlisted ||
    isSet(fields, HIDDEN_FIELDS) ||
    isFalse(fields, 'listed', 'public') ||
    !/^(?:|public|published|publish|visible)$/i.test(getText(fields, 'visibility')) ||
    /^(?:hidden|unlisted)$/i.test(getText(fields, 'status'))
  );
}

export const tagsOf = (fields: Fields): string[] => getList(fields, 'tags', 'tag', 'keywords');

/** A post that was not public must not become public by the import. */
function statusOf(
  { site }: FolderContext,
  name: string,
  { fields: given, body, isBroken }: FrontMatterFile,
  kind: ClassifiedItem['kind'],
): { status: ImportedStatus; statusReason: string } {
  const decide = (status: ImportedStatus, statusReason = STATUS_REASONS[status]) => ({
    status,
    statusReason,
  });
  // Unreadable front matter may have declared the post as private.
  if (isBroken) return decide('draft', '文件头的格式不对，没有读取，作为草稿导入');
  // Hugo allows the fields of themes in a table.
  const fields = { ...getFields(given, 'params'), ...given };
  const hasPassword =
    PASSWORD_FIELDS.some((field) => isGiven(fields[field]) && fields[field] !== false) ||
    tagsOf(fields).some((tag) => site.lockedTags.has(tag));
  if (hasPassword) return decide('password');
  if (isSet(fields, PRIVATE_FIELDS) || /^private$/i.test(getText(fields, 'visibility', 'status')))
    return decide('private');
  if (isHidden(fields)) return decide('hidden');
  const expiry = parseDate(fields.expiryDate ?? fields.expirydate ?? fields.unpublishdate, site.timeZone);
  if (expiry !== null && expiry < new Date()) return decide('hidden', '原文已经过期下线，作为草稿导入');
  const isDraft =
    isTrue(fields, 'draft') ||
    isFalse(fields, 'published', 'publish') ||
    /^(?:draft|pending|unpublished)$/i.test(getText(fields, 'status')) ||
    site.isDraft(name);
  if (isDraft) return decide('draft');
  if (kind === 'page' && site.isTemplate?.(body) === true)
    return decide('draft', '页面的内容由模板生成，作为草稿导入');
  return decide('published');
}

const CREATED_FIELDS = [
  'date',
  'publishDate',
  'publishdate',
  'pubDate',
  'created',
  'created_at',
  'createTime',
];
const UPDATED_FIELDS = ['updated', 'lastmod', 'lastModified', 'last_modified_at', 'modified', 'updated_at'];
const PIN_FIELDS = ['sticky', 'top', 'pinned', 'pin', 'isTop', 'is_top', 'istop'];

export const createdAtOf = (fields: Fields, name: string, zone: string): Date | null =>
  CREATED_FIELDS.map((field) => parseDate(fields[field], zone)).find((date) => date !== null) ??
  parseDate(DATED_NAME.exec(baseNameOf(name))?.[1], zone) ??
  parseDate(DATED_NAME.exec(baseNameOf(folderOf(name)))?.[1], zone);

const COMMENT_FIELDS = ['comments', 'comment', 'commentable', 'allowComment', 'enableComments'];
const areCommentsClosed = (fields: Fields): boolean =>
  isFalse(fields, ...COMMENT_FIELDS) ||
  isTrue(fields, 'disableComments', 'disable_comments', 'comments_disable', 'nocomment', 'no_comments') ||
  isFalse(getFields(fields, 'comments'), 'enable', 'show') ||
  isFalse(getFields(fields, 'comment'), 'enable');

function authorsOf(fields: Fields): string[] {
  const { author } = fields;
  const names = isFields(author) ? [getText(author, 'name', 'nick')] : getList(fields, 'authors', 'author');
  return names.filter((name) => name !== '');
}

/** Pictures that themes show as a gallery below the text. */
function galleryOf(fields: Fields): string {
  const pictures = getList(fields, 'photos').filter(looksLikeAddress);
  return pictures.length === 0 ? '' : `\n\n${pictures.map((address) => `![](${address})`).join('\n\n')}`;
}

/** What no program publishes: hidden files, configurations and data. */
const PRIVATE_NAME = /(?:^|\/)(?:\.[^/]|_config[^/]*$|_data\/)/;
/** In the folder of the site, which Hexo and Hugo do not publish; only folders within it. */
const PRIVATE_IN_ROOT = /^(?:config\/|[^/]*\.(?:ya?ml|toml|json|[cm]?[jt]s|lock|env)$)/i;

/** A text about a configuration may link to it; that must not publish the one of the site. */
const isPublishable = ({ program, root }: FolderContext['site'], name: string): boolean =>
  !PRIVATE_NAME.test(name) &&
  !(
    (program === 'hexo' || program === 'hugo') &&
    name.startsWith(root) &&
    PRIVATE_IN_ROOT.test(name.slice(root.length))
  );

const createFinder = ({ site, links }: FolderContext, name: string, oldUrls: readonly string[]) => {
  const folder = folderOf(name);
  // Hexo stores the files of a post in a folder with its name.
  const ownFolders = [folder, `${folder}/${baseNameOf(name)}`];
  const roots = site.listRootFolders(name);
  const listNames = (address: string): (string | null)[] => {
    if (isExternalUrl(address) && !links.isOwnHost(address)) return [];
    // Posts often name files of their own site by full addresses.
    const path = decodePath(isExternalUrl(address) ? links.toPath(address) : address);
    const fromRoots = roots.map((root) => joinPath(root, path));
    if (!path.startsWith('/')) return [...ownFolders.map((own) => joinPath(own, path)), ...fromRoots];
    // The program serves the files of a post below the post's own address.
    const own = oldUrls.map(decodePath).find((url) => url.endsWith('/') && path.startsWith(url));
    const rest = own === undefined ? null : path.slice(own.length);
    return [...fromRoots, ...(rest === null ? [] : ownFolders.map((each) => joinPath(each, rest)))];
  };
  return (address: string) => listNames(address).filter((each) => each !== null && isPublishable(site, each));
};

export function toContent(
  context: FolderContext,
  name: string,
  file: FrontMatterFile,
  { kind, oldUrls }: ClassifiedItem,
): Omit<ImportedEssay, 'kind' | 'section'> {
  const { archive, site, links } = context;
  const { fields, body } = file;
  const titled = titleOf(fields, body, name);
  const prepared = site.prepare?.(titled.body) ?? titled.body;
  const tagged = convertTags(prepared, context);
  const html = /\.html?$/i.test(name) ? htmlToMarkdown(tagged.text) : { content: tagged.text, notes: [] };
  const converted = { text: html.content, notes: [...tagged.notes, ...html.notes] };
  const [from = ''] = oldUrls;
  const references = {
    archive,
    find: createFinder(context, name, oldUrls),
    links,
    from,
    key: name,
    findItem: context.findItem,
  };
  const text = `${converted.text.replace(MORE_MARKS, '').trim()}${galleryOf(fields)}`;
  const { notes: missing, ...resolved } = resolveContent(text, references);
  const { cover, notes: coverNotes } = resolveCover(coverOf(fields), references);
  const { status, statusReason } = statusOf(context, name, file, kind);
  const dateFields = [...CREATED_FIELDS, ...UPDATED_FIELDS].map((field) => fields[field]);
  const invalidDates = listInvalidDates(dateFields);
  const given = createdAtOf(fields, name, site.timeZone);
  const fileTime = given === null && invalidDates.length === 0 ? archive.modifiedAt(name) : null;
  const createdAt = fileTime === null ? given : new Date(fileTime);
  const authors = authorsOf(fields);
  const categories = getList(fields, 'categories', 'category');
  const folderCategory = categories.length === 0 ? (site.categoryOf?.(name) ?? '') : '';
  return {
    ...resolved,
    key: name,
    sourceId: `${site.program}:${hostOf(links.baseUrl)}:${name.slice(site.root.length)}`,
    title: titled.title,
    slug: slugOf(fields, name),
    summary: summaryOf(fields, body),
    tags: tagsOf(fields),
    categories: folderCategory === '' ? categories : [folderCategory],
    cover,
    author: authors[0] === undefined ? null : { account: authors[0], displayName: authors[0] },
    authors,
    status,
    statusReason,
    isPinned: PIN_FIELDS.some((field) => isTrue(fields, field) || Number(getText(fields, field)) > 0),
    commentsClosed: areCommentsClosed(fields),
    createdAt,
    publishedAt: status === 'published' ? createdAt : null,
    updatedAt:
      UPDATED_FIELDS.map((field) => parseDate(fields[field], site.timeZone)).find((date) => date !== null) ??
      null,
    invalidDates,
    oldUrls,
    comments: [],
    notes: [
      ...(fileTime === null ? [] : ['原文没有日期，用了文件的时间']),
      ...(resolved.content === '' ? ['正文是空的'] : []),
      ...coverNotes,
      ...converted.notes,
      ...missing,
    ],
  };
}
