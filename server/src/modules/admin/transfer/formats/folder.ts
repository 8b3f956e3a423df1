/** The part that programs with a folder of Markdown files have in common: Hexo, Hugo, Jekyll and plain folders. */
import { CallError } from '@mozhan/contract/errors.ts';
import { toContent } from './folder-item.ts';
import { type Fields, type FrontMatterFile, getText, parseConfig, parseFrontMatter } from './front-matter.ts';
import { createLinkIndex, type LinkIndex } from './links.ts';
import { baseNameOf, fileNameOf, folderOf } from './paths.ts';
import { createSiteCounter } from './site.ts';
import {
  type Archive,
  convertSafely,
  type ImportedItem,
  type ImportedSite,
  MAX_ESSAY_LENGTH,
  type SkippedItem,
  type Upload,
} from './types.ts';

const MARKDOWN = /\.(?:md|markdown|mdown|mkd|mdx)$/i;
/** Folders of the program itself: themes, templates and build output. */
const IGNORED_FOLDERS = new Set(
  'node_modules themes scaffolds archetypes layouts public resources __MACOSX _site vendor'.split(' '),
);
const isContentFile = (name: string): boolean =>
  !name
    .split('/')
    .slice(0, -1)
    .some((folder) => IGNORED_FOLDERS.has(folder) || (folder.length > 1 && folder.startsWith('.')));

/** Posts of Hexo and Jekyll and pages of Hugo may be HTML with front matter. */
const isHtmlContent = (name: string): boolean =>
  /\.html?$/i.test(name) && /(?:^|\/)(?:_posts|_drafts|content)\//.test(name);

export const listMarkdownFiles = (archive: Pick<Upload, 'names'>): string[] =>
  archive
    .names()
    .filter((name) => (MARKDOWN.test(name) || isHtmlContent(name)) && isContentFile(name))
    .sort();

/** The folders of Octopress sites, which are Jekyll with the folders of Hexo and have a Rakefile. */
export const listOctopressFolders = (upload: Pick<Upload, 'names'>): Set<string> =>
  new Set(upload.names().flatMap((name) => /^(.*\/|)Rakefile$/.exec(name)?.[1] ?? []));

export interface ClassifiedItem {
  kind: 'essay' | 'page';
  section: string;
  oldUrls: string[];
}

/** What a file is, decided before any file is converted, so that links between items are known. */
export type Classified = ClassifiedItem | { kind: 'skipped'; reason: string };

export interface FolderSite
  extends Pick<ImportedSite, 'program' | 'title' | 'owner' | 'baseUrl' | 'timeZone' | 'feedUrls'> {
  /** The folder of the site in the archive, with a slash at the end; empty for the archive itself. */
  root: string;
  files: string[];
  mainSections: string[] | null;
  /** Adds values that the file inherits. */
  inherit: (name: string, fields: Fields) => Fields;
  classify: (name: string, file: FrontMatterFile) => Classified;
  /** The folders that `/images/a.png` may refer to. */
  listRootFolders: (name: string) => string[];
  isDraft: (name: string) => boolean;
  /** Tags whose posts have a password. */
  lockedTags: ReadonlySet<string>;
  /** Finds pages that only the program could show, because their text is computed. */
  isTemplate?: (body: string) => boolean;
  /** Changes the text before it is converted. */
  prepare?: (body: string) => string;
  /** The category of a file without one. */
  categoryOf?: (name: string) => string;
}

export type ReadFile = (name: string) => Promise<FrontMatterFile | SkippedItem>;

/** A damaged or too large file is skipped and does not stop the import. */
export const createFileReader =
  (archive: Archive): ReadFile =>
  async (name) => {
    try {
      return parseFrontMatter(await archive.readText(name, MAX_ESSAY_LENGTH));
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      return { kind: 'skipped', key: name, skipped: error.message };
    }
  };

/** Reads the first configuration that exists; null if none can be read. */
export async function readConfig(archive: Archive, names: readonly string[]): Promise<Fields | null> {
  for (const name of names) {
    if (!archive.has(name)) continue;
    try {
      return parseConfig(name, await archive.readText(name, MAX_ESSAY_LENGTH));
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
    }
  }
  return null;
}

