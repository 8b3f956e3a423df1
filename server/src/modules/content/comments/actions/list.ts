import type * as calls from '@mozhan/contract/comments.ts';
import type { Comment, Reply, StaffComment } from '@mozhan/contract/comments.ts';
import type { Page } from '@mozhan/contract/common.ts';
import type { z } from 'zod';
import type { Ctx } from '../../../../ctx.ts';
import { mapPage } from '../../../../db/page.ts';
import { getSiteSettings } from '../../../platform/settings/index.ts';
import { getReadable } from '../../essays/index.ts';
import type { EssayRow } from '../../essays/tables.ts';
import { getComment, noComment } from '../queries/comments.ts';
import { listLiked } from '../queries/likes.ts';
import * as queries from '../queries/lists.ts';
import { canRead, isListed } from '../rules.ts';
import { type Setting, toComment, toReply, toStaffComment } from '../views.ts';

/** Replies that come with their comment. */
const FIRST = 3;

async function settingOf(
  ctx: Ctx,
  essay: EssayRow,
  rows: queries.SaidRow[],
  unseen: queries.Unseen = new Map(),
): Promise<Setting> {
  const ids = rows.map((row) => row.comment.id);
  // One after the other: it may be in a transaction, which has one connection.
  const { showRegion } = await getSiteSettings(ctx);
  const liked = ctx.viewer === null ? new Set<string>() : await listLiked(ctx.db, ctx.viewer.id, ids);
  return { essay, showRegion, liked, unseen };
}

/** Comments as they are shown, with the first replies of each; `also`: a reply that is wanted whatever its place. */
async function withReplies(
  ctx: Ctx,
  essay: EssayRow,
  rows: queries.SaidRow[],
  { eyes, unseen }: { eyes: queries.Eyes; unseen: queries.Unseen },
  also?: queries.SaidRow,
): Promise<Comment[]> {
  // What has no replies is not looked at for some, but the viewer's own may wait there.
  const rootIds = rows.flatMap(({ comment }) =>
    comment.replyCount > 0 || eyes.viewerId !== null ? [comment.id] : [],
  );
  const first = await queries.listFirstReplies(ctx.db, { rootIds, each: FIRST, eyes });
  const repliesOf = ({ comment }: queries.SaidRow) => {
    const replies = first.get(comment.id) ?? [];
    const isThere = also === undefined || replies.some((each) => each.comment.id === also.comment.id);
    return isThere ? replies : [...replies, also];
  };
  const setting = await settingOf(ctx, essay, [...rows, ...rows.flatMap(repliesOf)], unseen);
  return rows.map((row) => toComment(ctx, row, repliesOf(row), setting));
}

export async function listComments(
  ctx: Ctx,
  { essayId, id, ...query }: z.output<typeof calls.listComments.input>,
): Promise<Page<Comment>> {
  const [{ essay }, eyes] = await Promise.all([
    getReadable(ctx, essayId),
    queries.findEyes(ctx.db, ctx.viewer?.id ?? null),
  ]);
  if (id !== undefined) {
    const comment = await findThread(ctx, essay, id, eyes);
    return { list: [comment], total: 1, page: 1, pageSize: query.pageSize, next: null };
  }
  const unseen = await queries.countUnseen(ctx.db, essayId, eyes);
  const page = await queries.listComments(ctx.db, { ...query, essayId, eyes, unseen });
  return { ...page, list: await withReplies(ctx, essay, page.list, { eyes, unseen }) };
}

/** The comment of that id, or that of the reply. */
async function findThread(ctx: Ctx, essay: EssayRow, id: string, eyes: queries.Eyes): Promise<Comment> {
  const found = await queries.findSaid(ctx.db, id);
  if (found === null || found.comment.essayId !== essay.id) throw noComment();
  const { rootId } = found.comment;
  const root = rootId === null ? found : await queries.findSaid(ctx.db, rootId);
  if (root === null || !(isListed(root.comment) || canRead(ctx.viewer, root.comment))) throw noComment();
  if (eyes.blocked.includes(root.comment.userId)) throw noComment();
  const isShown = canRead(ctx.viewer, found.comment) && !eyes.blocked.includes(found.comment.userId);
  const [comment] = await withReplies(
    ctx,
    essay,
    [root],
    { eyes, unseen: await queries.countUnseen(ctx.db, essay.id, eyes) },
    rootId !== null && isShown ? found : undefined,
  );
  if (comment === undefined) throw noComment();
  return comment;
}

/** A comment that was just written or changed. */
export async function showThread(ctx: Ctx, id: string): Promise<Comment> {
  const { essayId } = await getComment(ctx.db, id);
  const { essay } = await getReadable(ctx, essayId);
  return findThread(ctx, essay, id, await queries.findEyes(ctx.db, ctx.viewer?.id ?? null));
}

export async function showReply(ctx: Ctx, id: string): Promise<Reply> {
  const row = await queries.findSaid(ctx.db, id);
  if (row === null) throw noComment();
  const { essay } = await getReadable(ctx, row.comment.essayId);
  return toReply(ctx, row, await settingOf(ctx, essay, [row]));
}

export async function showSaid(ctx: Ctx, id: string): Promise<Comment | Reply> {
  const { rootId } = await getComment(ctx.db, id);
  return rootId === null ? showThread(ctx, id) : showReply(ctx, id);
}

export async function listReplies(
  ctx: Ctx,
  { cmtId, ...query }: z.output<typeof calls.listReplies.input>,
): Promise<Page<Reply>> {
  const root = await getComment(ctx.db, cmtId);
  const [{ essay }, eyes] = await Promise.all([
    getReadable(ctx, root.essayId),
    queries.findEyes(ctx.db, ctx.viewer?.id ?? null),
  ]);
  if (root.rootId !== null || !(isListed(root) || canRead(ctx.viewer, root))) throw noComment();
  const unseen = await queries.countUnseen(ctx.db, root.essayId, eyes);
  const page = await queries.listReplies(ctx.db, { ...query, root, eyes, unseen });
  const setting = await settingOf(ctx, essay, page.list);
  return mapPage(page, (row) => toReply(ctx, row, setting));
}

export async function listForStaff(
  ctx: Ctx,
  query: z.output<typeof calls.listStaffComments.input>,
): Promise<Page<StaffComment>> {
  return mapPage(await queries.listForStaff(ctx.db, query), (row) => toStaffComment(ctx, row));
}

export async function showToStaff(ctx: Ctx, id: string): Promise<StaffComment> {
  const row = await queries.findForStaff(ctx.db, id);
  if (row === null) throw noComment();
  return toStaffComment(ctx, row);
}
