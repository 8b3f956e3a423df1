import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import type { Attachment, Essay, EssaySource } from '@mozhan/contract/essays.ts';
import { type Ctx, shows, type Viewer } from '../../../../ctx.ts';
import { createLookup } from '../../../../db/lookup.ts';
import { findFollow } from '../../../accounts/users/index.ts';
import { getSiteSettings } from '../../../platform/settings/index.ts';
import { listAttachments } from '../../../platform/uploads/index.ts';
import * as queries from '../queries/essays.ts';
import type { CardRow } from '../queries/lists.ts';
import { findBought, findMarks } from '../queries/marks.ts';
import { findUser } from '../queries/people.ts';
import { findProgress } from '../queries/reads.ts';
import { createShownQuery, type ShownRow } from '../queries/shown.ts';
import { canAudit, canReadAll, canSee, isAuthor, lockOf, noEssay } from '../rules/essays.ts';
import type { EssayRow, TextRow } from '../tables.ts';
import { atBase, toCard } from '../views/essays.ts';
import { preview } from './hand-in.ts';
import { requireAuthor } from './save.ts';
import { findRejection } from './status.ts';

async function isMember(ctx: Ctx, essay: EssayRow): Promise<boolean> {
  if (ctx.viewer === null || !essay.memberFree) return false;
  const memberUntil = (await findUser(ctx.db, ctx.viewer.id))?.memberUntil ?? null;
  return memberUntil !== null && memberUntil > ctx.now;
}

const isBought = async ({ db, viewer }: Ctx, essay: EssayRow): Promise<boolean> =>
  viewer !== null && (await findBought(db, viewer.id, essay));

/** How the viewer stands to an essay: whether they may read all of it, and whether it is what they once bought. */
interface Standing {
  mayReadAll: boolean;
  isKeepsake: boolean;
}

/** One that may not even be seen is not there. */
async function standingOf(ctx: Ctx, essay: EssayRow): Promise<Standing> {
  const { viewer } = ctx;
  if (essay.status === ESSAY_STATUS.onShelf) {
    const isOpen = canReadAll(viewer, essay, { isMember: false, isBought: false });
    const has = isOpen
      ? { isMember: false, isBought: false }
      : { isMember: await isMember(ctx, essay), isBought: await isBought(ctx, essay) };
    return { mayReadAll: isOpen || canReadAll(viewer, essay, has), isKeepsake: false };
  }
  // What nobody has audited is for its author and for the audit.
  if (isAuthor(viewer, essay) || canAudit(viewer)) return { mayReadAll: true, isKeepsake: false };
  if (essay.shelvedVersion !== null && (await isBought(ctx, essay)))
    return { mayReadAll: true, isKeepsake: true };
  if (!canSee(viewer, essay)) throw noEssay();
  return { mayReadAll: false, isKeepsake: false };
}

/** As it was on the shelf: what its author has written since is no business of those who bought it. */
async function asShelved(ctx: Ctx, essay: EssayRow): Promise<EssayRow> {
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
    summary: text?.summary ?? fields.summary,
  };
}

/** An essay that the viewer may see, as they may see it, and whether all of its text. */
export async function getReadable(ctx: Ctx, id: string): Promise<{ essay: EssayRow; mayReadAll: boolean }> {
  const essay = await queries.getEssay(ctx.db, id);
  const { mayReadAll, isKeepsake } = await standingOf(ctx, essay);
  return { essay: isKeepsake ? await asShelved(ctx, essay) : essay, mayReadAll };
}

type Shown = Pick<TextRow, 'html' | 'toc' | 'hasMath' | 'hasDiagrams'>;

const NO_TEXT: Shown = { html: '', toc: [], hasMath: false, hasDiagrams: false };

