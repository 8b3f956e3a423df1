import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { messageOf } from '#web/lib/errors.ts';
import { call, callPages } from '#web/lib/queries.ts';
import { toast } from '#web/ui/toast.tsx';
import { markCounts, markPages, type NoticePages, type Read } from './read-marks.ts';

/** Marks at once what the server is about to mark, and takes it back when that fails. */
export function useMarkRead() {
  const api = useApi();
  const queryClient = useQueryClient();
  const [list] = callPages(api, 'GET core/user/notice').queryKey;
  const lists = { queryKey: [list] };
  const unread = call(api, 'GET core/user/notice/unread').queryKey;

  return useMutation({
    mutationFn: (read: Read) =>
      api('PUT core/user/notice', read === 'all' ? { all: true } : { ids: [...read] }),
    async onMutate(read) {
      // An answer from before would bring the old marks back; what is cut short here is asked for again below.
      const wasLoading = queryClient.isFetching(lists) > 0;
      await Promise.all([queryClient.cancelQueries(lists), queryClient.cancelQueries({ queryKey: unread })]);
      const pages = queryClient.getQueriesData<NoticePages>(lists);
      const counts = queryClient.getQueryData(unread);
      const loaded = pages.flatMap(([, data]) => data ?? []);
      if (counts !== undefined) queryClient.setQueryData(unread, markCounts(counts, read, loaded));
      queryClient.setQueriesData<NoticePages>(lists, (data) => data && markPages(data, read));
      return { pages, counts, wasLoading };
    },
    onError(error, read, before) {
      for (const [key, data] of before?.pages ?? []) queryClient.setQueryData(key, data);
      queryClient.setQueryData(unread, before?.counts);
      // What was only looked at is no failure worth a word.
      if (read === 'all') toast(messageOf(error), 'bad');
    },
    onSettled(_, error, __, before) {
      if (error !== null) void queryClient.invalidateQueries({ queryKey: unread });
      if (before?.wasLoading) void queryClient.invalidateQueries(lists);
    },
  });
}

const GATHER_MS = 300;

/** For notices as they are seen, one by one: they travel together, and none twice. */
export function useMarkSeen(): (id: string) => void {
  const { mutate } = useMarkRead();
  const told = useRef(new Set<string>());
  const gathered = useRef<string[]>([]);
  return useCallback(
    (id) => {
      if (told.current.has(id)) return;
      told.current.add(id);
      gathered.current.push(id);
      if (gathered.current.length > 1) return;
      setTimeout(() => mutate(gathered.current.splice(0)), GATHER_MS);
    },
    [mutate],
  );
}
