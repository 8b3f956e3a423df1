import type * as calls from '@mozhan/contract/comments.ts';
import type { Comment, Reply, StaffComment } from '@mozhan/contract/comments.ts';
import type { Page } from '@mozhan/contract/common.ts';
import { MAX_QUOTE_LENGTH } from '@mozhan/contract/highlight-colors.ts';
import type { z } from 'zod';
import type { Ctx } from '../../../../ctx.ts';
import { mapPage } from '../../../../db/page.ts';
import { getSiteSettings } from '../../../platform/settings/index.ts';
import { findPassages, getReadableEssay, listThoughtIds } from '../../essays/index.ts';
import type { EssayRow } from '../../essays/tables.ts';
import { commentNotFound, getComment } from '../queries/comments.ts';
import { listLikedIds } from '../queries/likes.ts';
import * as queries from '../queries/lists.ts';
import { canRead, isListed } from '../rules.ts';
import type { CommentRow } from '../tables.ts';
import { type ListContext, toComment, toReply, toStaffComment } from '../views.ts';

const FIRST_REPLIES = 3;

interface ReadableEssay {
  essay: EssayRow;
  mayReadAll: boolean;
}

async function getListContext(
  ctx: Ctx,
  { essay, mayReadAll }: ReadableEssay,
  rows: queries.CommentListRow[],
  hiddenCounts: queries.HiddenCounts = new Map(),
): Promise<ListContext> {
  const ids = rows.map((row) => row.comment.id);
  // Sequential, because a transaction has only one connection.
  const { showRegion } = await getSiteSettings(ctx);
  const liked = ctx.viewer === null ? new Set<string>() : await listLikedIds(ctx.db, ctx.viewer.id, ids);
  const isQuoteHidden = !mayReadAll && rows.some(({ quoted }) => quoted !== null);
  const isStale = isQuoteHidden && (await findPassages(ctx.db, essay.id)).isStale;
  return { essay, showRegion, liked, hiddenCounts, access: { mayReadAll, isStale } };
}

/** Adds the first replies to each comment, and `extraReply` even if it is not among the first. */
async function withReplies(
  ctx: Ctx,
  readable: ReadableEssay,
  rows: queries.CommentListRow[],
  { viewerFilter, hiddenCounts }: { viewerFilter: queries.ViewerFilter; hiddenCounts: queries.HiddenCounts },
  extraReply?: queries.CommentListRow,
): Promise<Comment[]> {
  // A signed-in viewer may have held replies, which `replyCount` does not include.
  const rootIds = rows.flatMap(({ comment }) =>
    comment.replyCount > 0 || viewerFilter.viewerId !== null ? [comment.id] : [],
  );
  const first = await queries.listFirstReplies(ctx.db, { rootIds, each: FIRST_REPLIES, viewerFilter });
  const repliesOf = ({ comment }: queries.CommentListRow) => {
    const replies = first.get(comment.id) ?? [];
    const isThere =
      extraReply === undefined || replies.some((each) => each.comment.id === extraReply.comment.id);
    return isThere ? replies : [...replies, extraReply];
  };
  const context = await getListContext(ctx, readable, [...rows, ...rows.flatMap(repliesOf)], hiddenCounts);
  return rows.map((row) => toComment(ctx, row, repliesOf(row), context));
}

export async function listComments(
  ctx: Ctx,
  { essayId, id, ...query }: z.output<typeof calls.listComments.input>,
): Promise<Page<Comment>> {
  const [readable, viewerFilter] = await Promise.all([
    getReadableEssay(ctx, essayId),
    queries.getViewerFilter(ctx.db, ctx.viewer?.id ?? null),
  ]);
  if (id !== undefined) {
    const comment = await findThread(ctx, readable, id, viewerFilter);
    return { list: [comment], total: 1, page: 1, pageSize: query.pageSize, next: null };
  }
  const hiddenCounts = await queries.countHidden(ctx.db, essayId, viewerFilter);
  const page = await queries.listComments(ctx.db, { ...query, essayId, viewerFilter, hiddenCounts });
  return { ...page, list: await withReplies(ctx, readable, page.list, { viewerFilter, hiddenCounts }) };
}

