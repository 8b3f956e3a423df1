import { COMMENT_STATUS } from '@mozhan/contract/enums.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import { type Ctx, inTx, type Viewer } from '../../../../ctx.ts';
import type { Prepared as Rest } from '../../../../prepared.ts';
import { addToEssays } from '../../essays/index.ts';
import * as queries from '../queries/comments.ts';
import { isListed } from '../rules.ts';
import type { CommentRow } from '../tables.ts';
import { type Prepared, prepare } from './prepare.ts';

/** What was said elsewhere, by somebody who is here. */
export interface BroughtComment
  extends Pick<
    CommentRow,
    | 'id'
    | 'essayId'
    | 'rootId'
    | 'replyToUserId'
    | 'status'
    | 'content'
    | 'mentions'
    | 'region'
    | 'pinned'
    | 'createdAt'
    | 'editedAt'
  > {
  writer: Viewer;
}

const GONE: Prepared = {
  status: COMMENT_STATUS.deleted,
  content: '',
  masked: null,
  html: '',
  words: [],
  mentions: [],
};

/** Null: it may not be said here, or cannot be laid out. */
async function prepareOne(ctx: Ctx, { writer, ...given }: BroughtComment): Promise<CommentRow | null> {
  try {
    const prepared = given.status === COMMENT_STATUS.deleted ? GONE : await prepare(ctx, writer, given);
    const status = given.status === COMMENT_STATUS.shown ? prepared.status : given.status;
    const pinned = given.pinned && given.rootId === null && status === COMMENT_STATUS.shown;
    return { ...given, ...prepared, userId: writer.id, status, pinned, likeCount: 0, replyCount: 0 };
  } catch (error) {
    if (error instanceof CallError && ['WORDS_REFUSED', 'INVALID'].includes(error.code)) return null;
    throw error;
  }
}

/** Whole threads of one essay, as they were said then: counted, told to nobody. Answers how many came in. */
export async function prepareBroughtComments(ctx: Ctx, given: BroughtComment[]): Promise<Rest<number>> {
  const rows = new Map<string, CommentRow>();
  for (const each of given) {
    const root = each.rootId === null ? null : rows.get(each.rootId);
    const row = root === undefined ? null : await prepareOne(ctx, each);
    if (row === null) continue;
    rows.set(row.id, row);
    if (root && row.status === COMMENT_STATUS.shown) root.replyCount += 1;
  }
  const all = [...rows.values()];
  return (ctx) =>
    inTx(ctx, async (ctx) => {
      const [first] = all;
      if (first === undefined) return 0;
      const { essayId } = first;
      await queries.lockEssay(ctx.db, essayId);
      await queries.insertComments(ctx.db, all);
      await queries.addToList(
        ctx.db,
        essayId,
        all.filter((row) => row.rootId === null && isListed(row)).length,
      );
      const cmts = all.filter(({ status }) => status === COMMENT_STATUS.shown).length;
      if (cmts > 0) await addToEssays(ctx, [{ essayId, cmts }]);
      return all.length;
    });
}
