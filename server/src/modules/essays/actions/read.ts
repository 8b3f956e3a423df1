import { CallError } from '#contract/errors.ts';
import type { Attachment, Essay, EssaySource } from '#contract/essays.ts';
import { type Ctx, shows, type Viewer } from '../../../ctx.ts';
import { getSiteSettings } from '../../settings/index.ts';
import { listAttachments } from '../../uploads/index.ts';
import { findFollow } from '../../users/index.ts';
import { findColumn } from '../queries/columns.ts';
import * as queries from '../queries/essays.ts';
import { type CardRow, findCard } from '../queries/lists.ts';
import { findUser } from '../queries/people.ts';
import { findProgress } from '../queries/reads.ts';
import { findNeighbours, findPlace } from '../queries/shelf.ts';
import { canAudit, canReadAll, canSee, isAuthor, lockOf, ON_SHELF } from '../rules.ts';
import type { EssayRow, TextRow } from '../tables.ts';
import { atBase, toCard } from '../views.ts';
import { preview } from './hand-in.ts';
import { requireAuthor } from './save.ts';
import { findRejection } from './status.ts';

async function isMember(ctx: Ctx, essay: EssayRow): Promise<boolean> {
  if (ctx.viewer === null || !essay.memberFree) return false;
  const memberUntil = (await findUser(ctx.db, ctx.viewer.id))?.memberUntil ?? null;
  return memberUntil !== null && memberUntil > ctx.now;
}

/** Whether the viewer may read all of an essay; one that may not even be seen is not there. */
async function mayReadAll(ctx: Ctx, essay: EssayRow): Promise<boolean> {
  if (!canSee(ctx.viewer, essay)) throw queries.noEssay();
  // What nobody has audited is for its author and for the audit.
  if (essay.status !== ON_SHELF) return isAuthor(ctx.viewer, essay) || canAudit(ctx.viewer);
  return canReadAll(ctx.viewer, essay, await isMember(ctx, essay));
}

/** An essay that the viewer may see, and whether all of its text. */
export async function getReadable(ctx: Ctx, id: string): Promise<{ essay: EssayRow; mayReadAll: boolean }> {
  const essay = await queries.getEssay(ctx.db, id);
  return { essay, mayReadAll: await mayReadAll(ctx, essay) };
}

type Shown = Pick<TextRow, 'html' | 'toc' | 'hasMath' | 'hasDiagrams'>;

const NO_TEXT: Shown = { html: '', toc: [], hasMath: false, hasDiagrams: false };

/** Of what is on the shelf: what everyone may read, or all of it for those who may. */
async function findShelved(ctx: Ctx, essay: EssayRow, isWhole: boolean): Promise<Shown> {
  const open = await queries.findText(ctx.db, essay.id, essay.shelvedVersion ?? 0);
  // Another version took its place since the essay was read: the page is asked for once more.
  if (open === null) throw new CallError('UNAVAILABLE', { retryAfter: 1 });
  const whole = isWhole ? await queries.findLockedText(ctx.db, essay.id, open.version) : null;
  return whole === null ? open : { ...open, html: whole.html, toc: whole.toc };
}

/** Elsewhere only the author and the audit read: what was handed in, else what is written so far. */
async function findUnshelved(ctx: Ctx, essay: EssayRow, isWhole: boolean): Promise<Shown> {
  if (!isWhole) return NO_TEXT;
  const version = essay.submittedVersion ?? essay.shelvedVersion;
  const open = version === null ? null : await queries.findText(ctx.db, essay.id, version);
  if (open !== null) {
    const whole = await queries.findLockedText(ctx.db, essay.id, open.version);
    return whole === null ? open : { ...open, html: whole.html, toc: whole.toc };
  }
  const { content } = await queries.getRevision(ctx.db, essay.id, essay.version);
  return preview(ctx, content);
}

async function listFiles(ctx: Ctx, ids: string[]): Promise<Attachment[]> {
  if (ids.length === 0) return [];
  const byId = new Map((await listAttachments(ctx.db, ids)).map((file) => [file.id, file]));
  return ids.flatMap((id) => {
    const file = byId.get(id);
    return file === undefined ? [] : [{ id, name: file.name, bytes: file.bytes, type: file.type }];
  });
}

