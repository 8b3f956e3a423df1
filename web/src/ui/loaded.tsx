import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { LoadFailed } from './load-failed.tsx';

interface LoadedProps<T> {
  query: Pick<UseQueryResult<T>, 'data' | 'error' | 'refetch'>;
  /** Stands there until the answer comes. */
  waiting: ReactNode;
  level?: 'h2' | 'h3';
  children: (data: Exclude<T, undefined>) => ReactNode;
}

/** What a query answered; until then the shape of it, or what went wrong. */
export function Loaded<T>({ query: { data, error, refetch }, waiting, level, children }: LoadedProps<T>) {
  if (data !== undefined) return children(data as Exclude<T, undefined>);
  return error === null ? waiting : <LoadFailed level={level} error={error} onRetry={refetch} />;
}