/** Items by the names that tags use for them: the path without its ending, or only the last part of it. */
function createTargetIndex() {
  const targets = new Map<string, { url: string; title: string }>();
  const add = (key: string, target: { url: string; title: string }): void => {
    if (key !== '' && !targets.has(key)) targets.set(key, target);
  };
  return {
    add(path: string, target: { url: string; title: string }): void {
      const plain = path.replace(MARKDOWN, '');
      const isBundle = /(?:^|\/)_?index$/.test(plain);
      const own = isBundle ? folderOf(plain) : plain;
      for (const key of [plain, own, fileNameOf(own), fileNameOf(own).replace(/^\d{4}-\d{2}-\d{2}-/, '')])
        add(key.toLowerCase(), target);
    },
    find(name: string) {
      const [path = '', anchor] = name.split('#');
      const plain = path
        .replace(MARKDOWN, '')
        .replace(/^\.?\/|\/$/g, '')
        .toLowerCase();
      const target =
        targets.get(plain) ?? targets.get(plain.replace(/\/_?index$/, '')) ?? targets.get(fileNameOf(plain));
      if (target === undefined) return null;
      return anchor === undefined ? target : { ...target, url: `${target.url}#${anchor}` };
    },
  };
}

export interface FolderContext {
  archive: Archive;
  site: FolderSite;
  links: LinkIndex;
  findTarget: (name: string) => { url: string; title: string } | null;
  /** Finds an item by the name of its file. */
  findItem: (name: string) => string | null;
}

const pathInSite = (site: FolderSite, name: string): string =>
  name
    .slice(site.root.length)
    .replace(/^source\/(?:_posts|_drafts)\//, '')
    .replace(/^(?:content|source|_posts|_drafts)\//, '');

async function classifyFiles(archive: Archive, site: FolderSite, readFile: ReadFile) {
  const links = createLinkIndex(site.baseUrl);
  const targets = createTargetIndex();
  const classified = new Map<string, Classified>();
  const sections = new Map<string, number>();
  for (const name of site.files) {
    const file = await readFile(name);
    if ('kind' in file) continue;
    const fields = site.inherit(name, file.fields);
    const isPlainHtml = /\.html?$/i.test(name) && Object.keys(file.fields).length === 0;
    const found: Classified = isPlainHtml
      ? { kind: 'skipped', reason: '没有文件头的网页，没有导入' }
      : site.classify(name, { ...file, fields });
    classified.set(name, found);
    if (found.kind === 'skipped') continue;
    if (site.mainSections !== null) sections.set(found.section, (sections.get(found.section) ?? 0) + 1);
    links.add(found.oldUrls, name);
    const [url = ''] = found.oldUrls;
    targets.add(pathInSite(site, name), { url, title: getText(fields, 'title') });
  }
  const isItem = (name: string): boolean => {
    const found = classified.get(name);
    return found !== undefined && found.kind !== 'skipped';
  };
  const findItem = (name: string): string | null => {
    const candidates = [name, `${name}.md`, `${name}/index.md`, `${name}/_index.md`];
    return candidates.find(isItem) ?? null;
  };
  const context: FolderContext = { archive, site, links, findTarget: targets.find, findItem };
  return { context, classified, sections };
}

export async function* readFolder(archive: Archive, site: FolderSite): AsyncGenerator<ImportedItem> {
  const readFile = createFileReader(archive);
  const { context, classified, sections } = await classifyFiles(archive, site, readFile);
  const counter = createSiteCounter();
  for (const name of site.files) {
    const file = await readFile(name);
    const found = classified.get(name);
    if ('kind' in file || found === undefined) {
      yield 'kind' in file ? file : { kind: 'skipped', key: name, skipped: '没有读取' };
      continue;
    }
    const fields = site.inherit(name, file.fields);
    const title = getText(fields, 'title');
    if (found.kind === 'skipped') {
      yield { kind: 'skipped', key: name, ...(title === '' ? {} : { title }), skipped: found.reason };
      continue;
    }
    const item = convertSafely({ key: name, title: title || baseNameOf(name), content: file.body }, () => ({
      ...toContent(context, name, { ...file, fields }, found),
      kind: found.kind,
      section: found.section,
    }));
    counter.add(item);
    yield item;
  }
  yield {
    kind: 'site',
    program: site.program,
    title: site.title,
    owner: site.owner,
    baseUrl: context.links.baseUrl,
    timeZone: site.timeZone,
    feedUrls: site.feedUrls,
    sections: [...sections]
      .map(([name, count]) => ({
        name,
        count,
        isMain: site.mainSections?.includes(fileNameOf(name)) ?? true,
      }))
      .toSorted((a, b) => b.count - a.count),
    ...counter.list(),
  };
}
