import { shouldRetry } from '@mozhan/client/retry.ts';
import type { Client, Input, Output, ReadRoute } from '@mozhan/contract/client.ts';
import { QueryCache, QueryClient, queryOptions, useQueryClient } from '@tanstack/react-query';
import { App } from 'antd';
import { useApp } from './app-context.ts';
import { redirectIfSignedOut } from './session.ts';
import { useShowError } from './show-error.ts';

/** Query options for a read call; route and input are the query key. */
export function call<R extends ReadRoute>(api: Client, route: R, input: Input<R> = {} as Input<R>) {
  const send = api as (route: R, input: Input<R>, options: { signal: AbortSignal }) => Promise<Output<R>>;
  return queryOptions({
    queryKey: [route, input] as const,
    queryFn: ({ signal }): Promise<Output<R>> => send(route, input, { signal }),
  });
}

const STALE_MS = 10_000;

export function createQueryClient(basePath: string): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError: (error) => void redirectIfSignedOut(error, basePath) }),
    defaultOptions: { queries: { staleTime: STALE_MS, retry: shouldRetry } },
  });
}

/** Refetches everything on the screen after a write, because a write may change the results of many calls. */
export function useRefresh(): () => Promise<void> {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries();
}

/** Runs a write and displays a success or error message; resolves to whether it succeeded, never throws. */
export function useAction(): <T>(
  work: (api: Client) => Promise<T>,
  done: string | ((answer: T) => string),
) => Promise<boolean> {
  const { api } = useApp();
  const { message } = App.useApp();
  const showError = useShowError();
  const refresh = useRefresh();
  return async (work, done) => {
    try {
      const answer = await work(api);
      message.success(typeof done === 'string' ? done : done(answer));
      return true;
    } catch (error) {
      showError(error);
      return false;
    } finally {
      await refresh();
    }
  };
}
