import { queryFilterOf } from '@mozhan/client/query-filter.ts';
import type { ReadRoute } from '@mozhan/contract/client.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';

interface OptimisticToggleOptions<Response> {
  /**
   * Calls whose responses contain the state. A response that is on its way does not know of the change and would
   * revert it, so it is cancelled, and requested again afterwards.
   */
  routes: readonly ReadRoute[];
  send: (on: boolean) => Promise<Response>;
  /** Updates the UI before the server responds; returns a function that reverts the update. */
  applyOptimistic: (on: boolean) => () => void;
  /** Updates the UI with the server's response. */
  applyResponse: (response: Response) => void;
  onError: (error: unknown) => void;
}

/** Toggle with optimistic update. Only one call runs at a time; after rapid changes the last value is sent. */
export function useOptimisticToggle<Response>({
  routes,
  send,
  applyOptimistic,
  applyResponse,
  onError,
}: OptimisticToggleOptions<Response>): (on: boolean) => Promise<void> {
  const queryClient = useQueryClient();
  const state = useRef({ isSending: false, on: false, hasCancelled: false });

  /** Only of what is displayed: other requests belong to a page that is being opened. */
  const filter = { ...queryFilterOf(...routes), type: 'active' } as const;

  function cancelPending(): void {
    if (queryClient.isFetching(filter) === 0) return;
    state.current.hasCancelled = true;
    void queryClient.cancelQueries(filter);
  }

  function requestCancelledAgain(): void {
    if (state.current.hasCancelled) void queryClient.invalidateQueries(filter);
    state.current.hasCancelled = false;
  }

  return async (on) => {
    cancelPending();
    const undo = applyOptimistic(on);
    state.current.on = on;
    if (state.current.isSending) return;
    state.current.isSending = true;
    let response: Response | undefined;
    try {
      let sent: boolean;
      do {
        sent = state.current.on;
        response = await send(sent);
      } while (sent !== state.current.on);
      applyResponse(response);
    } catch (error) {
      if (response === undefined) undo();
      else applyResponse(response);
      onError(error);
    } finally {
      state.current.isSending = false;
      requestCancelledAgain();
    }
  };
}
