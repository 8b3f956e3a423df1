import type { Client } from '@mozhan/contract/client.ts';
import type { Comment, Reply } from '@mozhan/contract/comments.ts';
import type { Page } from '@mozhan/contract/common.ts';
import type { Essay } from '@mozhan/contract/essays.ts';
import { type InfiniteData, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { essayQuery } from '#web/features/essays/essay-query.ts';
import { useApi } from '#web/lib/app-context.ts';
import { callPagesQuery, callQuery } from '#web/lib/queries.ts';
import { toast } from '#web/ui/toast.tsx';
import { type CommentOrReply, useThread } from './thread.ts';

export type CommentSort = 'new' | 'hot';

const COMMENTS = 'GET core/essay/cmt';
const REPLIES = 'GET core/essay/cmt/reply';

export const commentsQuery = (api: Client, essayId: string, sort: CommentSort) =>
  callPagesQuery(api, COMMENTS, { essayId, sort });

/** The comment with this id, or the parent comment of the reply with this id. */
export const commentQuery = (api: Client, essayId: string, id: string) =>
  callQuery(api, COMMENTS, { essayId, id });

export const repliesQuery = (api: Client, cmtId: string) => callPagesQuery(api, REPLIES, { cmtId });

const TOMBSTONE_FIELDS = {
  content: '',
  html: '',
  region: '',
  pinned: false,
  held: false,
  edited: false,
  isAuthor: false,
};

type ListData<T> = Page<T> | InfiniteData<Page<T>>;

/** Updates the rows in infinite lists and in single-page queries. */
function updateLists<T>(queryClient: QueryClient, key: string, change: (list: T[], at: number) => T[]): void {
  queryClient.setQueriesData<ListData<T>>({ queryKey: [key] }, (data) => {
    if (data === undefined) return data;
    if (!('pages' in data)) return { ...data, list: change(data.list, 0) };
    return { ...data, pages: data.pages.map((page, at) => ({ ...page, list: change(page.list, at) })) };
  });
}

export function useCommentCache() {
  const api = useApi();
  const queryClient = useQueryClient();
  const { essayId } = useThread();
  const updateComments = (change: (list: Comment[], at: number) => Comment[]) =>
    updateLists(queryClient, COMMENTS, change);
  const updateReplies = (change: (list: Reply[]) => Reply[]) => updateLists(queryClient, REPLIES, change);

  function patch(id: string, fields: Partial<Comment & Reply>): void {
    const patched = <T extends Comment | Reply>(each: T): T =>
      each.id === id ? { ...each, ...fields } : each;
    updateComments((list) => list.map((each) => patched({ ...each, replies: each.replies.map(patched) })));
    updateReplies((list) => list.map(patched));
  }

  return {
    patch,
    changeCount(by: number): void {
      const { queryKey } = essayQuery(api, essayId);
      queryClient.setQueryData(queryKey, (essay: Essay | undefined) => {
        return essay && { ...essay, cmtCount: Math.max(0, essay.cmtCount + by) };
      });
    },
    /** Inserts below the pinned comments. */
    addComment(added: Comment): void {
      updateComments((list, at) => {
        if (at > 0 || list.some(({ id }) => id === added.id)) return list;
        const pinned = list.filter((each) => each.pinned);
        return [...pinned, added, ...list.filter((each) => !each.pinned)];
      });
    },
    addReply(added: Reply): void {
      const { cmtId, held } = added;
      updateComments((list) =>
        list.map((each) =>
          each.id !== cmtId || each.replies.some(({ id }) => id === added.id)
            ? each
            : {
                ...each,
                replies: [...each.replies, added],
                replyCount: each.replyCount + (held ? 0 : 1),
              },
        ),
      );
      // Append only if the last page is loaded.
      queryClient.setQueriesData<InfiniteData<Page<Reply>>>({ queryKey: [REPLIES, { cmtId }] }, (data) => {
        const last = data?.pages.at(-1);
        if (data === undefined || last?.next !== null) return data;
        return { ...data, pages: [...data.pages.slice(0, -1), { ...last, list: [...last.list, added] }] };
      });
    },
    removeComment({ id, replyCount }: Comment): void {
      // Like the server: a comment with replies becomes a tombstone.
      if (replyCount > 0) patch(id, { ...TOMBSTONE_FIELDS, deleted: true, user: null });
      else updateComments((list) => list.filter((each) => each.id !== id));
    },
    removeReply({ id, cmtId, held }: Reply): void {
      updateComments((list) =>
        list
          .map((each) =>
            each.id !== cmtId
              ? each
              : {
                  ...each,
                  replies: each.replies.filter((reply) => reply.id !== id),
                  replyCount: each.replyCount - (held ? 0 : 1),
                },
          )
          // A tombstone is removed with its last reply.
          .filter((each) => !(each.deleted && each.replyCount === 0 && each.replies.length === 0)),
      );
      updateReplies((list) => list.filter((each) => each.id !== id));
    },
    /** Pinning changes the order, so the list is refetched. */
    reload: () => queryClient.invalidateQueries({ queryKey: [COMMENTS] }),
  };
}

/** Held comments are not counted, because nobody else can see them. */
export function useAfterSend() {
  const { changeCount } = useCommentCache();
  return ({ held }: CommentOrReply) => {
    if (!held) changeCount(1);
    toast(held ? '已提交，审核通过后公开' : '已发布');
  };
}
