import { useQuery } from '@tanstack/react-query';
import { useApp } from '#admin/lib/app-context.ts';
import { call } from '#admin/lib/queries.ts';
import { usePolling } from '#admin/lib/use-polling.ts';
import { isOpen } from './words.tsx';

const ROUTES = ['GET core/sys/backup/', 'GET core/sys/backup/schedule'] as const;

/** Whether a backup is being made; meanwhile everything about backups is refetched. */
export function useIsMaking(): boolean {
  const { api } = useApp();
  const { data } = useQuery(call(api, 'GET core/sys/backup/', { page: 1, pageSize: 1 }));
  const isMaking = data?.list.some(isOpen) ?? false;
  usePolling(isMaking, ROUTES);
  return isMaking;
}
