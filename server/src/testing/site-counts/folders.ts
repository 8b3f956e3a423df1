/** Counts of folders of Markdown files: Hexo, Hugo, Jekyll and others. */
import { addPictures, emptyCounts, type SourceCounts, type SourceFiles, textOf } from './source.ts';

const MARKDOWN = /\.(?:md|markdown|mdown|mkd|mdx)$/i;
const DELIMITER = /^(?:---|\+\+\+|;;;)\s*$/;
const FIELD = /^"?([\w-]+)"?[ \t]*[:=][ \t]*(.*)$/;
const ENTRY = /^[ \t]*-[ \t]+(.*)$/;

const unquote = (text: string): string => text.trim().replace(/^["']|["',]$/g, '');

/** The fields of front matter by lower-case name, each with its values; nested ones are not read. */
function parseHead(text: string): { fields: Map<string, string[]>; body: string } {
  const fields = new Map<string, string[]>();
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const hasStart = DELIMITER.test(lines[0] ?? '');
  const end = lines.findIndex((line, index) => index > 0 && DELIMITER.test(line));
  const isHead = end > 0 && (hasStart || FIELD.test(lines[0] ?? ''));
  if (!isHead) return { fields, body: text };
  let last: string[] = [];
  for (const line of lines.slice(hasStart ? 1 : 0, end)) {
    const [, name, value = ''] = FIELD.exec(line) ?? [];
    const [, entry] = ENTRY.exec(line) ?? [];
    if (name !== undefined) {
      const list = /^\[(.*)\]?$/.exec(value.trim())?.[1]?.replace(/\]$/, '');
      last = (list === undefined ? [value] : list.split(',')).map(unquote).filter((each) => each !== '');
      fields.set(name.toLowerCase(), last);
    } else if (entry !== undefined) last.push(unquote(entry.replace(/^\[|\]$/g, '')));
  }
  return { fields, body: lines.slice(end + 1).join('\n') };
}

type Fields = ReadonlyMap<string, readonly string[]>;
const first = (fields: Fields, ...names: string[]): string =>
  names.map((name) => fields.get(name)?.[0] ?? '').find((value) => value !== '') ?? '';
const all = (fields: Fields, ...names: string[]): readonly string[] =>
  names.map((name) => fields.get(name) ?? []).find((values) => values.length > 0) ?? [];

function isHidden(fields: Fields, name: string): boolean {
  return (
    /(?:^|\/)_drafts\//.test(name) ||
    /^(?:true|yes)$/i.test(first(fields, 'draft')) ||
    /^(?:false|no)$/i.test(first(fields, 'published', 'publish')) ||
    /^(?:draft|private|hidden)$/i.test(first(fields, 'status', 'visibility')) ||
    ['password', 'hidden', 'hide', 'private', 'encrypt', 'secret', 'unlisted', 'hiddenfromhomepage'].some(
      (field) => !/^(?:|false|no|0|null)$/i.test(first(fields, field)),
    )
  );
}

const COVERS =
  'cover cover_image coverimage feature_image featured_image featuredimage thumbnail image images banner banner_img index_img top_img header-img img og_image'.split(
    ' ',
  );

function addFile(counts: SourceCounts, files: SourceFiles, name: string, kind: 'essay' | 'page'): void {
  const { fields, body } = parseHead(textOf(files, name));
  const title = first(fields, 'title') || name;
  (kind === 'essay' ? counts.essays : counts.pages).push(title);
  if (isHidden(fields, name)) counts.hidden.push(title);
  addPictures(counts, body, name.slice(0, name.lastIndexOf('/')));
  for (const url of [...all(fields, 'aliases', 'alias', 'redirect_from'), first(fields, 'permalink', 'url')])
    if (url.startsWith('/') && !url.includes(':')) counts.urls.add(url);
  if (kind === 'page') return;
  if (/[./]/.test(first(fields, ...COVERS))) counts.covers += 1;
  for (const author of all(fields, 'author', 'authors')) counts.authors.add(author);
  for (const each of all(fields, 'categories', 'category')) counts.categories.add(each);
  for (const each of all(fields, 'tags', 'tag', 'keywords')) counts.tags.add(each);
  counts.tagLists.push([...all(fields, 'tags', 'tag', 'keywords'), ...all(fields, 'categories', 'category')]);
}

const IGNORED =
  /(?:^|\/)(?:node_modules|themes|scaffolds|archetypes|layouts|public|resources|_site|vendor|\.[^/]+)\//;

function countBy(
  program: string,
  files: SourceFiles,
  kindOf: (name: string) => 'essay' | 'page' | null,
): SourceCounts {
  const counts = emptyCounts(program);
  for (const name of Object.keys(files).sort()) {
    if (IGNORED.test(name)) continue;
    const kind = kindOf(name);
    if (kind !== null) addFile(counts, files, name, kind);
  }
  return counts;
}

const inPosts = (name: string): boolean =>
  /(?:^|\/)(?:_posts|_drafts)\//.test(name) && /\.(?:md|markdown|html?)$/i.test(name);

export const countHexo = (files: SourceFiles): SourceCounts =>
  countBy('hexo', files, (name) => {
    const [, path] = /(?:^|\/)source\/(.*)$/.exec(name) ?? [];
    if (path === undefined || !(MARKDOWN.test(path) || inPosts(name))) return null;
    if (inPosts(name)) return 'essay';
    return path.split('/').some((part) => part.startsWith('_')) ? null : 'page';
  });

export const countJekyll = (files: SourceFiles): SourceCounts =>
  countBy('jekyll', files, (name) => {
    if (inPosts(name)) return 'essay';
    const isOwn = !name.split('/').some((part) => /^_(?:layouts|includes|data|sass|plugins)$/.test(part));
    return isOwn && MARKDOWN.test(name) && /^---/.test(textOf(files, name)) ? 'page' : null;
  });

/** The sections with the most files are those of the essays, unless the configuration names them. */
export function countHugo(files: SourceFiles): SourceCounts {
  const sectionOf = (name: string): string =>
    /(?:^|\/)content\/((?:[a-z]{2}(?:-[a-z]{2})?\/)?[^/]+)\//i.exec(name)?.[1] ?? '';
  const isItem = (name: string): boolean =>
    /(?:^|\/)content\//.test(name) &&
    (MARKDOWN.test(name) || /\.html?$/.test(name)) &&
    !/_index(?:\.[a-z-]+)?\.\w+$/i.test(name) &&
    !IGNORED.test(name);
  const config = Object.keys(files).find((name) => /(?:^|\/)(?:hugo|config)\.(?:toml|ya?ml)$/.test(name));
  const line =
    config === undefined ? '' : (/^\s*mainSections\s*[:=](.*)$/im.exec(textOf(files, config))?.[1] ?? '');
  const named = line
    .replace(/[[\]"']/g, '')
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
  const sizes = new Map<string, number>();
  for (const name of Object.keys(files))
    if (isItem(name)) sizes.set(sectionOf(name), (sizes.get(sectionOf(name)) ?? 0) + 1);
  sizes.delete('');
  const [[largest] = ['']] = [...sizes].toSorted((a, b) => b[1] - a[1]);
  const isMain = (section: string): boolean =>
    named.length > 0 ? named.includes(section.replace(/^.*\//, '')) : section === largest;
  return countBy('hugo', files, (name) =>
    isItem(name) ? (isMain(sectionOf(name)) ? 'essay' : 'page') : null,
  );
}

export const countMarkdown = (files: SourceFiles): SourceCounts =>
  countBy('markdown', files, (name) => (MARKDOWN.test(name) ? 'essay' : null));
