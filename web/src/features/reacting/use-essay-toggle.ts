import { errorMessageOf } from '@mozhan/client/errors.ts';
import type { Essay } from '@mozhan/contract/essays.ts';
import { useQueryClient } from '@tanstack/react-query';
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

  const applyState = (state: State) =>
    queryClient.setQueryData(queryKey, (essay: Essay | undefined) => essay && apply(essay, state));

  const toggle = useOptimisticToggle({
    routes: ['GET core/essay/{id}'],
    send,
    applyOptimistic: (on) => {
      applyState(nextState(on));
      return () => applyState(currentState);
    },
    applyResponse: applyState,
    onError: (error) => {
      onRefused?.();
      toast(errorMessageOf(error), 'warn');
    },
  });
  return { toggle, applyState };
}
