import { messageOf } from '@mozhan/client/errors.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { call, callPages } from '#web/lib/queries.ts';
import { toast } from '#web/ui/toast.tsx';
import { markCounts, markPages, type NoticePages, type Read } from './read-marks.ts';

/** Every list of notices that is loaded, of any kind. */
function useLists() {
  const [route] = callPages(useApi(), 'GET core/user/notice').queryKey;
  return { queryKey: [route] };
}

/** Marks at once what the server is about to mark, and takes it back when that fails. */
export function useMarkRead() {
  const api = useApi();
  const queryClient = useQueryClient();
  const lists = useLists();
  const unread = call(api, 'GET core/user/notice/unread').queryKey;
  const mark = (read: Read) =>
    queryClient.setQueriesData<NoticePages>(lists, (data) => data && markPages(data, read));

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
      mark(read);
      return { pages, counts, wasLoading };
    },
    // Again for pages that came in meanwhile and did not know yet.
    onSuccess: (_, read) => mark(read),
    onError(error, read, before) {
      for (const [key, data] of before?.pages ?? []) queryClient.setQueryData(key, data);
      queryClient.setQueryData(unread, before?.counts);
      // What was only looked at is no failure worth a word.
      if (read === 'all') toast(messageOf(error), 'bad');
    },
    onSettled(_, error, __, before) {
      // Two that failed together may have taken back each other's.
      if (error !== null) void queryClient.invalidateQueries({ queryKey: unread });
      if (error !== null || before?.wasLoading) void queryClient.invalidateQueries(lists);
    },
  });
}

const GATHER_MS = 300;

/** For notices as they are seen, one by one: they travel together, none twice, and never into a loading list. */
export function useMarkSeen(): (id: string) => void {
  const queryClient = useQueryClient();
  const lists = useLists();
  const { mutate } = useMarkRead();
  const told = useRef(new Set<string>());
  const gathered = useRef<string[]>([]);

  function sendSoon(): void {
    setTimeout(() => {
      if (queryClient.isFetching(lists) > 0) sendSoon();
      else mutate(gathered.current.splice(0));
    }, GATHER_MS);
  }

  return (id) => {
    if (told.current.has(id)) return;
    told.current.add(id);
    gathered.current.push(id);
    if (gathered.current.length === 1) sendSoon();
  };
}
