import { queryFilterOf } from '@mozhan/client/query-filter.ts';
import type { Output, ReadRoute } from '@mozhan/contract/client.ts';
import { notifyManager, useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';

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

/**
 * Whether any displayed result of the call meets the condition. Of two that were fetched at the same time with other
 * input, one may show what has ended since.
 */
export function useIsAnyDisplayed<R extends ReadRoute>(
  route: R,
  meetsCondition: (output: Output<R>) => boolean,
): boolean {
  const queryClient = useQueryClient();
  return useSyncExternalStore(
    (onChange) => queryClient.getQueryCache().subscribe(notifyManager.batchCalls(onChange)),
    () =>
      queryClient
        .getQueriesData<Output<R>>({ ...queryFilterOf(route), type: 'active' })
        .some(([, data]) => data !== undefined && meetsCondition(data)),
  );
}
