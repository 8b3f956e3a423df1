import type { Input } from '@mozhan/contract/client.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useApi } from './app-context.ts';
import { callPages, type PagedRoute } from './queries.ts';

/** What a read call of a list answers, page by page. */
export const useCallPages = <R extends PagedRoute>(route: R, input?: Input<R>, firstPage?: number) =>
  useInfiniteQuery(callPages(useApi(), route, input, firstPage));
