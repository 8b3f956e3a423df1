import type { QueryClient } from '@tanstack/react-query';

/** Another person reads from now on: what was loaded for the last one must not be shown to them. */
export function forgetPersonal(queryClient: QueryClient): void {
  void queryClient.resetQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'GET core/site/' });
}
