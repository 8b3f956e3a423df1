import { CallError } from '@mozhan/contract/errors.ts';
import { trimEnd } from '@mozhan/contract/scan.ts';
import {
  type Fields,
  isOff,
  isOn,
  listOf,
  momentOf,
  type Parted,
  partFile,
  textOf,
  unreadDates,
} from './front-matter.ts';
import { withoutTags } from './hexo-tags.ts';
import { isForeign, joinPath, plainPath, resolvePictures } from './references.ts';
import {
  type Archive,
  type Format,
  type ImportedEssay,
  LONGEST_ESSAY,
  type SkippedItem,
  tryEssay,
} from './types.ts';

const MARKDOWN = /\.(?:md|markdown)$/i;
/** Of the program itself: themes, models of new files, what it has built. */
const NOT_WRITTEN = new Set(
  'node_modules themes scaffolds archetypes layouts public resources __MACOSX'.split(' '),
);
const isWritten = (name: string): boolean =>
  !name
    .split('/')
    .slice(0, -1)
    .some((folder) => NOT_WRITTEN.has(folder) || (folder.length > 1 && folder.startsWith('.')));
const README = /(?:^|\/)(?:readme|license|changelog|contributing)[^/]*$/i;

const textsOf = (archive: Pick<Archive, 'names'>): string[] =>
  archive
    .names()
    .filter((name) => MARKDOWN.test(name) && isWritten(name))
    .sort();

const folderOf = (name: string): string => name.slice(0, Math.max(0, name.lastIndexOf('/')));
const baseOf = (name: string): string => {
  const base = name.slice(name.lastIndexOf('/') + 1);
  return base.includes('.') ? base.slice(0, base.lastIndexOf('.')) : base;
};

