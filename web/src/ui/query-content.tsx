import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { LoadFailed } from './load-failed.tsx';

interface QueryContentProps<T> {
  query: Pick<UseQueryResult<T>, 'data' | 'error' | 'refetch'>;
  loading: ReactNode;
  level?: 'h2' | 'h3';
  children: (data: Exclude<T, undefined>) => ReactNode;
}

/** Renders the data of a query, its loading state, or its error with a retry button. */
export function QueryContent<T>({
  query: { data, error, refetch },
  loading,
  level,
  children,
}: QueryContentProps<T>) {
  if (data !== undefined) return children(data as Exclude<T, undefined>);
  return error === null ? loading : <LoadFailed level={level} error={error} onRetry={refetch} />;
}
