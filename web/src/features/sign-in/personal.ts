import type { ReadRoute } from '@mozhan/contract/client.ts';
import type { QueryClient } from '@tanstack/react-query';

const SITE: ReadRoute = 'GET core/site/';

/** Another person reads from now on: what was loaded for the last one must not be shown to them. */
export function forgetPersonal(queryClient: QueryClient): void {
  const isPersonal = (route: unknown) => String(route).startsWith('GET ') && route !== SITE;
  void queryClient.resetQueries({ predicate: ({ queryKey }) => isPersonal(queryKey[0]) });
}
