import type { ChatMessage } from '@mozhan/contract/chats.ts';
import type { Client } from '@mozhan/contract/client.ts';
import { type QueryClient, useQuery } from '@tanstack/react-query';
import { useApi } from '#web/lib/app-context.ts';

const NO_IDS: ReadonlySet<string> = new Set();
const PAGE_SIZE = 100;
/** Shares the key prefix of the block list, so that both are invalidated together. */
const BLOCKED_IDS_KEY = ['GET core/user/block', 'ids'];

async function fetchBlockedIds(api: Client, signal: AbortSignal): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  let cursor: string | undefined;
  do {
    const { list, next } = await api('GET core/user/block', { pageSize: PAGE_SIZE, cursor }, { signal });
    for (const { id } of list) ids.add(id);
    cursor = next ?? undefined;
  } while (cursor !== undefined);
  return ids;
}

/** Ids of blocked users. */
export function useBlockedIds(enabled: boolean): ReadonlySet<string> {
  const api = useApi();
  const { data } = useQuery({
    queryKey: BLOCKED_IDS_KEY,
    queryFn: ({ signal }) => fetchBlockedIds(api, signal),
    enabled,
  });
  return data ?? NO_IDS;
}

export const asHidden = (message: ChatMessage): ChatMessage => ({
  ...message,
  removed: true,
  content: '',
  html: '',
  image: null,
  essay: null,
});

/** Live events of a room also contain messages of blocked users, which lists must not show. */
export function hideIfBlocked(queryClient: QueryClient, message: ChatMessage): ChatMessage {
  const blocked = queryClient.getQueryData<ReadonlySet<string>>(BLOCKED_IDS_KEY) ?? NO_IDS;
  return message.from !== null && blocked.has(message.from.id) ? asHidden(message) : message;
}
