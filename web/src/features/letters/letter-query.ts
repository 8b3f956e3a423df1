import type { Client, Output } from '@mozhan/contract/client.ts';
import { infiniteQueryOptions, type QueryClient } from '@tanstack/react-query';
import { callPagesQuery, callQuery } from '#web/lib/queries.ts';
import { pathTo } from '#web/router/router.tsx';

const ROUTE = 'GET core/essay/pri/msg';
/** A thread is loaded in one page; few are longer. */
const MAX_LETTERS = 100;

type LettersResponse = Output<typeof ROUTE>;
/** The letters of one thread; the same route also lists threads. */
type LettersPage = Extract<LettersResponse, { thread: unknown }>;
type ThreadsPage = Exclude<LettersResponse, LettersPage>;

export const threadPages = (api: Client, keyword: string) =>
  infiniteQueryOptions({
    ...callPagesQuery(api, ROUTE, keyword === '' ? {} : { keyword }),
    // There were no live updates while the list was not mounted.
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
      api(ROUTE, { threadId, pageSize: MAX_LETTERS, ...pageParam }, { signal }) as Promise<LettersPage>,
    initialPageParam: {} as { cursor?: string },
    refetchOnMount: 'always',
    getNextPageParam: ({ next }) => (next === null ? undefined : { cursor: next }),
  });

/** Reloads lists and unread counts after a letter was sent, read or deleted. */
export async function invalidateLetters(queryClient: QueryClient, api: Client): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: [ROUTE] }),
    queryClient.invalidateQueries(callQuery(api, 'GET core/essay/chat/unread')),
  ]);
}

export const lettersPath = ({ keyword, thread }: { keyword?: string; thread?: string } = {}): string =>
  pathTo({ to: '/account/center.html', search: { tab: 'letter', q: keyword || undefined, thread } });
