import type { Ctx } from '../../../../ctx.ts';
import * as queries from '../queries/contents.ts';

const THREAD_BATCH_SIZE = 200;

const toRecord = ({ comment, account, replyTo }: queries.ExportedComment, names: Map<string, string>) => ({
  id: comment.id,
  essay: comment.essayId,
  root: comment.rootId,
  author: comment.userId === null ? null : account,
  guest: comment.guestName === null ? null : { name: comment.guestName, site: comment.guestSite },
  replyTo,
  replyToGuest: comment.replyToGuestId,
  mentions: comment.mentions.flatMap((id) => names.get(id) ?? []),
  status: comment.status,
  pinned: comment.pinned,
  region: comment.region,
  content: comment.content,
  createdAt: comment.createdAt.toISOString(),
  editedAt: comment.editedAt?.toISOString() ?? null,
});

/** Yields the comments of an essay in batches of threads, each comment followed by its replies. */
export async function* listThreads({ db }: Ctx, essayId: string): AsyncGenerator<object[]> {
  let after: string | null = null;
  for (;;) {
    const roots: queries.ExportedComment[] = await queries.listRoots(db, essayId, after, THREAD_BATCH_SIZE);
    const last = roots.at(-1);
    if (last === undefined) return;
    after = last.comment.id;
    const rootIds = roots.map(({ comment }) => comment.id);
    const replies = await queries.listReplies(db, rootIds);
    const byRoot = Map.groupBy(replies, ({ comment }) => comment.rootId);
    const mentionedIds = [...roots, ...replies].flatMap(({ comment }) => comment.mentions);
    const names = await queries.listAccountNames(db, [...new Set(mentionedIds)]);
    yield roots.flatMap((root) =>
      [root, ...(byRoot.get(root.comment.id) ?? [])].map((each) => toRecord(each, names)),
    );
  }
}
