import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import { essayFields } from '@mozhan/contract/essays.ts';
import {
  type CheckCounts,
  type CheckResult,
  type Findings,
  MAX_MAPPED_ENTRIES,
  MAX_MAPPED_NAME,
} from '@mozhan/contract/import-checks.ts';
import { MAX_ATTACHMENT_BYTES, MAX_IMAGE_BYTES } from '@mozhan/contract/uploads.ts';
import { hashContent } from './content-hash.ts';
import { decodePath, isWebUrl } from './paths.ts';
import { choosePublication } from './publication.ts';
import type { ImportedAuthor, ImportedEssay, ImportedItem, ImportedPage, ImportedSite } from './types.ts';

const MAX_LISTED = 100;
const MAX_REASONS = 20;
const MAX_REASON_LENGTH = 200;
const MAX_TITLE_LENGTH = 200;

/** To find out whether an earlier import brought the item. */
export interface FoundItem {
  sourceId: string;
  title: string;
  contentHash: string;
}

/** Everything about an archive that does not depend on this site. */
export interface Analysis extends Omit<CheckResult, 'program' | 'counts'> {
  counts: Omit<CheckCounts, 'existing' | 'changed'>;
}

type Content = ImportedEssay | ImportedPage;

/** Counts all findings and keeps the first ones. */
function createFindings() {
  const reasons = new Map<string, number>();
  const list: Findings['list'] = [];
  let total = 0;
  return {
    add(title: string, given: string): void {
      const reason = clean(given, MAX_REASON_LENGTH);
      total += 1;
      if (reasons.has(reason) || reasons.size < MAX_REASONS)
        reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
      if (list.length < MAX_LISTED) list.push({ title: clean(title, MAX_TITLE_LENGTH), reason });
    },
    result: (): Findings => ({
      total,
      reasons: [...reasons]
        .map(([reason, count]) => ({ reason, count }))
        .toSorted((a, b) => b.count - a.count),
      list,
    }),
  };
}

/** PostgreSQL cannot store NUL characters and half surrogate pairs. */
const clean = (text: string, maxLength: number): string =>
  text.slice(0, maxLength).toWellFormed().replaceAll('\0', '');
const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

/** Why an essay becomes a draft, apart from its status; empty if it does not. */
const describeMissing = ({ title, content }: Content): string =>
  [...(title.trim() === '' ? ['没有标题'] : []), ...(content.trim() === '' ? ['没有正文'] : [])].join('、');

function createNameCounter<Entry extends { count: number }>() {
  const entries = new Map<string, Entry>();
  return {
    add(name: string, entry: Entry): void {
      const known = entries.get(name);
      if (known === undefined) entries.set(name, entry);
      else known.count += entry.count;
    },
    size: () => entries.size,
    /** The most frequent ones, as far as they can be mapped. */
    list: (): Entry[] =>
      [...entries]
        .filter(([name]) => name.length <= MAX_MAPPED_NAME && isStorable(name))
        .map(([, entry]) => entry)
        .toSorted((a, b) => b.count - a.count)
        .slice(0, MAX_MAPPED_ENTRIES),
  };
}

