import { errorMessageOf } from '@mozhan/client/errors.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { callPagesQuery, callQuery } from '#web/lib/queries.ts';
import { toast } from '#web/ui/toast.tsx';
import { lowerUnreadCounts, markPagesRead, type NoticePages, type ReadSelection } from './read-marks.ts';

/** Matches every loaded list of notices, of any kind. */
function useNoticeListFilter() {
  const [route] = callPagesQuery(useApi(), 'GET core/user/notice').queryKey;
  return { queryKey: [route] };
}

/** Marks notices optimistically and reverts on failure. */
export function useMarkRead() {
  const api = useApi();
  const queryClient = useQueryClient();
  const lists = useNoticeListFilter();
  const unread = callQuery(api, 'GET core/user/notice/unread').queryKey;
  const mark = (read: ReadSelection) =>
    queryClient.setQueriesData<NoticePages>(lists, (data) => data && markPagesRead(data, read));

  return useMutation({
    mutationFn: (read: ReadSelection) =>
      api('PUT core/user/notice', read === 'all' ? { all: true } : { ids: [...read] }),
    async onMutate(read) {
      // A pending response would restore the old marks, so it is cancelled and requested again in
      // `onSettled`.
      const wasLoading = queryClient.isFetching(lists) > 0;
      await Promise.all([queryClient.cancelQueries(lists), queryClient.cancelQueries({ queryKey: unread })]);
      const pages = queryClient.getQueriesData<NoticePages>(lists);
      const counts = queryClient.getQueryData(unread);
      const loaded = pages.flatMap(([, data]) => data ?? []);
      if (counts !== undefined) queryClient.setQueryData(unread, lowerUnreadCounts(counts, read, loaded));
      mark(read);
      return { pages, counts, wasLoading };
    },
    // Pages may have arrived meanwhile without the new marks.
    onSuccess: (_, read) => mark(read),
    onError(error, read, before) {
      for (const [key, data] of before?.pages ?? []) queryClient.setQueryData(key, data);
      queryClient.setQueryData(unread, before?.counts);
      // Failing to mark seen notices is not worth a message.
      if (read === 'all') toast(errorMessageOf(error), 'bad');
    },
    onSettled(_, error, __, before) {
      // Two mutations that fail together may have reverted each other's changes.
      if (error !== null) void queryClient.invalidateQueries({ queryKey: unread });
      if (error !== null || before?.wasLoading) void queryClient.invalidateQueries(lists);
    },
  });
}

const BATCH_MS = 300;

/** Marks notices as they are seen: sends them in batches, none twice, and never while a list is loading. */
export function useMarkSeen(): (id: string) => void {
  const queryClient = useQueryClient();
  const lists = useNoticeListFilter();
  const { mutate } = useMarkRead();
  const sentIds = useRef(new Set<string>());
  const pendingIds = useRef<string[]>([]);

  function sendSoon(): void {
    setTimeout(() => {
      if (queryClient.isFetching(lists) > 0) sendSoon();
      else mutate(pendingIds.current.splice(0));
    }, BATCH_MS);
  }

  return (id) => {
    if (sentIds.current.has(id)) return;
    sentIds.current.add(id);
    pendingIds.current.push(id);
    if (pendingIds.current.length === 1) sendSoon();
  };
}
