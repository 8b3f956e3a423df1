import { worthRetrying } from '@mozhan/client/retry.ts';
import type { Client, Input, Output, ReadRoute } from '@mozhan/contract/client.ts';
import { QueryCache, QueryClient, queryOptions, useQueryClient } from '@tanstack/react-query';
import { App } from 'antd';
import { useApp } from './app-context.ts';
import { useFailures } from './failures.ts';
import { leaveIfSignedOut } from './session.ts';

/** A read call as a query: its name and input are its key. */
export function call<R extends ReadRoute>(api: Client, route: R, input: Input<R> = {} as Input<R>) {
  const ask = api as (route: R, input: Input<R>, options: { signal: AbortSignal }) => Promise<Output<R>>;
  return queryOptions({
    queryKey: [route, input] as const,
    queryFn: ({ signal }): Promise<Output<R>> => ask(route, input, { signal }),
  });
}

const STALE_MS = 10_000;

export function createQueryClient(basePath: string): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError: (error) => void leaveIfSignedOut(error, basePath) }),
    defaultOptions: { queries: { staleTime: STALE_MS, retry: worthRetrying } },
  });
}

/** After a write everything on the screen is asked for anew: one call changes the lists of several others. */
export function useRefresh(): () => Promise<void> {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries();
}

/** Does something at a click: says that it is done, or why not. Never throws. */
export function useAct(): <T>(
  work: (api: Client) => Promise<T>,
  done: string | ((answer: T) => string),
) => Promise<boolean> {
  const { api } = useApp();
  const { message } = App.useApp();
  const fail = useFailures();
  const refresh = useRefresh();
  return async (work, done) => {
    try {
      const answer = await work(api);
      message.success(typeof done === 'string' ? done : done(answer));
      return true;
    } catch (error) {
      fail(error);
      return false;
    } finally {
      await refresh();
    }
  };
}
