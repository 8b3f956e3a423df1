import type { ReadRoute } from '@mozhan/contract/client.ts';

export interface QueryFilter {
  predicate: (query: { queryKey: readonly unknown[] }) => boolean;
}

/** Selects the cached queries of these calls with any input; a query key begins with the name of its call. */
export function queryFilterOf(...routes: ReadRoute[]): QueryFilter {
  const names = new Set<unknown>(routes);
  return { predicate: ({ queryKey: [name] }) => names.has(name) };
}