/** Examines the items of an archive without keeping their texts. */
export function createAnalysis(sizeOf: (name: string) => number, now: Date) {
  const [drafts, refused, notes] = [createFindings(), createFindings(), createFindings()];
  const categories = createNameCounter<{ name: string; count: number }>();
  const authors = createNameCounter<{ account: string; displayName: string; count: number }>();
  const [tags, redirects, pictures, remotePictures, attachments] = Array.from(
    { length: 5 },
    () => new Set<string>(),
  ) as [Set<string>, Set<string>, Set<string>, Set<string>, Set<string>];
  const found: FoundItem[] = [];
  const counts = { essays: 0, pages: 0, scheduled: 0, pinned: 0, covers: 0, comments: 0 };
  const more = { severalAuthors: 0, unsigned: 0, members: 0, paid: 0 };
  let site: ImportedSite | null = null;

  function addFile(name: string, known: Set<string>, maxBytes: number, noun: string): void {
    if (known.has(name)) return;
    known.add(name);
    if (sizeOf(name) > maxBytes) refused.add(name, `${noun}超过 ${maxBytes / 1024 / 1024} MB`);
  }

  function addReferences(item: Content): void {
    for (const url of item.pictures) addFile(decodePath(url), pictures, MAX_IMAGE_BYTES, '图片');
    for (const { name } of item.attachments) addFile(name, attachments, MAX_ATTACHMENT_BYTES, '附件');
    for (const url of item.remotePictures) remotePictures.add(url);
    for (const url of item.oldUrls) redirects.add(url);
  }

  const addAuthor = ({ account, displayName }: ImportedAuthor): void =>
    authors.add(account, { account, displayName: clean(displayName, MAX_TITLE_LENGTH), count: 1 });

  function addEssay(item: ImportedEssay): void {
    const { status, cover, isPinned, comments } = item;
    counts.essays += 1;
    counts.comments += comments.length;
    if (cover) {
      counts.covers += 1;
      if (isWebUrl(cover)) remotePictures.add(cover);
      else addFile(cover, pictures, MAX_IMAGE_BYTES, '图片');
    }
    if (isPinned) counts.pinned += 1;
    if (item.author === null) more.unsigned += 1;
    if (item.authors.length > 1) more.severalAuthors += 1;
    if (status === 'members' || status === 'paid') more[status] += 1;
    for (const tag of item.tags) tags.add(tag);
    const reasons: string[] = [];
    const publication = choosePublication(item, now, reasons);
    const missing = describeMissing(item);
    if (publication.status === ESSAY_STATUS.approved) counts.scheduled += 1;
    if (publication.status === ESSAY_STATUS.draft) drafts.add(item.title || item.key, reasons.join('；'));
    else if (missing !== '') drafts.add(item.title || item.key, missing);
  }

  function addPage(item: ImportedPage): void {
    counts.pages += 1;
    if (item.status !== 'published') drafts.add(item.title || item.key, item.statusReason);
    if (item.comments.length > 0)
      refused.add(item.title || item.key, `页面不能评论，${item.comments.length} 条评论没有导入`);
  }

  function addContent(item: Content): void {
    const title = item.title || item.key;
    const { success, error } = essayFields.shape.content.safeParse(item.content);
    if (!success) refused.add(title, error.issues[0]?.message ?? '');
    else if (item.kind === 'essay') addEssay(item);
    else addPage(item);
    for (const note of item.notes) notes.add(title, note);
    addReferences(item);
    // Pages of a section may become essays.
    if (item.kind === 'essay' || item.section !== '') {
      for (const name of item.categories) categories.add(name, { name, count: 1 });
      if (item.author !== null) addAuthor(item.author);
    }
    found.push({ sourceId: item.sourceId, title: item.title, contentHash: hashContent(item) });
  }

  return {
    found,
    add(item: ImportedItem): void {
      if (item.kind === 'site') {
        site = item;
        for (const url of item.feedUrls) redirects.add(url);
      } else if (item.kind === 'skipped') refused.add(item.title || item.key, item.skipped);
      else addContent(item);
    },
    result: (): Analysis => ({
      siteTitle: clean(site?.title ?? '', MAX_TITLE_LENGTH),
      siteUrl: clean(site?.baseUrl ?? '', MAX_TITLE_LENGTH),
      siteOwner: clean(site?.owner ?? '', MAX_TITLE_LENGTH),
      counts: {
        ...counts,
        ...more,
        pictures: pictures.size,
        remotePictures: remotePictures.size,
        attachments: attachments.size,
        authors: authors.size(),
        categories: categories.size(),
        tags: tags.size,
        redirects: redirects.size,
      },
      drafts: drafts.result(),
      refused: refused.result(),
      notes: notes.result(),
      categories: categories.list(),
      authors: authors.list(),
      sections: (site?.sections ?? [])
        .filter(({ name }) => name.length <= MAX_MAPPED_NAME && isStorable(name))
        .slice(0, MAX_MAPPED_ENTRIES),
    }),
  };
}
