import { messageOf } from '@mozhan/client/errors.ts';
import type { Essay } from '@mozhan/contract/essays.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { essayQuery } from '#web/features/essays/essay-query.ts';
import { useApi } from '#web/lib/app-context.ts';
import { useWish } from '#web/lib/use-wish.ts';
import { toast } from '#web/ui/toast.tsx';

interface EssayWish<State> {
  id: string;
  send: (on: boolean) => Promise<State>;
  now: State;
  next: (on: boolean) => State;
  apply: (essay: Essay, state: State) => Essay;
  onRefused?: () => void;
}

/** Something a reader does to an essay, shown at once wherever the essay is shown. */
export function useEssayWish<State>({ id, send, now, next, apply, onRefused }: EssayWish<State>) {
  const queryClient = useQueryClient();
  const { queryKey } = essayQuery(useApi(), id);
  const isDue = useRef(false);

  const show = (state: State) =>
    queryClient.setQueryData(queryKey, (essay: Essay | undefined) => essay && apply(essay, state));

  function settle(state: State): void {
    show(state);
    if (isDue.current) void queryClient.invalidateQueries({ queryKey });
    isDue.current = false;
  }

  const wish = useWish({
    send,
    show: (on) => {
      // An answer that is under way knows nothing of this and would take it back: it is asked for again afterwards.
      if (queryClient.isFetching({ queryKey }) > 0) {
        isDue.current = true;
        void queryClient.cancelQueries({ queryKey });
      }
      show(next(on));
      return () => settle(now);
    },
    settle,
    onError: (error) => {
      onRefused?.();
      toast(messageOf(error), 'warn');
    },
  });
  return { wish, show };
}
