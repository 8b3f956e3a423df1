/** An opened upload: a ZIP, or a single file as an archive with one entry. Names are relative paths with `/`. */
export interface Upload {
  names(): string[];
  /** Throws if the file does not exist or is larger than `maxBytes`. */
  readContent(name: string, maxBytes: number): Promise<ArrayBuffer>;
  /** Returns enough of the file to detect its format. */
  readStart(name: string): Promise<string>;
}

/** The view of an upload that formats use. */
export interface Archive {
  names(): string[];
  has(name: string): boolean;
  /** Decodes UTF-8; throws if the file does not exist or is too large. */
  readText(name: string, maxBytes?: number): Promise<string>;
}

export interface ImportedEssay {
  /** Unique in the archive and stable, so that an interrupted run can continue. */
  key: string;
  title: string;
  slug: string;
  /** Markdown that refers to pictures by their names in the archive, URL-encoded where necessary. */
  content: string;
  /** Empty to derive it from the text. */
  summary: string;
  tags: string[];
  category: string | null;
  /** A name in the archive, or an external URL, which is not downloaded. */
  cover: string | null;
  author: { account: string; displayName: string } | null;
  status: 'draft' | 'published';
  createdAt: Date | null;
  publishedAt: Date | null;
  updatedAt: Date | null;
  invalidDates: string[];
  /** The pictures of the archive that the content refers to, spelled as in the content. */
  pictures: string[];
  /** Messages about lost content, for the report. */
  notes: string[];
}

/** `skipped` is the reason, for the report. */
export interface SkippedItem {
  key: string;
  title?: string;
  skipped: string;
}

/** In bytes or characters; several times the limit of an essay. */
export const MAX_ESSAY_LENGTH = 4 * 1024 * 1024;
/** Ghost and WordPress export an entire site as one text. */
export const MAX_TEXT_BYTES = 256 * 1024 * 1024;
/** In characters; parsing longer front matter takes too long. */
export const MAX_HEAD_LENGTH = 64 * 1024;

/** An essay that cannot be converted is skipped and does not stop the import. */
export function convertSafely(
  { key, title, content }: { key: string; title: string; content: string },
  convert: () => ImportedEssay | SkippedItem,
): ImportedEssay | SkippedItem {
  const item = { key, title: title || key };
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
  read: (archive: Archive) => AsyncIterable<ImportedEssay | SkippedItem>;
}
