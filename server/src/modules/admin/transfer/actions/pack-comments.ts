import type { Ctx } from '../../../../ctx.ts';
import * as queries from '../queries/contents.ts';

const THREADS = 200;

const toRecord = ({ comment, account, replyTo }: queries.CommentPart, names: Map<string, string>) => ({
  id: comment.id,
  essay: comment.essayId,
  root: comment.rootId,
  author: account,
  replyTo,
  mentions: comment.mentions.flatMap((id) => names.get(id) ?? []),
  status: comment.status,
  pinned: comment.pinned,
  region: comment.region,
  content: comment.content,
  createdAt: comment.createdAt.toISOString(),
  editedAt: comment.editedAt?.toISOString() ?? null,
});

/** Comments of an essay, each with its replies behind it, some threads at a time. */
export async function* listThreads({ db }: Ctx, essayId: string): AsyncGenerator<object[]> {
  let after: string | null = null;
  for (;;) {
    const roots: queries.CommentPart[] = await queries.listRoots(db, essayId, after, THREADS);
    const last = roots.at(-1);
    if (last === undefined) return;
    after = last.comment.id;
    const rootIds = roots.map(({ comment }) => comment.id);
    const replies = await queries.listReplies(db, rootIds);
    const byRoot = Map.groupBy(replies, ({ comment }) => comment.rootId);
    const named = [...roots, ...replies].flatMap(({ comment }) => comment.mentions);
    const names = await queries.listAccountNames(db, [...new Set(named)]);
    yield roots.flatMap((root) =>
      [root, ...(byRoot.get(root.comment.id) ?? [])].map((each) => toRecord(each, names)),
    );
  }
}
