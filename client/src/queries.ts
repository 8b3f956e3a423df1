import type { Client, Input, Output, ReadRoute } from '@mozhan/contract/client.ts';
import { queryOptions } from '@tanstack/react-query';
import { asCallError } from './call-error.ts';

/** The client's own type asks for the input of one route; here the route is any. */
export type AnyRead = <R extends ReadRoute>(
  route: R,
  input: Input<R>,
  options: { signal: AbortSignal },
) => Promise<Output<R>>;

/** A read call as a query: its name and input are its key. */
export function call<R extends ReadRoute>(api: Client, route: R, input: Input<R> = {} as Input<R>) {
  return queryOptions({
    queryKey: [route, input] as const,
    queryFn: ({ signal }) => (api as AnyRead)(route, input, { signal }),
  });
}

/** A refused call is an answer; only a failed one is worth asking again, once. */
export const worthRetrying = (failures: number, error: Error): boolean =>
  failures < 1 && (asCallError(error)?.status ?? 500) >= 500;
