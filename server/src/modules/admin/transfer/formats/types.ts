/** What was uploaded, opened: a ZIP, or a single file as an archive of one. Names are clean relative paths with `/`. */
export interface Upload {
  names(): string[];
  /** Throws for a name that is not there, and for what is larger than `most`. */
  content(name: string, most: number): Promise<ArrayBuffer>;
  /** Enough of it to know a format by, as far as it can be read. */
  beginning(name: string): Promise<string>;
}

/** The same for those who read it. */
export interface Archive {
  names(): string[];
  has(name: string): boolean;
  /** As UTF-8. Throws for a name that is not there, and for what is too large to be held, or larger than `most`. */
  text(name: string, most?: number): Promise<string>;
}

/** An essay of another program, as far as it can be one of ours. */
export interface ImportedEssay {
  /** Unique in its archive, the same at every reading of it: by it a run that was cut off goes on. */
  key: string;
  title: string;
  slug: string;
  /** Markdown. Pictures of the archive stand in it by their name in the archive, URL-encoded where Markdown needs it. */
  content: string;
  /** Empty: made from the text. */
  summary: string;
  tags: string[];
  /** By name; null for none. */
  category: string | null;
  /** A name in the archive, or an http address, which is not fetched. */
  cover: string | null;
  author: { account: string; displayName: string } | null;
  status: 'draft' | 'published';
  createdAt: Date | null;
  publishedAt: Date | null;
  updatedAt: Date | null;
  /** Dates that are given and cannot be read, as they stand there. */
  unreadDates: string[];
  /** Names in the archive that the content refers to, exactly as they stand in it. */
  pictures: string[];
  /** What was lost, in sentences for people. */
  notes: string[];
}

/** Left out, and why, in a sentence for people. */
export interface SkippedItem {
  key: string;
  title?: string;
  skipped: string;
}

/** In bytes or characters: several times what an essay may have, and little enough to be read at once. */
export const LONGEST_ESSAY = 4 * 1024 * 1024;
/** A whole site of Ghost or WordPress is one text. */
export const LONGEST_TEXT = 256 * 1024 * 1024;
/** In characters: what stands above an essay is far shorter, and longer ones take ever so long to parse. */
export const LONGEST_HEAD = 64 * 1024;

/** One that cannot be read does not keep the others out. */
export function tryEssay(
  { key, title, content }: { key: string; title: string; content: string },
  make: () => ImportedEssay | SkippedItem,
): ImportedEssay | SkippedItem {
  const about = { key, title: title || key };
  if (content.length > LONGEST_ESSAY) return { ...about, skipped: '太长，没有导入' };
  try {
    return make();
  } catch {
    return { ...about, skipped: '内容无法识别，没有导入' };
  }
}

export interface Format {
  /** Whether the archive looks like one of this format. Cheap: names, or the beginning of one file. */
  detect: (upload: Upload) => Promise<boolean>;
  read: (archive: Archive) => AsyncIterable<ImportedEssay | SkippedItem>;
}