async function findColumnPlace(ctx: Ctx, essay: EssayRow): Promise<Essay['column']> {
  if (essay.columnId === null || essay.status !== ON_SHELF) return null;
  shows(ctx, `column:${essay.columnId}`);
  const column = await findColumn(ctx.db, essay.columnId);
  if (column === null) return null;
  const place = await findPlace(ctx.db, { ...essay, columnId: column.id });
  return { id: column.id, name: column.name, count: column.essayCount, ...place };
}

async function listMine(ctx: Ctx, essay: EssayRow): Promise<Essay['mine']> {
  const nothing = { liked: false, collected: false, bought: false, followed: false, progress: 0 };
  if (ctx.viewer === null) return nothing;
  const [followed, progress] = await Promise.all([
    findFollow(ctx.db, ctx.viewer.id, essay.authorId),
    findProgress(ctx.db, ctx.viewer.id, essay.id),
  ]);
  return { ...nothing, followed, progress };
}

const noNeighbours = { previous: null, next: null };

/** A version that is replaced while it is read is read once more. */
export async function readEssay(ctx: Ctx, id: string): Promise<Essay> {
  try {
    return await readOnce(ctx, id);
  } catch (error) {
    if (error instanceof CallError && error.code === 'UNAVAILABLE') return readOnce(ctx, id);
    throw error;
  }
}

async function readOnce(ctx: Ctx, id: string): Promise<Essay> {
  const card = await findCard(ctx.db, id);
  const essay = queries.present(card?.essay);
  if (card === null) throw queries.noEssay();
  shows(ctx, `essay:${id}`, `user:${essay.authorId}`);
  const isWhole = await mayReadAll(ctx, essay);
  const isShelved = essay.status === ON_SHELF && essay.publishedAt !== null;
  const [text, files, column, neighbours, mine, { showRegion }] = await Promise.all([
    essay.status === ON_SHELF ? findShelved(ctx, essay, isWhole) : findUnshelved(ctx, essay, isWhole),
    listFiles(ctx, essay.attachments),
    findColumnPlace(ctx, essay),
    isShelved
      ? findNeighbours(ctx.db, { ...essay, publishedAt: essay.publishedAt ?? ctx.now })
      : noNeighbours,
    listMine(ctx, essay),
    getSiteSettings(ctx),
  ]);
  return {
    ...toCard(card, ctx.now),
    html: atBase(text.html, ctx.services.config.basePath),
    toc: text.toc,
    attachments: files,
    column,
    ...neighbours,
    locked: isWhole ? null : lockOf(essay),
    previewPercent: essay.previewPercent,
    allowComment: essay.allowComment,
    declaration: essay.declaration,
    source: essay.source,
    region: showRegion ? essay.region : '',
    hasMath: text.hasMath,
    hasDiagrams: text.hasDiagrams,
    mine,
    can: { edit: isAuthor(ctx.viewer, essay), audit: canAudit(ctx.viewer) },
  };
}

/** What the editor opens. */
export async function readSource(ctx: Ctx, viewer: Viewer, id: string): Promise<EssaySource> {
  const essay = await queries.getEssay(ctx.db, id);
  requireAuthor(viewer, essay);
  const { content, fields, updatedAt } = await queries.getRevision(ctx.db, id, essay.version);
  const rejection = await findRejection(ctx, essay);
  return {
    ...fields,
    content,
    id,
    version: essay.version,
    status: essay.status,
    revision: essay.revisionStatus,
    shelvedVersion: essay.shelvedVersion,
    files: await listFiles(ctx, fields.attachments),
    rejection: rejection === null ? null : { ...rejection, createdAt: rejection.createdAt.toISOString() },
    updatedAt: updatedAt.toISOString(),
  };
}

export const toCards = (ctx: Ctx, rows: CardRow[]) =>
  rows.map((row) => {
    shows(ctx, `essay:${row.essay.id}`, `user:${row.essay.authorId}`);
    return toCard(row, ctx.now);
  });
