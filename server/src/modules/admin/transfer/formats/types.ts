/** An opened upload: a ZIP, or a single file as an archive with one entry. Names are relative paths with `/`. */
export interface Upload {
  names(): string[];
  /** Milliseconds since 1970 at which the file was changed, or null if the archive does not say. */
  modifiedAt(name: string): number | null;
  /** Throws if the file does not exist or is larger than `maxBytes`. */
  readContent(name: string, maxBytes: number): Promise<ArrayBuffer>;
  /** Returns enough of the file to detect its format. */
  readStart(name: string): Promise<string>;
}

/** The view of an upload that formats use. */
export interface Archive {
  names(): string[];
  has(name: string): boolean;
  modifiedAt(name: string): number | null;
  /** Decodes UTF-8; throws if the file does not exist or is too large. */
  readText(name: string, maxBytes?: number): Promise<string>;
}

/** How public the original was; only `published` may become public by the import. */
export type ImportedStatus =
  | 'published'
  | 'draft'
  | 'scheduled'
  | 'private'
  | 'password'
  | 'hidden'
  | 'members'
  | 'paid';

export interface ImportedAuthor {
  account: string;
  displayName: string;
}

/** E-mail and IP addresses of commenters are not read. */
export interface ImportedComment {
  /** Unique in the archive. */
  id: string;
  /** The comment that this one replies to. */
  parentId: string | null;
  name: string;
  /** The commenter's website; empty for none. */
  url: string;
  createdAt: Date | null;
  status: 'approved' | 'pending';
  /** Markdown. */
  content: string;
}

/** The same for essays and pages, so that a section may become either. */
interface ImportedContent {
  /** Unique in the archive and stable, so that an interrupted run can continue. */
  key: string;
  /** The same in later exports of the same site, and different for other sites. */
  sourceId: string;
  /** The section of Hugo or collection of Jekyll; empty elsewhere. */
  section: string;
  title: string;
  slug: string;
  /** Markdown that refers to pictures by their names in the archive, URL-encoded where necessary. */
  content: string;
  /** Empty to derive it from the text. */
  summary: string;
  tags: string[];
  /** The first one decides; the others are like tags. */
  categories: string[];
  /** A name in the archive, or an external URL. */
  cover: string | null;
  /** The first author. */
  author: ImportedAuthor | null;
  /** The display names of all authors. */
  authors: string[];
  status: ImportedStatus;
  /** In Chinese, why it is not public; empty for published. */
  statusReason: string;
  isPinned: boolean;
  commentsClosed: boolean;
  createdAt: Date | null;
  /** In the future for scheduled ones; null for drafts, private, hidden and protected ones. */
  publishedAt: Date | null;
  updatedAt: Date | null;
  invalidDates: string[];
  /** Path and query of every address on the old site, percent-encoded as in a request. */
  oldUrls: string[];
  /** The pictures of the archive that the content refers to, spelled as in the content. */
  pictures: string[];
  /** Pictures on other hosts or on the old site, as in the content: `https://…`, `http://…` or `//…`. */
  remotePictures: string[];
  /** Files of the archive that the content links to: the address as in the content, and the name in the archive. */
  attachments: { url: string; name: string }[];
  /** Files of the old site that the content links to and the archive does not contain, as in the content. */
  remoteAttachments: string[];
  /** Links to other items of the archive: the address as in the content, and the item's key. */
  internalLinks: { url: string; key: string }[];
  comments: ImportedComment[];
  /** Messages about lost content, for the report. */
  notes: string[];
}

export interface ImportedEssay extends ImportedContent {
  kind: 'essay';
}

export interface ImportedPage extends ImportedContent {
  kind: 'page';
}

/** Facts about the old site; the last item of an archive. */
export interface ImportedSite {
  kind: 'site';
  program: 'wordpress' | 'ghost' | 'hexo' | 'hugo' | 'jekyll' | 'markdown' | 'halo' | 'typecho';
  title: string;
  /** Who writes what has no author; empty if unknown. */
  owner: string;
  /** `https://example.com/blog` without a slash at the end; empty if unknown. */
  baseUrl: string;
  timeZone: string;
  /** Paths of the feeds that the program serves. */
  feedUrls: string[];
  /** Only of programs with sections; those that are not main are pages. */
  sections: { name: string; count: number; isMain: boolean }[];
  categories: { name: string; count: number }[];
  authors: { account: string; displayName: string; count: number }[];
}

/** `skipped` is the reason, for the report. */
export interface SkippedItem {
  kind: 'skipped';
  key: string;
  title?: string;
  skipped: string;
}

export type ImportedItem = ImportedEssay | ImportedPage | ImportedSite | SkippedItem;

/** In bytes or characters; several times the limit of an essay. */
export const MAX_ESSAY_LENGTH = 4 * 1024 * 1024;
/** Ghost and WordPress export an entire site as one text. */
export const MAX_TEXT_BYTES = 256 * 1024 * 1024;
/** In characters; parsing longer front matter takes too long. */
export const MAX_HEAD_LENGTH = 64 * 1024;

/** An essay that cannot be converted is skipped and does not stop the import. */
export function convertSafely(
  { key, title, content }: { key: string; title: string; content: string },
  convert: () => ImportedEssay | ImportedPage | SkippedItem,
): ImportedEssay | ImportedPage | SkippedItem {
  const item = { kind: 'skipped' as const, key, title: title || key };
  if (content.length > MAX_ESSAY_LENGTH) return { ...item, skipped: '太长，没有导入' };
  try {
    return convert();
  } catch {
    return { ...item, skipped: '内容无法识别，没有导入' };
  }
}

export interface Format {
  /** Must be cheap: it may inspect names and the start of a file. */
  detect: (upload: Upload) => Promise<boolean>;
  read: (archive: Archive) => AsyncIterable<ImportedItem>;
}
