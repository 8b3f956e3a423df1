import { decodeReferences } from './html.ts';
import { STATUS_REASONS } from './status.ts';
import type { ImportedEssay, ImportedItem, ImportedPage } from './types.ts';

/** Limits the work, because each character reference is parsed separately. */
const MAX_NAME_LENGTH = 1000;
const decodeName = (name: string): string => decodeReferences(name.slice(0, MAX_NAME_LENGTH));

/** More than any real item has; the limits protect the memory of the importer, and the main thread, which reads them. */
const MAX_NAMES = 200;
const MAX_REFERENCES = 10_000;
const MAX_COMMENTS = 20_000;
const MAX_ADDRESS_LENGTH = 2000;
const MAX_NOTE_LENGTH = 2000;
const MAX_KEY_LENGTH = 10_000;

const unique = (names: readonly string[]): string[] =>
  [...new Set(names.map((name) => decodeName(name).trim()).filter((name) => name !== ''))].slice(
    0,
    MAX_NAMES,
  );

/** A date in the future means that the program had not published the item yet. */
function schedule<T extends ImportedEssay | ImportedPage>(item: T, now: Date): T {
  if (item.status !== 'published' || item.publishedAt === null || item.publishedAt <= now) return item;
  return { ...item, status: 'scheduled', statusReason: STATUS_REASONS.scheduled };
}

/** Decodes names and limits lists, the same for all formats. */
export function finishItem(item: ImportedItem, now: Date): ImportedItem {
  if (item.kind === 'skipped')
    return item.title === undefined ? item : { ...item, title: decodeName(item.title) };
  if (item.kind === 'site')
    return {
      ...item,
      title: decodeName(item.title),
      categories: item.categories.map((category) => ({ ...category, name: decodeName(category.name) })),
    };
  if (Math.max(item.key.length, item.sourceId.length) > MAX_KEY_LENGTH)
    return {
      kind: 'skipped',
      key: item.key.slice(0, MAX_NAME_LENGTH),
      title: decodeName(item.title),
      skipped: '编号太长，没有导入',
    };
  const { author, comments, notes, cover } = item;
  const shortNotes = notes.slice(0, MAX_NAMES).map((note) => note.slice(0, MAX_NOTE_LENGTH));
  return schedule(
    {
      ...item,
      title: decodeName(item.title),
      slug: item.slug.slice(0, MAX_NAME_LENGTH),
      summary: item.summary.slice(0, MAX_NAME_LENGTH),
      cover: cover !== null && cover.length > MAX_ADDRESS_LENGTH ? null : cover,
      tags: unique(item.tags),
      categories: unique(item.categories),
      authors: unique(item.authors),
      author: author && {
        account: author.account.slice(0, MAX_NAME_LENGTH),
        displayName: decodeName(author.displayName),
      },
      oldUrls: item.oldUrls.slice(0, MAX_NAMES),
      pictures: item.pictures.slice(0, MAX_REFERENCES),
      remotePictures: item.remotePictures.slice(0, MAX_REFERENCES),
      attachments: item.attachments.slice(0, MAX_REFERENCES),
      remoteAttachments: item.remoteAttachments.slice(0, MAX_REFERENCES),
      internalLinks: item.internalLinks.slice(0, MAX_REFERENCES),
      comments: comments.slice(0, MAX_COMMENTS).map(({ url, ...comment }) => ({
        ...comment,
        name: decodeName(comment.name),
        url: url.length > MAX_ADDRESS_LENGTH ? '' : url,
      })),
      notes:
        comments.length > MAX_COMMENTS
          ? [...shortNotes, `评论太多，只读取了前 ${MAX_COMMENTS} 条`]
          : shortNotes,
    },
    now,
  );
}
