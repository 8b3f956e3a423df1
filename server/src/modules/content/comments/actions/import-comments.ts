import { COMMENT_STATUS } from '@mozhan/contract/enums.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import { type Ctx, inTransaction, type Viewer } from '../../../../ctx.ts';
import type { Prepared } from '../../../../prepared.ts';
import { addToEssayCounters } from '../../essays/index.ts';
import * as queries from '../queries/comments.ts';
import { cleanGuestName, cleanGuestSite, isListed } from '../rules.ts';
import type { CommentRow } from '../tables.ts';
import { type PreparedComment, prepareCommentText } from './prepare.ts';

/** The writer of a comment who has no account here. */
export interface ImportedGuest {
  name: string;
  site: string;
}

/** A comment of another installation, written by a user who exists here or by a guest. */
export interface ImportedComment
  extends Pick<
    CommentRow,
    | 'id'
    | 'essayId'
    | 'rootId'
    | 'replyToUserId'
    | 'replyToGuestId'
    | 'status'
    | 'content'
    | 'mentions'
    | 'region'
    | 'pinned'
    | 'createdAt'
    | 'editedAt'
  > {
  writer: Viewer | ImportedGuest;
}

const DELETED_COMMENT: PreparedComment = {
  status: COMMENT_STATUS.deleted,
  content: '',
  masked: null,
  html: '',
  words: [],
  mentions: [],
};

const toWriterFields = (writer: ImportedComment['writer'], status: CommentRow['status']) => {
  if ('id' in writer) return { userId: writer.id, guestName: null, guestSite: '' };
  // A tombstone has no name.
  if (status === COMMENT_STATUS.deleted) return { userId: null, guestName: '', guestSite: '' };
  return { userId: null, guestName: cleanGuestName(writer.name), guestSite: cleanGuestSite(writer.site) };
};

/** Returns null if the comment contains refused words or cannot be rendered. */
export async function tryPrepareText(
  ctx: Ctx,
  writer: Viewer | null,
  draft: Pick<CommentRow, 'content' | 'mentions'>,
): Promise<PreparedComment | null> {
  try {
    return await prepareCommentText(ctx, writer, draft);
  } catch (error) {
    if (error instanceof CallError && ['WORDS_REFUSED', 'INVALID'].includes(error.code)) return null;
    throw error;
  }
}

async function prepareOne(ctx: Ctx, { writer, ...given }: ImportedComment): Promise<CommentRow | null> {
  const prepared =
    given.status === COMMENT_STATUS.deleted
      ? DELETED_COMMENT
      : await tryPrepareText(ctx, 'id' in writer ? writer : null, given);
  if (prepared === null) return null;
  const status = given.status === COMMENT_STATUS.visible ? prepared.status : given.status;
  const pinned = given.pinned && given.rootId === null && status === COMMENT_STATUS.visible;
  return {
    ...given,
    ...prepared,
    ...toWriterFields(writer, status),
    highlightId: null,
    status,
    pinned,
    likeCount: 0,
    replyCount: 0,
  };
}

/** Imports complete threads of one essay without sending notices. Resolves to the number of imported comments. */
export async function prepareImportedComments(ctx: Ctx, given: ImportedComment[]): Promise<Prepared<number>> {
  const rows = new Map<string, CommentRow>();
  for (const each of given) {
    const root = each.rootId === null ? null : rows.get(each.rootId);
    const row = root === undefined ? null : await prepareOne(ctx, each);
    if (row === null) continue;
    if (row.replyToGuestId !== null && !rows.has(row.replyToGuestId)) row.replyToGuestId = null;
    rows.set(row.id, row);
    if (root && row.status === COMMENT_STATUS.visible) root.replyCount += 1;
  }
  const all = [...rows.values()];
  return (ctx) =>
    inTransaction(ctx, async (ctx) => {
      const [first] = all;
      if (first === undefined) return 0;
      const { essayId } = first;
      await queries.lockEssay(ctx.db, essayId);
      await queries.insertComments(ctx.db, all);
      await queries.addToCommentCount(
        ctx.db,
        essayId,
        all.filter((row) => row.rootId === null && isListed(row)).length,
      );
      const cmts = all.filter(({ status }) => status === COMMENT_STATUS.visible).length;
      if (cmts > 0) await addToEssayCounters(ctx, [{ essayId, cmts }]);
      return all.length;
    });
}
