import { CallError } from '@mozhan/contract/errors.ts';
import { trimEnd } from '@mozhan/contract/text-scan.ts';
import {
  type Fields,
  type FrontMatterFile,
  getDate,
  getList,
  getText,
  isFalse,
  isTrue,
  listInvalidDates,
  parseFrontMatter,
} from './front-matter.ts';
import { convertTags } from './hexo-tags.ts';
import { decodePath, isExternalUrl, joinPath, resolvePictures } from './references.ts';
import {
  type Archive,
  convertSafely,
  type Format,
  type ImportedEssay,
  MAX_ESSAY_LENGTH,
  type SkippedItem,
} from './types.ts';

const MARKDOWN = /\.(?:md|markdown)$/i;
/** Folders of the program itself: themes, templates and build output. */
const IGNORED_FOLDERS = new Set(
  'node_modules themes scaffolds archetypes layouts public resources __MACOSX'.split(' '),
);
const isContentFile = (name: string): boolean =>
  !name
    .split('/')
    .slice(0, -1)
    .some((folder) => IGNORED_FOLDERS.has(folder) || (folder.length > 1 && folder.startsWith('.')));
const README = /(?:^|\/)(?:readme|license|changelog|contributing)[^/]*$/i;

const listMarkdownFiles = (archive: Pick<Archive, 'names'>): string[] =>
  archive
    .names()
    .filter((name) => MARKDOWN.test(name) && isContentFile(name))
    .sort();

const folderOf = (name: string): string => name.slice(0, Math.max(0, name.lastIndexOf('/')));
const baseNameOf = (name: string): string => {
  const base = name.slice(name.lastIndexOf('/') + 1);
  return base.includes('.') ? base.slice(0, base.lastIndexOf('.')) : base;
};

/** Folders that `/images/a.png` may refer to: Hexo's `source`, Hugo's `static` or `assets`. */
const listRootFolders = (name: string): string[] => {
  const [, hexo] = /^(.*?(?:^|\/)source)\//.exec(name) ?? [];
  const [, hugo] = /^(.*?)(?:^|\/)content\//.exec(name) ?? [];
  const hugoAt = (folder: string) => (hugo === undefined ? [] : [hugo === '' ? folder : `${hugo}/${folder}`]);
  return [
    ...(hexo === undefined ? [] : [hexo]),
    ...hugoAt('static'),
    ...hugoAt('assets'),
    folderOf(name),
    '',
  ];
};

/** Skips pages that are no essays, such as about, links and section lists. */
function getSkipReason(name: string, fields: Fields): string | null {
  if (/(?:^|\/)_index\.[^/]*$/.test(name)) return '栏目页，没有导入';
  const isHexo = /(?:^|\/)source\//.test(name);
  if (isHexo && !/(?:^|\/)(?:_posts|_drafts)\//.test(name)) return '独立页面，没有导入';
  const kind = getText(fields, 'type', 'layout');
  if (/^(?:page|about|archives|links?|friends|tags|categories|search)$/i.test(kind))
    return '独立页面，没有导入';
  if (!isHexo && README.test(name) && Object.keys(fields).length === 0) return '说明文件，没有导入';
  return null;
}

const MORE_MARK = /<!--\s*more\s*-->/i;

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
  'thumbnail',
  'featured_image',
  'featuredImage',
  'image',
  'banner',
  'banner_img',
  'index_img',
  'top_img',
];

/** Also accepts Hugo's `cover: { image: … }` and `images: […]`. */
function coverOf(fields: Fields): string {
  const { cover } = fields;
  if (typeof cover === 'object' && cover !== null && 'image' in cover) return String(cover.image ?? '');
  return getText(fields, ...COVER_FIELDS) || (getList(fields, 'images')[0] ?? '');
}

function titleOf(fields: Fields, body: string, name: string): { title: string; body: string } {
  const given = getText(fields, 'title');
  if (given !== '') return { title: given, body };
  const [heading, line = ''] = /^\s*# ([^\n]*)(?:\n|$)/.exec(body) ?? [];
  const title = trimEnd(line.trimEnd(), '#').trim();
  if (heading !== undefined && title !== '') return { title, body: body.slice(heading.length) };
  const slug = slugOf({}, name);
  return { title: slug, body };
}

const DATED_NAME = /^(\d{4}-\d{2}-\d{2})-(.+)$/;

/** A bundle (`post/index.md`) gets the name of its folder. */
function slugOf(fields: Fields, name: string): string {
  const base = baseNameOf(name).replace(/\.[a-z]{2}(?:-[a-z]{2})?$/i, '');
  const own = base === 'index' ? baseNameOf(`${folderOf(name)}.md`) : base;
  return getText(fields, 'slug', 'abbrlink') || (DATED_NAME.exec(own)?.[2] ?? own);
}

/** Fields of plugins and themes that hide a post with any value except false; Hugo uses the table `build`. */
const HIDDEN_FIELDS = ['hidden', 'hide', 'private', 'secret', 'encrypt', 'unlisted'];
const BUILD_FIELDS = ['build', '_build'];
const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

function isHidden(fields: Fields): boolean {
  const isUnlisted = BUILD_FIELDS.some((name) => {
    const { list, render } = (fields[name] ?? {}) as Fields;
    return [list, render].some((value) => value === false || value === 'never');
  });
  return (
    isUnlisted ||
    HIDDEN_FIELDS.some((name) => isGiven(fields[name]) && !isFalse(fields, name)) ||
    isFalse(fields, 'listed') ||
    /^(?:private|hidden)$/i.test(getText(fields, 'visibility', 'status'))
  );
}

