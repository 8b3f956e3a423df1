import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import type { Attachment, Essay, EssaySource } from '@mozhan/contract/essays.ts';
import { addPageTags, type Ctx, type Viewer } from '../../../../ctx.ts';
import { createLookup } from '../../../../db/lookup.ts';
import { getUser, isFollowing, toUserCard } from '../../../accounts/users/index.ts';
import { getSiteSettings } from '../../../platform/settings/index.ts';
import { listAttachments } from '../../../platform/uploads/index.ts';
import { createEssayPageQuery, type EssayPageRow } from '../queries/essay-page.ts';
import * as queries from '../queries/essays.ts';
import type { CardRow } from '../queries/lists.ts';
import { findReaderState, hasBought } from '../queries/reader-state.ts';
import { findProgress } from '../queries/reads.ts';
import { findUser } from '../queries/users.ts';
import { placeInColumn } from '../rules/columns.ts';
import { canAudit, canEdit, canReadAll, canSee, essayNotFound, paywallOf } from '../rules/essays.ts';
import type { EssayRow, EssayTextRow } from '../tables.ts';
import { toCard, withBasePath } from '../views/essays.ts';
import { requireEditor } from './save.ts';
import { findRejection } from './status.ts';
import { renderPreview } from './submission.ts';

async function isMember(ctx: Ctx, essay: EssayRow): Promise<boolean> {
  if (ctx.viewer === null || !essay.memberFree) return false;
  const memberUntil = (await findUser(ctx.db, ctx.viewer.id))?.memberUntil ?? null;
  return memberUntil !== null && memberUntil > ctx.now;
}

const isBought = async ({ db, viewer }: Ctx, essay: EssayRow): Promise<boolean> =>
  viewer !== null && (await hasBought(db, viewer.id, essay));

interface ReadAccess {
  mayReadAll: boolean;
  isPurchasedCopy: boolean;
}

/** Throws `NOT_FOUND` when the viewer may not see the essay at all. */
async function getReadAccess(ctx: Ctx, essay: EssayRow): Promise<ReadAccess> {
  const { viewer } = ctx;
  if (essay.status === ESSAY_STATUS.onShelf) {
    const isOpen = canReadAll(viewer, essay, { isMember: false, isBought: false });
    const has = isOpen
      ? { isMember: false, isBought: false }
      : { isMember: await isMember(ctx, essay), isBought: await isBought(ctx, essay) };
    return { mayReadAll: isOpen || canReadAll(viewer, essay, has), isPurchasedCopy: false };
  }
  // Unaudited text is visible to the author, to staff who edit for the author, and to auditors only.
  if (canEdit(viewer, essay) || canAudit(viewer)) return { mayReadAll: true, isPurchasedCopy: false };
  if (essay.shelvedVersion !== null && (await isBought(ctx, essay)))
    return { mayReadAll: true, isPurchasedCopy: true };
  if (!canSee(viewer, essay)) throw essayNotFound();
  return { mayReadAll: false, isPurchasedCopy: false };
}

/** Restores the fields of the version that was on the shelf, because buyers must not see later drafts. */
async function toShelvedState(ctx: Ctx, essay: EssayRow): Promise<EssayRow> {
  const { id, shelvedVersion: version } = essay;
  if (version === null || essay.status === ESSAY_STATUS.offShelf)
    return { ...essay, version: version ?? essay.version };
  const { fields } = await queries.getRevisionBrief(ctx.db, id, version);
  const text = await queries.findText(ctx.db, id, version);
  const { scheduledAt: _, ...settings } = fields;
  return {
    ...essay,
    ...settings,
    version,
    title: text?.title ?? fields.title,
    titleBreaks: [],
    summary: text?.summary ?? fields.summary,
  };
}

const findEssayRow = createLookup((db) => {
  const list = queries.createEssayQuery(db);
  return async (ids) => new Map((await list(ids)).map((essay) => [essay.id, essay]));
});

