import type { Client } from '@mozhan/contract/client.ts';
import { essayPages } from '#web/features/essays/essay-list.tsx';
import { callQuery } from '#web/lib/queries.ts';

/** Longer than for other lists: who comes back from an essay continues in the same list. */
const STALE_MS = 5 * 60_000;

/** Instead of the number of the first page. */
const OWN = 0;

/** The recommendations of a signed-in reader, with another key than those of visitors in the server's HTML. */
export function personalPages(api: Client): ReturnType<typeof essayPages> {
  const pages = essayPages(api, { feed: 'recommend' });
  const [route, filter, kind] = pages.queryKey;
  return {
    ...pages,
    staleTime: STALE_MS,
    queryKey: [route, filter, kind, OWN] as unknown as typeof pages.queryKey,
  };
}

/** The server stops counting here. */
const MAX_NEW_ESSAYS = 99;

export const formatNewCount = (count: number): string =>
  count < MAX_NEW_ESSAYS ? `${count} 篇` : `${MAX_NEW_ESSAYS}+ 篇`;

export const readerHomeQuery = (api: Client) => callQuery(api, 'GET core/user/home');