const tagsOf = (fields: Fields): string[] => getList(fields, 'tags', 'tag', 'keywords');

/** A post that was not public must not become public by the import. */
function decideStatus(
  name: string,
  { fields, isBroken }: FrontMatterFile,
  lockedTags: ReadonlySet<string>,
): { isPublished: boolean; notes: string[] } {
  // Unreadable front matter may have declared the post as private.
  if (isBroken) return { isPublished: false, notes: ['文件头的格式不对，没有读取，作为草稿导入'] };
  if (isTrue(fields, 'draft') || isFalse(fields, 'published') || /(?:^|\/)_drafts\//.test(name))
    return { isPublished: false, notes: [] };
  const hasPassword =
    getText(fields, 'password', 'passwd') !== '' || tagsOf(fields).some((tag) => lockedTags.has(tag));
  if (hasPassword) return { isPublished: false, notes: ['原文有密码，作为草稿导入'] };
  if (isHidden(fields)) return { isPublished: false, notes: ['原文是隐藏的，作为草稿导入'] };
  return { isPublished: true, notes: [] };
}

/** Reads the tags whose posts the plugin hexo-blog-encrypt protects with a password. */
async function listLockedTags(archive: Archive): Promise<Set<string>> {
  const locked = new Set<string>();
  for (const name of archive.names().filter((each) => /^(?:[^/]+\/)?_config\.ya?ml$/.test(each))) {
    const file = await readFile(archive, name);
    if ('skipped' in file) continue;
    const { fields } = parseFrontMatter(`---\n${file.body}\n---\n`);
    const { tags } = (fields.encrypt ?? {}) as Fields;
    for (const tag of Array.isArray(tags) ? tags : [])
      if (typeof tag === 'object' && tag !== null && 'name' in tag) locked.add(String(tag.name));
  }
  return locked;
}

const CREATED_FIELDS = ['date', 'publishDate', 'created', 'pubDate'];
const UPDATED_FIELDS = ['updated', 'lastmod', 'lastModified', 'modified'];

function toEssay(
  archive: Archive,
  name: string,
  file: FrontMatterFile,
  lockedTags: ReadonlySet<string>,
): ImportedEssay {
  const { fields, body } = file;
  const titled = titleOf(fields, body, name);
  const converted = convertTags(titled.body);
  const folder = folderOf(name);
  const find = (address: string): (string | null)[] => {
    if (isExternalUrl(address)) return [];
    const path = decodePath(address);
    // Hexo stores the files of a post in a folder with its name.
    if (!path.startsWith('/'))
      return [
        joinPath(folder, path),
        joinPath(`${folder}/${baseNameOf(name)}`, path),
        ...listRootFolders(name).map((root) => joinPath(root, path)),
      ];
    return listRootFolders(name).map((root) => joinPath(root, path));
  };
  const pictures = resolvePictures(converted.text.replace(MORE_MARK, '').trim(), archive, find);
  const coverAddress = coverOf(fields);
  const cover = isExternalUrl(coverAddress)
    ? coverAddress
    : (find(coverAddress).find((each) => each !== null && archive.has(each)) ?? null);
  const createdAt = getDate(fields, ...CREATED_FIELDS);
  const dateFromName = getDate({ date: DATED_NAME.exec(baseNameOf(name))?.[1] }, 'date');
  const { isPublished, notes } = decideStatus(name, file, lockedTags);
  const author = getText(fields, 'author');
  return {
    key: name,
    title: titled.title,
    slug: slugOf(fields, name),
    content: pictures.content,
    summary: summaryOf(fields, body),
    tags: tagsOf(fields),
    category: getList(fields, 'categories', 'category')[0] ?? null,
    cover,
    author: author === '' ? null : { account: author, displayName: author },
    status: isPublished ? 'published' : 'draft',
    createdAt: createdAt ?? dateFromName,
    publishedAt: isPublished ? (createdAt ?? dateFromName) : null,
    updatedAt: getDate(fields, ...UPDATED_FIELDS),
    invalidDates: listInvalidDates([...CREATED_FIELDS, ...UPDATED_FIELDS].map((field) => fields[field])),
    pictures: pictures.pictures,
    notes: [
      ...notes,
      ...(coverAddress !== '' && cover === null ? [`没有找到封面 ${coverAddress}`] : []),
      ...converted.notes,
      ...pictures.notes,
    ],
  };
}

/** A damaged or too large file is skipped and does not stop the import. */
async function readFile(archive: Archive, name: string): Promise<FrontMatterFile | SkippedItem> {
  try {
    return parseFrontMatter(await archive.readText(name, MAX_ESSAY_LENGTH));
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    return { key: name, skipped: error.message };
  }
}

/** Reads Markdown folders of Hexo, Hugo and other programs. */
export const hexo: Format = {
  detect: async (upload) => listMarkdownFiles(upload).length > 0,
  async *read(archive): AsyncGenerator<ImportedEssay | SkippedItem> {
    const lockedTags = await listLockedTags(archive);
    for (const name of listMarkdownFiles(archive)) {
      const file = await readFile(archive, name);
      if ('skipped' in file) {
        yield file;
        continue;
      }
      const title = getText(file.fields, 'title');
      const reason =
        getSkipReason(name, file.fields) ?? (file.body.trim() === '' ? '正文是空的，没有导入' : null);
      if (reason === null)
        yield convertSafely({ key: name, title, content: file.body }, () =>
          toEssay(archive, name, file, lockedTags),
        );
      else yield { key: name, ...(title === '' ? {} : { title }), skipped: reason };
    }
  },
};
