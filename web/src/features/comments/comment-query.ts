import type { Client } from '@mozhan/contract/client.ts';
import type { Comment, Reply } from '@mozhan/contract/comments.ts';
import type { Page } from '@mozhan/contract/common.ts';
import type { Essay } from '@mozhan/contract/essays.ts';
import { type InfiniteData, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { essayQuery } from '#web/features/essays/essay-query.ts';
import { useApi } from '#web/lib/app-context.ts';
import { call, callPages } from '#web/lib/queries.ts';
import { toast } from '#web/ui/toast.tsx';
import { type SaidBySomebody, useThread } from './thread.ts';

export type Sort = 'new' | 'hot';

const COMMENTS = 'GET core/essay/cmt';
const REPLIES = 'GET core/essay/cmt/reply';

export const commentsQuery = (api: Client, essayId: string, sort: Sort) =>
  callPages(api, COMMENTS, { essayId, sort });

/** The comment of this id, or the one that it answers. */
export const commentQuery = (api: Client, essayId: string, id: string) =>
  call(api, COMMENTS, { essayId, id });

export const repliesQuery = (api: Client, cmtId: string) => callPages(api, REPLIES, { cmtId });

/** Nothing is told of what is gone. */
const PLACE = {
  content: '',
  html: '',
  region: '',
  pinned: false,
  held: false,
  edited: false,
  isAuthor: false,
};

type Listed<T> = Page<T> | InfiniteData<Page<T>>;

/** Rows wherever they are kept: in lists that grow, and in the one that an address names. */
function changeLists<T>(queryClient: QueryClient, key: string, change: (list: T[], at: number) => T[]): void {
  queryClient.setQueriesData<Listed<T>>({ queryKey: [key] }, (data) => {
    if (data === undefined) return data;
    if (!('pages' in data)) return { ...data, list: change(data.list, 0) };
    return { ...data, pages: data.pages.map((page, at) => ({ ...page, list: change(page.list, at) })) };
  });
}

/** What is said where: changed here as soon as it is changed there. */
export function useCommentCache() {
  const api = useApi();
  const queryClient = useQueryClient();
  const { essayId } = useThread();
  const changeComments = (change: (list: Comment[], at: number) => Comment[]) =>
    changeLists(queryClient, COMMENTS, change);
  const changeReplies = (change: (list: Reply[]) => Reply[]) => changeLists(queryClient, REPLIES, change);

  /** Something said, whether comment or reply. */
  function patch(id: string, fields: Partial<Comment & Reply>): void {
    const patched = <T extends Comment | Reply>(each: T): T =>
      each.id === id ? { ...each, ...fields } : each;
    changeComments((list) => list.map((each) => patched({ ...each, replies: each.replies.map(patched) })));
    changeReplies((list) => list.map(patched));
  }

  return {
    patch,
    /** The essay says how many comments it has. */
    count(by: number): void {
      const { queryKey } = essayQuery(api, essayId);
      queryClient.setQueryData(queryKey, (essay: Essay | undefined) => {
        return essay && { ...essay, cmtCount: Math.max(0, essay.cmtCount + by) };
      });
    },
    /** Below the pinned ones, which stay at the top. */
    addComment(added: Comment): void {
      changeComments((list, at) => {
        if (at > 0 || list.some(({ id }) => id === added.id)) return list;
        const pinned = list.filter((each) => each.pinned);
        return [...pinned, added, ...list.filter((each) => !each.pinned)];
      });
    },
    addReply(added: Reply): void {
      const { cmtId, held } = added;
      changeComments((list) =>
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
      // To the end, where that has been reached.
      queryClient.setQueriesData<InfiniteData<Page<Reply>>>({ queryKey: [REPLIES, { cmtId }] }, (data) => {
        const last = data?.pages.at(-1);
        if (data === undefined || last?.next !== null) return data;
        return { ...data, pages: [...data.pages.slice(0, -1), { ...last, list: [...last.list, added] }] };
      });
    },
    removeComment({ id, replyCount }: Comment): void {
      // As the server leaves it: a place for what was answered to it.
      if (replyCount > 0) patch(id, { ...PLACE, deleted: true, user: null });
      else changeComments((list) => list.filter((each) => each.id !== id));
    },
    removeReply({ id, cmtId, held }: Reply): void {
      changeComments((list) =>
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
          // A place goes with its last reply.
          .filter((each) => !(each.deleted && each.replyCount === 0 && each.replies.length === 0)),
      );
      changeReplies((list) => list.filter((each) => each.id !== id));
    },
    /** Pinning changes the order. */
    reload: () => queryClient.invalidateQueries({ queryKey: [COMMENTS] }),
  };
}

/** Nobody else knows of what waits for its audit, so it does not count. */
export function useSent() {
  const { count } = useCommentCache();
  return ({ held }: SaidBySomebody) => {
    if (!held) count(1);
    toast(held ? '已提交，审核通过后公开' : '已发布');
  };
}
