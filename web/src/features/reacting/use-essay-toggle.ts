import { errorMessageOf } from '@mozhan/client/errors.ts';
import type { Essay } from '@mozhan/contract/essays.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { essayQuery } from '#web/features/essays/essay-query.ts';
import { useApi } from '#web/lib/app-context.ts';
import { useOptimisticToggle } from '#web/lib/use-optimistic-toggle.ts';
import { toast } from '#web/ui/toast.tsx';

interface EssayToggle<State> {
  id: string;
  send: (on: boolean) => Promise<State>;
  currentState: State;
  nextState: (on: boolean) => State;
  apply: (essay: Essay, state: State) => Essay;
  onRefused?: () => void;
}

/** Toggles a reaction to an essay with an optimistic update of the cached essay. */
export function useEssayToggle<State>({
  id,
  send,
  currentState,
  nextState,
  apply,
  onRefused,
}: EssayToggle<State>) {
  const queryClient = useQueryClient();
  const { queryKey } = essayQuery(useApi(), id);
  const isRefetchNeeded = useRef(false);

  const applyState = (state: State) =>
    queryClient.setQueryData(queryKey, (essay: Essay | undefined) => essay && apply(essay, state));

  function applyFinal(state: State): void {
    applyState(state);
    if (isRefetchNeeded.current) void queryClient.invalidateQueries({ queryKey });
    isRefetchNeeded.current = false;
  }

  const toggle = useOptimisticToggle({
    send,
    applyOptimistic: (on) => {
      // A pending response does not know of this change and would revert it, so it is cancelled and requested
      // again later.
      if (queryClient.isFetching({ queryKey }) > 0) {
        isRefetchNeeded.current = true;
        void queryClient.cancelQueries({ queryKey });
      }
      applyState(nextState(on));
      return () => applyFinal(currentState);
    },
    applyResponse: applyFinal,
    onError: (error) => {
      onRefused?.();
      toast(errorMessageOf(error), 'warn');
    },
  });
  return { toggle, applyState };
}
