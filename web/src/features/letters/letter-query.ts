import type { Client, Output } from '@mozhan/contract/client.ts';
import { infiniteQueryOptions, type QueryClient } from '@tanstack/react-query';
import { call, callPages } from '#web/lib/queries.ts';
import { pathTo } from '#web/router/router.tsx';

const ROUTE = 'GET core/essay/pri/msg';
/** A thread is read as a whole; few are longer. */
const MOST_LETTERS = 100;

type Answer = Output<typeof ROUTE>;
/** The letters of one thread, rather than threads. */
type LettersPage = Extract<Answer, { thread: unknown }>;
type ThreadsPage = Exclude<Answer, LettersPage>;

export const threadPages = (api: Client, keyword: string) =>
  infiniteQueryOptions({
    ...callPages(api, ROUTE, keyword === '' ? {} : { keyword }),
    // Nobody heard of those that came while something else was shown.
    refetchOnMount: 'always',
    select: ({ pages, pageParams }) => ({
      pages: pages.filter((page): page is ThreadsPage => !('thread' in page)),
      pageParams,
    }),
  });

export const letterPages = (api: Client, threadId: string) =>
  infiniteQueryOptions({
    queryKey: [ROUTE, { threadId }, 'letters'] as const,
    queryFn: ({ pageParam, signal }) =>
      api(ROUTE, { threadId, pageSize: MOST_LETTERS, ...pageParam }, { signal }) as Promise<LettersPage>,
    initialPageParam: {} as { cursor?: string },
    refetchOnMount: 'always',
    getNextPageParam: ({ next }) => (next === null ? undefined : { cursor: next }),
  });

/** A letter was written, read or thrown away: lists and numbers are asked for anew. */
export async function lettersChanged(queryClient: QueryClient, api: Client): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: [ROUTE] }),
    queryClient.invalidateQueries(call(api, 'GET core/essay/chat/unread')),
  ]);
}

/** All threads, those with a word, or one of them. */
export const lettersPath = ({ keyword, thread }: { keyword?: string; thread?: string } = {}): string =>
  pathTo({ to: '/account/center.html', search: { tab: 'letter', q: keyword || undefined, thread } });
