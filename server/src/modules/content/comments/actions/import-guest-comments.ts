import { COMMENT_STATUS } from '@mozhan/contract/enums.ts';
import { type Ctx, inTransaction } from '../../../../ctx.ts';
import { newPastId } from '../../../../db/id.ts';
import { type Prepared, prepareThenRun } from '../../../../prepared.ts';
import { screenText } from '../../../platform/sensitive-words/index.ts';
import { addToEssayCounters } from '../../essays/index.ts';
import * as queries from '../queries/comments.ts';
import * as imports from '../queries/imported-comments.ts';
import { cleanGuestName, cleanGuestSite, isListed } from '../rules.ts';
import type { CommentRow } from '../tables.ts';
import { flattenThreads } from '../threads.ts';
import { tryPrepareText } from './import-comments.ts';
import type { PreparedComment } from './prepare.ts';

const MAX_LENGTH = 10_000;

/** A comment of another system. Its e-mail address is never handed over. */
export interface GuestComment {
  /** Its id there, unique within the source. */
  foreignId: string;
  parentId: string | null;
  name: string;
  site: string;
  /** A user of this site who wrote it there; they are the writer instead of a guest. */
  userId?: string | null;
  /** Markdown. */
  content: string;
  state: 'approved' | 'pending' | 'spam' | 'trash';
  createdAt: Date;
}

interface GuestImport {
  essayId: string;
  /** Names the site that the comments come from; the same in every import of that site. */
  source: string;
  transferId: string;
  /** No imported comment gets a later time. */
  importedAt: Date;
  comments: readonly GuestComment[];
}

interface GuestImportResult {
  /** Includes held ones. */
  created: number;
  held: number;
  /** Imported before, even if they were deleted since. */
  existing: number;
  /** Spam and comments from the trash. */
  spam: number;
  /** Empty, too long, with refused words, or twice in the source. */
  refused: number;
}

interface PreparedGuest extends GuestComment {
  text: PreparedComment;
  guestName: string;
}

const isSpam = ({ state }: GuestComment): boolean => state === 'spam' || state === 'trash';

const isUsable = ({ content }: GuestComment): boolean =>
  content.trim() !== '' && [...content].length <= MAX_LENGTH;

/** A name with a masked word is masked; other sensitive words hold or refuse the comment. */
async function prepareOne(ctx: Ctx, comment: GuestComment): Promise<PreparedGuest | null> {
  const name = await screenText(ctx, cleanGuestName(comment.name));
  if (name.level === 'refuse' || !isUsable(comment)) return null;
  const text = await tryPrepareText(ctx, null, { content: comment.content.trim(), mentions: [] });
  if (text === null) return null;
  const isHeld = comment.state === 'pending' || name.level === 'hold';
  return {
    ...comment,
    guestName: name.masked,
    text: {
      ...text,
      status: isHeld ? COMMENT_STATUS.held : text.status,
      words: [...new Set([...text.words, ...name.words])],
    },
  };
}

interface Target {
  id: string;
  userId: string | null;
}

function toRow(
  { essayId, importedAt }: GuestImport,
  comment: PreparedGuest,
  order: number,
  thread: { root: Target; parent: Target } | null,
): CommentRow {
  const { userId = null, text, guestName, site } = comment;
  const createdAt = new Date(Math.max(0, Math.min(comment.createdAt.getTime(), importedAt.getTime())));
  const named = thread === null || thread.parent.id === thread.root.id ? null : thread.parent;
  return {
    ...text,
    id: newPastId(createdAt.getTime(), order),
    essayId,
    rootId: thread?.root.id ?? null,
    userId,
    guestName: userId === null ? guestName : null,
    guestSite: userId === null ? cleanGuestSite(site) : '',
    replyToUserId: named?.userId ?? null,
    replyToGuestId: named !== null && named.userId === null ? named.id : null,
    highlightId: null,
    region: '',
    pinned: false,
    likeCount: 0,
    replyCount: 0,
    createdAt,
    editedAt: null,
  };
}

interface NewRow {
  foreignId: string;
  row: CommentRow;
}

