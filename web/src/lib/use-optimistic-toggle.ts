import { useRef } from 'react';

interface OptimisticToggleOptions<Response> {
  send: (on: boolean) => Promise<Response>;
  /** Updates the UI before the server responds; returns a function that reverts the update. */
  applyOptimistic: (on: boolean) => () => void;
  /** Updates the UI with the server's response. */
  applyResponse: (response: Response) => void;
  onError: (error: unknown) => void;
}

/** Toggle with optimistic update. Only one call runs at a time; after rapid changes the last value is sent. */
export function useOptimisticToggle<Response>({
  send,
  applyOptimistic,
  applyResponse,
  onError,
}: OptimisticToggleOptions<Response>): (on: boolean) => Promise<void> {
  const state = useRef({ isSending: false, on: false });

  return async (on) => {
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
    }
  };
}