/** Of what is on the shelf: what everyone may read, or all of it for those who may. */
async function findShelved(ctx: Ctx, { essay, text }: ShownRow, isWhole: boolean): Promise<Shown> {
  if (text === null) return NO_TEXT;
  const whole = isWhole ? await queries.findLockedText(ctx.db, essay.id, text.version) : null;
  return whole === null ? text : { ...text, html: whole.html, toc: whole.toc };
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

export async function listFiles(ctx: Ctx, ids: string[]): Promise<Attachment[]> {
  if (ids.length === 0) return [];
  const byId = new Map((await listAttachments(ctx.db, ids)).map((file) => [file.id, file]));
  return ids.flatMap((id) => {
    const file = byId.get(id);
    return file === undefined ? [] : [{ id, name: file.name, bytes: file.bytes, type: file.type }];
  });
}

function columnPlace(ctx: Ctx, { essay, column, inColumn }: ShownRow): Essay['column'] {
  if (essay.columnId === null || essay.status !== ESSAY_STATUS.onShelf) return null;
  shows(ctx, `column:${essay.columnId}`);
  return (
    column && { id: column.id, name: column.name, price: column.price, count: column.essayCount, ...inColumn }
  );
}

async function listMine(ctx: Ctx, essay: EssayRow): Promise<Essay['mine']> {
  const nothing = {
    liked: false,
    collected: false,
    folderId: null,
    bought: false,
    followed: false,
    progress: 0,
  };
  if (ctx.viewer === null) return nothing;
  const [followed, progress, marks] = await Promise.all([
    findFollow(ctx.db, ctx.viewer.id, essay.authorId),
    findProgress(ctx.db, ctx.viewer.id, essay.id),
    findMarks(ctx.db, ctx.viewer.id, essay),
  ]);
  return { ...nothing, ...marks, collected: marks.folderId !== null, followed, progress };
}

const noNeighbours = { previous: null, next: null };

const findShown = createLookup((db) => {
  const list = createShownQuery(db);
  return async (ids) => new Map((await list(ids)).map((row) => [row.essay.id, row]));
});

export async function readEssay(ctx: Ctx, id: string): Promise<Essay> {
  const [row, { showRegion }] = await Promise.all([findShown(ctx, id), getSiteSettings(ctx)]);
  const present = queries.present(row?.essay);
  if (row === null) throw noEssay();
  shows(ctx, `essay:${id}`, `user:${present.authorId}`);
  const { mayReadAll: isWhole, isKeepsake } = await standingOf(ctx, present);
  const essay = isKeepsake ? await asShelved(ctx, present) : present;
  const category = essay.categoryId === present.categoryId ? row.category : null;
  const isShelved = essay.status === ESSAY_STATUS.onShelf;
  const [text, files, mine] = await Promise.all([
    isShelved || isKeepsake ? findShelved(ctx, row, isWhole) : findUnshelved(ctx, essay, isWhole),
    listFiles(ctx, essay.attachments),
    listMine(ctx, essay),
  ]);
  return {
    ...toCard({ ...row, essay, category }, ctx.now),
    coverSize: essay.cover === present.cover ? row.coverSize : null,
    html: atBase(text.html, ctx.services.config),
    toc: text.toc,
    attachments: files,
    column: columnPlace(ctx, row),
    ...(isShelved ? { previous: row.previous, next: row.next } : noNeighbours),
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

/** How often a text is looked for that is written over again and again in the same moment. */
const ATTEMPTS = 10;

async function getNewest(ctx: Ctx, viewer: Viewer, id: string) {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const essay = await queries.getEssay(ctx.db, id);
    requireAuthor(viewer, essay);
    const revision = await queries.findRevision(ctx.db, id, essay.version);
    if (revision !== null) return { essay, revision };
  }
  throw new CallError('UNAVAILABLE', { retryAfter: 1 });
}

/** What the editor opens. */
export async function readSource(ctx: Ctx, viewer: Viewer, id: string): Promise<EssaySource> {
  const { essay, revision } = await getNewest(ctx, viewer, id);
  const { content, fields, updatedAt } = revision;
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