/** Finds the comment with this id, or the comment that the reply with this id belongs to. */
async function findThread(
  ctx: Ctx,
  readable: ReadableEssay,
  id: string,
  viewerFilter: queries.ViewerFilter,
): Promise<Comment> {
  const { essay } = readable;
  const found = await queries.findListRow(ctx.db, id);
  if (found === null || found.comment.essayId !== essay.id) throw commentNotFound();
  const { rootId } = found.comment;
  const root = rootId === null ? found : await queries.findListRow(ctx.db, rootId);
  if (root === null || !(isListed(root.comment) || canRead(ctx.viewer, root.comment)))
    throw commentNotFound();
  const isBlocked = ({ userId }: CommentRow) => userId !== null && viewerFilter.blocked.includes(userId);
  if (isBlocked(root.comment)) throw commentNotFound();
  const isShown = canRead(ctx.viewer, found.comment) && !isBlocked(found.comment);
  const [comment] = await withReplies(
    ctx,
    readable,
    [root],
    { viewerFilter, hiddenCounts: await queries.countHidden(ctx.db, essay.id, viewerFilter) },
    rootId !== null && isShown ? found : undefined,
  );
  if (comment === undefined) throw commentNotFound();
  return comment;
}

export async function getThread(ctx: Ctx, id: string): Promise<Comment> {
  const { essayId } = await getComment(ctx.db, id);
  const readable = await getReadableEssay(ctx, essayId);
  return findThread(ctx, readable, id, await queries.getViewerFilter(ctx.db, ctx.viewer?.id ?? null));
}

export async function getReply(ctx: Ctx, id: string): Promise<Reply> {
  const row = await queries.findListRow(ctx.db, id);
  if (row === null) throw commentNotFound();
  const readable = await getReadableEssay(ctx, row.comment.essayId);
  return toReply(ctx, row, await getListContext(ctx, readable, [row]));
}

export async function getCommentOrReply(ctx: Ctx, id: string): Promise<Comment | Reply> {
  const { rootId } = await getComment(ctx.db, id);
  return rootId === null ? getThread(ctx, id) : getReply(ctx, id);
}

export async function listReplies(
  ctx: Ctx,
  { cmtId, ...query }: z.output<typeof calls.listReplies.input>,
): Promise<Page<Reply>> {
  const root = await getComment(ctx.db, cmtId);
  const [readable, viewerFilter] = await Promise.all([
    getReadableEssay(ctx, root.essayId),
    queries.getViewerFilter(ctx.db, ctx.viewer?.id ?? null),
  ]);
  if (root.rootId !== null || !(isListed(root) || canRead(ctx.viewer, root))) throw commentNotFound();
  const hiddenCounts = await queries.countHidden(ctx.db, root.essayId, viewerFilter);
  const page = await queries.listReplies(ctx.db, { ...query, root, viewerFilter, hiddenCounts });
  const context = await getListContext(ctx, readable, page.list);
  return mapPage(page, (row) => toReply(ctx, row, context));
}

/** Public thoughts about a passage. */
export async function listThoughts(
  ctx: Ctx,
  { essayId, start, end }: z.output<typeof calls.listThoughts.input>,
): Promise<{ list: Comment[] }> {
  const [readable, viewerFilter] = await Promise.all([
    getReadableEssay(ctx, essayId),
    queries.getViewerFilter(ctx.db, ctx.viewer?.id ?? null),
  ]);
  const ids = await listThoughtIds(ctx.db, { essayId, start, end, maxLength: MAX_QUOTE_LENGTH });
  if (ids.length === 0) return { list: [] };
  const rows = await queries.listVisibleByIds(ctx.db, ids, viewerFilter);
  const hiddenCounts = await queries.countHidden(ctx.db, essayId, viewerFilter);
  return { list: await withReplies(ctx, readable, rows, { viewerFilter, hiddenCounts }) };
}

export async function listForStaff(
  ctx: Ctx,
  query: z.output<typeof calls.listStaffComments.input>,
): Promise<Page<StaffComment>> {
  return mapPage(await queries.listForStaff(ctx.db, query), (row) => toStaffComment(ctx, row));
}

export async function getStaffComment(ctx: Ctx, id: string): Promise<StaffComment> {
  const row = await queries.findForStaff(ctx.db, id);
  if (row === null) throw commentNotFound();
  return toStaffComment(ctx, row);
}
