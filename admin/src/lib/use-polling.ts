import { queryFilterOf } from '@mozhan/client/query-filter.ts';
import type { ReadRoute } from '@mozhan/contract/client.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';

export const POLL_MS = 1500;

/** Refetches the displayed results of these calls periodically while `isOn`. `routes` must be a constant. */
export function usePolling(isOn: boolean, routes: readonly ReadRoute[]): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    if (!isOn) return;
    const timer = setInterval(() => void queryClient.invalidateQueries(queryFilterOf(...routes)), POLL_MS);
    return () => clearInterval(timer);
  }, [isOn, routes, queryClient]);
}
