import { queriesOf } from '@mozhan/client/query-filter.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useApp } from '#admin/lib/app-context.ts';
import { call } from '#admin/lib/queries.ts';
import { isOpen } from './words.tsx';

export const POLL_MS = 1500;
/** Newer than this many nothing is under way. */
const NEWEST = 10;

const transferQueries = queriesOf('GET core/sys/transfer/', 'GET core/sys/transfer/item');

/** As long as something is under way, everything about it is asked for again and again. */
export function usePolling(): void {
  const { api } = useApp();
  const queryClient = useQueryClient();
  const { data } = useQuery(call(api, 'GET core/sys/transfer/', { page: 1, pageSize: NEWEST }));
  const isRunning = data?.list.some(isOpen) ?? false;
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => void queryClient.invalidateQueries(transferQueries), POLL_MS);
    return () => clearInterval(timer);
  }, [isRunning, queryClient]);
}
