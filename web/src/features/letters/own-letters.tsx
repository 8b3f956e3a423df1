import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { combineCleanups, onConnect, onLiveEvent } from '#web/lib/live.ts';
import { invalidateLetters } from './letter-query.ts';
import { ThreadList } from './thread-list.tsx';
import { ThreadView } from './thread-view.tsx';

const ID = /^[0-9a-f]{32}$/;

function useLiveLetters(): void {
  const api = useApi();
  const queryClient = useQueryClient();
  useEffect(() => {
    const refresh = () => void invalidateLetters(queryClient, api);
    return combineCleanups([onLiveEvent('letter', refresh), onConnect(refresh)]);
  }, [api, queryClient]);
}

/** The user's letters: all threads, or the one named in the URL. */
export function OwnLetters({ search }: { search: URLSearchParams }) {
  useLiveLetters();
  const thread = ID.exec(search.get('thread') ?? '')?.[0];
  const keyword = search.get('q')?.trim().slice(0, 50) ?? '';
  return thread === undefined ? <ThreadList keyword={keyword} /> : <ThreadView key={thread} id={thread} />;
}
