import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { onConnected, onLive, together } from '#web/lib/live.ts';
import { lettersChanged } from './letter-query.ts';
import { ThreadList } from './thread-list.tsx';
import { ThreadView } from './thread-view.tsx';

const ID = /^[0-9a-f]{32}$/;

/** A letter that comes or is read elsewhere shows at once. */
function useLive(): void {
  const api = useApi();
  const queryClient = useQueryClient();
  useEffect(() => {
    const refresh = () => void lettersChanged(queryClient, api);
    return together([onLive('letter', refresh), onConnected(refresh)]);
  }, [api, queryClient]);
}

/** One's letters: all threads, or the one that the address names. Loaded on demand. */
export function OwnLetters({ search }: { search: URLSearchParams }) {
  useLive();
  const thread = ID.exec(search.get('thread') ?? '')?.[0];
  const keyword = search.get('q')?.trim().slice(0, 50) ?? '';
  return thread === undefined ? <ThreadList keyword={keyword} /> : <ThreadView key={thread} id={thread} />;
}
