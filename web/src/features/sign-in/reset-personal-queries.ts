import type { ReadRoute } from '@mozhan/contract/client.ts';
import type { QueryClient } from '@tanstack/react-query';

const SITE: ReadRoute = 'GET core/site/';

/** Data loaded for the previous user must not be displayed to the next one. */
export function resetPersonalQueries(queryClient: QueryClient): void {
  const isPersonal = (route: unknown) => String(route).startsWith('GET ') && route !== SITE;
  void queryClient.resetQueries({ predicate: ({ queryKey }) => isPersonal(queryKey[0]) });
}