/** Returns an essay as the viewer may see it, and whether they may read the full text. */
export async function getReadableEssay(
  ctx: Ctx,
  id: string,
): Promise<{ essay: EssayRow; mayReadAll: boolean }> {
  const essay = queries.requirePresent((await findEssayRow(ctx, id)) ?? undefined);
  const { mayReadAll, isPurchasedCopy } = await getReadAccess(ctx, essay);
  return { essay: isPurchasedCopy ? await toShelvedState(ctx, essay) : essay, mayReadAll };
}

type DisplayedText = Pick<EssayTextRow, 'html' | 'toc' | 'hasMath' | 'hasDiagrams'>;

const NO_TEXT: DisplayedText = { html: '', toc: [], hasMath: false, hasDiagrams: false };

async function findShelvedText(
  ctx: Ctx,
  { essay, text, hasLockedText }: EssayPageRow,
  isFullText: boolean,
): Promise<DisplayedText> {
  if (text === null) return NO_TEXT;
  if (!isFullText || !hasLockedText) return text;
  const fullText = await queries.findLockedText(ctx.db, essay.id, text.version);
  return fullText === null ? text : { ...text, html: fullText.html, toc: fullText.toc };
}

/** Off the shelf, the author and auditors get the submitted text, or a preview of the newest version. */
async function findUnshelvedText(ctx: Ctx, essay: EssayRow, isFullText: boolean): Promise<DisplayedText> {
  if (!isFullText) return NO_TEXT;
  const version = essay.submittedVersion ?? essay.shelvedVersion;
  const open = version === null ? null : await queries.findText(ctx.db, essay.id, version);
  if (open !== null) {
    const fullText = await queries.findLockedText(ctx.db, essay.id, open.version);
    return fullText === null ? open : { ...open, html: fullText.html, toc: fullText.toc };
  }
  const { content } = await queries.getRevision(ctx.db, essay.id, essay.version);
  return renderPreview(ctx, content);
}

export async function listAttachmentFiles(ctx: Ctx, ids: string[]): Promise<Attachment[]> {
  if (ids.length === 0) return [];
  const byId = new Map((await listAttachments(ctx.db, ids)).map((file) => [file.id, file]));
  return ids.flatMap((id) => {
    const file = byId.get(id);
    return file === undefined ? [] : [{ id, name: file.name, bytes: file.bytes, type: file.type }];
  });
}

function toColumnPosition(ctx: Ctx, { essay, column, inColumn }: EssayPageRow): Essay['column'] {
  if (essay.columnId === null || essay.status !== ESSAY_STATUS.onShelf) return null;
  addPageTags(ctx, `column:${essay.columnId}`);
  const { position } = inColumn;
  return (
    column && {
      id: column.id,
      name: column.name,
      price: column.price,
      count: column.essayCount,
      position,
      ...placeInColumn(inColumn.essays, essay.id, position),
    }
  );
}

async function getReaderState(ctx: Ctx, essay: EssayRow): Promise<Essay['mine']> {
  const none = {
    liked: false,
    collected: false,
    folderId: null,
    bought: false,
    followed: false,
    progress: 0,
    highlights: 0,
  };
  if (ctx.viewer === null) return none;
  const [followed, progress, marks] = await Promise.all([
    isFollowing(ctx.db, ctx.viewer.id, essay.authorId),
    findProgress(ctx.db, ctx.viewer.id, essay.id),
    findReaderState(ctx.db, ctx.viewer.id, essay),
  ]);
  return { ...none, ...marks, collected: marks.folderId !== null, followed, progress };
}

const noNeighbours = { previous: null, next: null };

const findEssayPage = createLookup((db) => {
  const list = createEssayPageQuery(db);
  return async (ids) => new Map((await list(ids)).map((row) => [row.essay.id, row]));
});

