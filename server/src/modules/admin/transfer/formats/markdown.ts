import { DEFAULT_ZONE } from './dates.ts';
import { type Classified, type FolderSite, listMarkdownFiles, readFolder } from './folder.ts';
import { type FrontMatterFile, getText } from './front-matter.ts';
import { toOldUrls } from './links.ts';
import { fileNameOf, folderOf } from './paths.ts';
import { encodePathname, listAliases } from './permalinks.ts';
import { mapOutsideCode } from './template-tags.ts';
import type { Archive, Format } from './types.ts';

const ABOUT_REPOSITORY =
  /^(?:readme|summary|license|changelog|contributing|code_of_conduct|security)(?:[._-][^/]*)?$/i;
/** Folders whose name is no category. */
const PLAIN_FOLDERS =
  /^(?:posts?|_posts|content|docs?|src|blog|articles?|notes?|markdown|md|pages?|source|export)$/i;

/** The folder that contains everything, with a slash at the end; empty for the archive itself. */
function findCommonFolder(names: readonly string[]): string {
  const [first = ''] = names;
  let folder = folderOf(first);
  for (const name of names) while (folder !== '' && !name.startsWith(`${folder}/`)) folder = folderOf(folder);
  return folder === '' ? '' : `${folder}/`;
}

function classify(
  root: string,
  isOnly: boolean,
  name: string,
  { fields, body }: FrontMatterFile,
): Classified {
  const path = name.slice(root.length);
  const hasHead = Object.keys(fields).length > 0;
  if (!isOnly && !hasHead && !path.includes('/') && ABOUT_REPOSITORY.test(fileNameOf(path)))
    return { kind: 'skipped', reason: '说明文件，没有导入' };
  if (!hasHead && body.trim() === '') return { kind: 'skipped', reason: '空文件，没有导入' };
  const isPage = /^(?:page|about|links?|friends)$/i.test(getText(fields, 'type', 'layout'));
  const addresses = [getText(fields, 'permalink'), getText(fields, 'url'), ...listAliases(fields)];
  const oldUrls = toOldUrls(addresses.filter((address) => address !== '').map(encodePathname));
  return { kind: isPage ? 'page' : 'essay', section: '', oldUrls };
}

/** Obsidian's `![[picture.png|300]]` and `[[note#heading|text]]`. */
const convertWikiLinks = (body: string): string =>
  body.includes('[[')
    ? mapOutsideCode(body, (part) =>
        part.replace(
          /(!?)\[\[([^[\]|\n]+)(?:\|([^[\]\n]*))?\]\]/g,
          (_, mark: string, target: string, label?: string) => {
            const address = target
              .trim()
              .replace(/[\s()]/g, (each) => encodeURIComponent(each).replace('(', '%28').replace(')', '%29'));
            return `${mark}[${mark === '' ? (label ?? target) : ''}](${address})`;
          },
        ),
      )
    : body;

function openSite(archive: Archive): FolderSite {
  const files = listMarkdownFiles(archive);
  const root = findCommonFolder(files);
  return {
    program: 'markdown',
    root,
    title: '',
    owner: '',
    baseUrl: '',
    timeZone: DEFAULT_ZONE,
    feedUrls: [],
    files,
    mainSections: null,
    inherit: (_, fields) => fields,
    classify: (name, file) => classify(root, files.length === 1, name, file),
    listRootFolders: (name) => [
      ...['', 'static/', 'public/', 'assets/', 'images/', 'attachments/'].map((folder) => root + folder),
      folderOf(name),
      '',
    ],
    isDraft: (name) => /(?:^|\/)_?drafts?\//i.test(name.slice(root.length)),
    lockedTags: new Set(),
    prepare: convertWikiLinks,
    categoryOf(name) {
      const folders = folderOf(name.slice(root.length)).split('/');
      return folders.find((folder) => !PLAIN_FOLDERS.test(folder)) ?? '';
    },
  };
}

/** Reads any folder of Markdown files; the last format that is tried. */
export const markdown: Format = {
  detect: async (upload) => listMarkdownFiles(upload).length > 0,
  async *read(archive) {
    yield* readFolder(archive, openSite(archive));
  },
};
