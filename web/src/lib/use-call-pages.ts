import type { Input } from '@mozhan/contract/client.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useApi } from './app-context.ts';
import { callPagesQuery, type PagedRoute } from './queries.ts';

export const useCallPages = <R extends PagedRoute>(route: R, input?: Input<R>, firstPage?: number) =>
  useInfiniteQuery(callPagesQuery(useApi(), route, input, firstPage));