export async function getEssayDetail(ctx: Ctx, id: string): Promise<Essay> {
  const [row, { showRegion }] = await Promise.all([findEssayPage(ctx, id), getSiteSettings(ctx)]);
  const present = queries.requirePresent(row?.essay);
  if (row === null) throw essayNotFound();
  addPageTags(ctx, `essay:${id}`, `user:${present.authorId}`);
  const { mayReadAll: isFullText, isPurchasedCopy } = await getReadAccess(ctx, present);
  const essay = isPurchasedCopy ? await toShelvedState(ctx, present) : present;
  const category = essay.categoryId === present.categoryId ? row.category : null;
  const isShelved = essay.status === ESSAY_STATUS.onShelf;
  const [text, files, mine] = await Promise.all([
    isShelved || isPurchasedCopy
      ? findShelvedText(ctx, row, isFullText)
      : findUnshelvedText(ctx, essay, isFullText),
    listAttachmentFiles(ctx, essay.attachments),
    getReaderState(ctx, essay),
  ]);
  return {
    ...toCard({ ...row, essay, category }, ctx.now),
    shareCover: essay.shareCover,
    coverSize: essay.cover === present.cover ? row.coverSize : null,
    lede: row.hasOwnSummary || essay.shelvedVersion === null ? essay.summary : '',
    html: withBasePath(text.html, ctx.services.config),
    toc: text.toc,
    attachments: files,
    column: toColumnPosition(ctx, row),
    ...(isShelved ? { previous: row.previous, next: row.next } : noNeighbours),
    locked: isFullText ? null : paywallOf(essay),
    hasPassages: isShelved && row.hasPassages,
    previewPercent: essay.previewPercent,
    allowComment: essay.allowComment,
    declaration: essay.declaration,
    source: essay.source,
    region: showRegion ? essay.region : '',
    hasMath: text.hasMath,
    hasDiagrams: text.hasDiagrams,
    mine,
    can: { edit: canEdit(ctx.viewer, essay), audit: canAudit(ctx.viewer) },
  };
}

const findBySlug = createLookup((db) => {
  const list = queries.createSlugQuery(db);
  return async (slugs) => new Map((await list(slugs)).map((essay) => [essay.slug ?? '', essay]));
});

/** Returns the id of the essay with this slug, if the viewer may see it. */
export async function findIdBySlug(ctx: Ctx, slug: string): Promise<string> {
  const essay = await findBySlug(ctx, slug.normalize('NFC'));
  if (essay === null) throw essayNotFound();
  addPageTags(ctx, `essay:${essay.id}`);
  await getReadAccess(ctx, essay);
  return essay.id;
}

/** An autosave can replace the revision between the two queries, so the read is retried. */
const MAX_ATTEMPTS = 10;

async function getNewestVersion(ctx: Ctx, viewer: Viewer, id: string) {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const essay = await queries.getEssay(ctx.db, id);
    requireEditor(viewer, essay);
    const revision = await queries.findRevision(ctx.db, id, essay.version);
    if (revision !== null) return { essay, revision };
  }
  throw new CallError('UNAVAILABLE', { retryAfter: 1 });
}

export async function getEssaySource(ctx: Ctx, viewer: Viewer, id: string): Promise<EssaySource> {
  const { essay, revision } = await getNewestVersion(ctx, viewer, id);
  const { content, fields, updatedAt } = revision;
  const rejection = await findRejection(ctx, essay);
  return {
    ...fields,
    content,
    id,
    slug: essay.slug,
    version: essay.version,
    status: essay.status,
    revision: essay.revisionStatus,
    author: toUserCard(await getUser(ctx.db, essay.authorId), ctx.now),
    shelvedVersion: essay.shelvedVersion,
    files: await listAttachmentFiles(ctx, fields.attachments),
    rejection: rejection === null ? null : { ...rejection, createdAt: rejection.createdAt.toISOString() },
    updatedAt: updatedAt.toISOString(),
  };
}

export const toCards = (ctx: Ctx, rows: CardRow[]) =>
  rows.map((row) => {
    addPageTags(ctx, `essay:${row.essay.id}`, `user:${row.essay.authorId}`);
    return toCard(row, ctx.now);
  });