/** The folder from which `/images/a.png` is looked for: Hexo's `source`, Hugo's `static` or `assets`. */
const rootsOf = (name: string): string[] => {
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

/** A page beside the essays: about, links, a list of a section. */
function whyNotEssay(name: string, fields: Fields): string | null {
  if (/(?:^|\/)_index\.[^/]*$/.test(name)) return '栏目页，没有导入';
  const isHexo = /(?:^|\/)source\//.test(name);
  if (isHexo && !/(?:^|\/)(?:_posts|_drafts)\//.test(name)) return '独立页面，没有导入';
  const kind = textOf(fields, 'type', 'layout');
  if (/^(?:page|about|archives|links?|friends|tags|categories|search)$/i.test(kind))
    return '独立页面，没有导入';
  if (!isHexo && README.test(name) && Object.keys(fields).length === 0) return '说明文件，没有导入';
  return null;
}

const MORE = /<!--\s*more\s*-->/i;

/** What the writer put above the fold, when it is short enough to be a summary. */
function summaryOf(fields: Fields, body: string): string {
  const given = textOf(fields, 'description', 'summary', 'excerpt', 'subtitle');
  if (given !== '' || !MORE.test(body)) return given;
  const [above = ''] = body.split(MORE);
  const plain = above
    .replace(/!\[[^[\]]*\]\([^()]*\)/g, '')
    .replace(/\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replace(/[#>*`_~]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  return plain.length <= 200 ? plain : '';
}

const COVERS = [
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

/** Hugo's `cover: { image: … }` and `images: […]` too. */
function coverOf(fields: Fields): string {
  const { cover } = fields;
  if (typeof cover === 'object' && cover !== null && 'image' in cover) return String(cover.image ?? '');
  return textOf(fields, ...COVERS) || (listOf(fields, 'images')[0] ?? '');
}

function titleOf(fields: Fields, body: string, name: string): { title: string; body: string } {
  const given = textOf(fields, 'title');
  if (given !== '') return { title: given, body };
  const [heading, line = ''] = /^\s*# ([^\n]*)(?:\n|$)/.exec(body) ?? [];
  const title = trimEnd(line.trimEnd(), '#').trim();
  if (heading !== undefined && title !== '') return { title, body: body.slice(heading.length) };
  const slug = slugOf({}, name);
  return { title: slug, body };
}

const DATED = /^(\d{4}-\d{2}-\d{2})-(.+)$/;

/** Of a bundle (`post/index.md`) the name of the folder. */
function slugOf(fields: Fields, name: string): string {
  const base = baseOf(name).replace(/\.[a-z]{2}(?:-[a-z]{2})?$/i, '');
  const own = base === 'index' ? baseOf(`${folderOf(name)}.md`) : base;
  return textOf(fields, 'slug', 'abbrlink') || (DATED.exec(own)?.[2] ?? own);
}

/** Fields that plugins and themes keep a post out of sight with, by whatever value but no; Hugo has a table of its own for it. */
const HIDDEN = ['hidden', 'hide', 'private', 'secret', 'encrypt', 'unlisted'];
const BUILT = ['build', '_build'];
const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

function isHidden(fields: Fields): boolean {
  const isUnlisted = BUILT.some((name) => {
    const { list, render } = (fields[name] ?? {}) as Fields;
    return [list, render].some((value) => value === false || value === 'never');
  });
  return (
    isUnlisted ||
    HIDDEN.some((name) => isGiven(fields[name]) && !isOff(fields, name)) ||
    isOff(fields, 'listed') ||
    /^(?:private|hidden)$/i.test(textOf(fields, 'visibility', 'status'))
  );
}

const tagsOf = (fields: Fields): string[] => listOf(fields, 'tags', 'tag', 'keywords');

/** What not everyone could read must not become public by being imported. */
function stateOf(
  name: string,
  { fields, isBroken }: Parted,
  lockedTags: ReadonlySet<string>,
): { isPublished: boolean; notes: string[] } {
  // It may have said anything, also that the post is secret.
  if (isBroken) return { isPublished: false, notes: ['文件头的格式不对，没有读取，作为草稿导入'] };
  if (isOn(fields, 'draft') || isOff(fields, 'published') || /(?:^|\/)_drafts\//.test(name))
    return { isPublished: false, notes: [] };
  const hasPassword =
    textOf(fields, 'password', 'passwd') !== '' || tagsOf(fields).some((tag) => lockedTags.has(tag));
  if (hasPassword) return { isPublished: false, notes: ['原文有密码，作为草稿导入'] };
  if (isHidden(fields)) return { isPublished: false, notes: ['原文是隐藏的，作为草稿导入'] };
  return { isPublished: true, notes: [] };
}

/** Tags whose posts the plugin hexo-blog-encrypt locks with a password, by the settings of the whole site. */
async function listLockedTags(archive: Archive): Promise<Set<string>> {
  const locked = new Set<string>();
  for (const name of archive.names().filter((each) => /^(?:[^/]+\/)?_config\.ya?ml$/.test(each))) {
    const parted = await readFile(archive, name);
    if ('skipped' in parted) continue;
    const { fields } = partFile(`---\n${parted.body}\n---\n`);
    const { tags } = (fields.encrypt ?? {}) as Fields;
    for (const tag of Array.isArray(tags) ? tags : [])
      if (typeof tag === 'object' && tag !== null && 'name' in tag) locked.add(String(tag.name));
  }
  return locked;
}

const WRITTEN = ['date', 'publishDate', 'created', 'pubDate'];
const CHANGED = ['updated', 'lastmod', 'lastModified', 'modified'];

function toEssay(
  archive: Archive,
  name: string,
  parted: Parted,
  lockedTags: ReadonlySet<string>,
): ImportedEssay {
  const { fields, body } = parted;
  const titled = titleOf(fields, body, name);
  const rewritten = withoutTags(titled.body);
  const folder = folderOf(name);
  const find = (address: string): (string | null)[] => {
    if (isForeign(address)) return [];
    const path = plainPath(address);
    // Hexo keeps what belongs to a post in a folder of its name.
    if (!path.startsWith('/'))
      return [
        joinPath(folder, path),
        joinPath(`${folder}/${baseOf(name)}`, path),
        ...rootsOf(name).map((root) => joinPath(root, path)),
      ];
    return rootsOf(name).map((root) => joinPath(root, path));
  };
  const pictures = resolvePictures(rewritten.text.replace(MORE, '').trim(), archive, find);
  const coverAddress = coverOf(fields);
  const cover = isForeign(coverAddress)
    ? coverAddress
    : (find(coverAddress).find((each) => each !== null && archive.has(each)) ?? null);
  const written = momentOf(fields, ...WRITTEN);
  const dated = momentOf({ date: DATED.exec(baseOf(name))?.[1] }, 'date');
  const { isPublished, notes } = stateOf(name, parted, lockedTags);
  const author = textOf(fields, 'author');
  return {
    key: name,
    title: titled.title,
    slug: slugOf(fields, name),
    content: pictures.content,
    summary: summaryOf(fields, body),
    tags: tagsOf(fields),
    category: listOf(fields, 'categories', 'category')[0] ?? null,
    cover,
    author: author === '' ? null : { account: author, displayName: author },
    status: isPublished ? 'published' : 'draft',
    createdAt: written ?? dated,
    publishedAt: isPublished ? (written ?? dated) : null,
    updatedAt: momentOf(fields, ...CHANGED),
    unreadDates: unreadDates([...WRITTEN, ...CHANGED].map((field) => fields[field])),
    pictures: pictures.pictures,
    notes: [
      ...notes,
      ...(coverAddress !== '' && cover === null ? [`没有找到封面 ${coverAddress}`] : []),
      ...rewritten.notes,
      ...pictures.notes,
    ],
  };
}

/** Damaged, or too large to be one of ours: the others come in without it. */
async function readFile(archive: Archive, name: string): Promise<Parted | SkippedItem> {
  try {
    return partFile(await archive.text(name, LONGEST_ESSAY));
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    return { key: name, skipped: error.message };
  }
}

/** Folders of Markdown as Hexo and Hugo keep them, and any other folder of Markdown. */
export const hexo: Format = {
  detect: async (upload) => textsOf(upload).length > 0,
  async *read(archive): AsyncGenerator<ImportedEssay | SkippedItem> {
    const lockedTags = await listLockedTags(archive);
    for (const name of textsOf(archive)) {
      const parted = await readFile(archive, name);
      if ('skipped' in parted) {
        yield parted;
        continue;
      }
      const title = textOf(parted.fields, 'title');
      const why =
        whyNotEssay(name, parted.fields) ?? (parted.body.trim() === '' ? '正文是空的，没有导入' : null);
      if (why === null)
        yield tryEssay({ key: name, title, content: parted.body }, () =>
          toEssay(archive, name, parted, lockedTags),
        );
      else yield { key: name, ...(title === '' ? {} : { title }), skipped: why };
    }
  },
};
