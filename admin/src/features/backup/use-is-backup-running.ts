import { useQuery } from '@tanstack/react-query';
import { useApp } from '#admin/lib/app-context.ts';
import { call } from '#admin/lib/queries.ts';
import { useIsAnyDisplayed, usePolling } from '#admin/lib/use-polling.ts';
import { isUnfinished } from './labels.tsx';

const ROUTES = ['GET core/sys/backup/', 'GET core/sys/backup/schedule'] as const;

/** Whether a backup is running; polls all backup data meanwhile. */
export function useIsBackupRunning(): boolean {
  const { api } = useApp();
  // The newest one, which the displayed list may not contain.
  useQuery(call(api, 'GET core/sys/backup/', { page: 1, pageSize: 1 }));
  const isBackupRunning = useIsAnyDisplayed('GET core/sys/backup/', ({ list }) => list.some(isUnfinished));
  usePolling(isBackupRunning, ROUTES);
  return isBackupRunning;
}
