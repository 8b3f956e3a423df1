import type { Client } from '@mozhan/contract/client.ts';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '#web/lib/app-context.ts';

const none: ReadonlySet<string> = new Set();
const PAGE = 100;

async function ask(api: Client, signal: AbortSignal): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  let cursor: string | undefined;
  do {
    const { list, next } = await api('GET core/user/block', { pageSize: PAGE, cursor }, { signal });
    for (const { id } of list) ids.add(id);
    cursor = next ?? undefined;
  } while (cursor !== undefined);
  return ids;
}

/** Whom one has blocked. The key is that of the list, so that it is asked for anew with it. */
export function useBlockedIds(enabled: boolean): ReadonlySet<string> {
  const api = useApi();
  const { data } = useQuery({
    queryKey: ['GET core/user/block', 'ids'],
    queryFn: ({ signal }) => ask(api, signal),
    enabled,
  });
  return data ?? none;
}
