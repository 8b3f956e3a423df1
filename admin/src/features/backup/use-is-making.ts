import { queriesOf } from '@mozhan/client/query-filter.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useApp } from '#admin/lib/app-context.ts';
import { call } from '#admin/lib/queries.ts';
import { isOpen } from './words.tsx';

const POLL_MS = 1500;

const backupQueries = queriesOf('GET core/sys/backup/', 'GET core/sys/backup/schedule');

/** Whether one is being made; as long as it is, everything about backups is asked for again and again. */
export function useIsMaking(): boolean {
  const { api } = useApp();
  const queryClient = useQueryClient();
  const { data } = useQuery(call(api, 'GET core/sys/backup/', { page: 1, pageSize: 1 }));
  const isMaking = data?.list.some(isOpen) ?? false;
  useEffect(() => {
    if (!isMaking) return;
    const timer = setInterval(() => void queryClient.invalidateQueries(backupQueries), POLL_MS);
    return () => clearInterval(timer);
  }, [isMaking, queryClient]);
  return isMaking;
}