/** Attaches every comment to the root of its thread, which may have been imported before. */
function toRows(
  given: GuestImport,
  prepared: ReadonlyMap<string, PreparedGuest>,
  existing: ReadonlyMap<string, imports.ImportedRow>,
): NewRow[] {
  const rows = new Map<string, imports.ImportedRow>(existing);
  const added: NewRow[] = [];
  const byId = new Map([...existing.values()].map((row) => [row.id, row]));
  const inOrder = [...given.comments].sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime());
  const orders = new Map(inOrder.map(({ foreignId }, order) => [foreignId, order]));
  flattenThreads(inOrder, (comment, parentId) => {
    if (rows.has(comment.foreignId)) return true;
    const ready = prepared.get(comment.foreignId);
    if (ready === undefined) return false;
    const parent = parentId === null ? undefined : rows.get(parentId);
    const root = parent === undefined ? undefined : parent.rootId === null ? parent : byId.get(parent.rootId);
    const thread = parent === undefined || root === undefined ? null : { root, parent };
    const row = toRow(given, ready, orders.get(comment.foreignId) ?? 0, thread);
    rows.set(comment.foreignId, row);
    byId.set(row.id, row);
    added.push({ foreignId: comment.foreignId, row });
    return true;
  });
  return added;
}

/** By how many visible replies the roots grow. */
function countNewReplies(rows: CommentRow[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { rootId, status } of rows)
    if (rootId !== null && status === COMMENT_STATUS.visible)
      counts.set(rootId, (counts.get(rootId) ?? 0) + 1);
  return counts;
}

async function insertAll(
  ctx: Ctx,
  given: GuestImport,
  added: NewRow[],
  roots: imports.ImportedRow[],
): Promise<void> {
  const { essayId, source, transferId } = given;
  const rows = added.map(({ row }) => row);
  const grown = countNewReplies(rows);
  for (const row of rows) row.replyCount = grown.get(row.id) ?? 0;
  await queries.insertComments(ctx.db, rows);
  await imports.insertImported(
    ctx.db,
    added.map(({ foreignId, row }) => ({ essayId, source, foreignId, commentId: row.id, transferId })),
  );
  const before = roots.filter(({ id }) => grown.has(id));
  await imports.addReplyCounts(
    ctx.db,
    before.map(({ id }) => ({ id, count: grown.get(id) ?? 0 })),
  );
  const listed =
    rows.filter((row) => row.rootId === null && isListed(row)).length +
    before.filter((root) => !isListed(root)).length;
  await queries.addToCommentCount(ctx.db, essayId, listed);
  const cmts = rows.filter(({ status }) => status === COMMENT_STATUS.visible).length;
  if (cmts > 0) await addToEssayCounters(ctx, [{ essayId, cmts }]);
}

/** Screens and renders the comments that were not imported yet. */
async function prepareNew(
  ctx: Ctx,
  comments: readonly GuestComment[],
  known: ReadonlyMap<string, unknown>,
): Promise<Map<string, PreparedGuest>> {
  const prepared = new Map<string, PreparedGuest>();
  for (const comment of comments) {
    if (known.has(comment.foreignId) || prepared.has(comment.foreignId) || isSpam(comment)) continue;
    const ready = await prepareOne(ctx, comment);
    if (ready !== null) prepared.set(comment.foreignId, ready);
  }
  return prepared;
}

/**
 * Imports the comments of one essay from another system, without notices and trends. Threads of any depth become two
 * levels; a reply to a comment that is left out moves to the next one above it. Comments that were imported before are
 * not imported again.
 */
export async function prepareGuestComments(
  ctx: Ctx,
  given: GuestImport,
): Promise<Prepared<GuestImportResult>> {
  const { essayId, source, comments } = given;
  const prepared = await prepareNew(ctx, comments, await imports.listImported(ctx.db, essayId, source));
  return (ctx) =>
    inTransaction(ctx, async (ctx) => {
      await queries.lockEssay(ctx.db, essayId);
      const known = await imports.listImported(ctx.db, essayId, source);
      const fresh = new Map([...prepared].filter(([foreignId]) => !known.has(foreignId)));
      const existing = fresh.size === 0 ? new Map() : await imports.listImportedRows(ctx.db, essayId, source);
      const added = fresh.size === 0 ? [] : toRows(given, fresh, existing);
      if (added.length > 0) await insertAll(ctx, given, added, [...existing.values()]);
      const held = added.filter(({ row }) => row.status === COMMENT_STATUS.held).length;
      const spam = comments.filter(isSpam).length;
      const before = comments.filter((each) => !isSpam(each) && known.has(each.foreignId)).length;
      return {
        created: added.length,
        held,
        existing: before,
        spam,
        refused: comments.length - added.length - spam - before,
      };
    });
}

export const importGuestComments = prepareThenRun(prepareGuestComments);
