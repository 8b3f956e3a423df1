import type { Input, Output, ReadRoute } from '@mozhan/contract/client.ts';
import { useQuery } from '@tanstack/react-query';
import { Skeleton, type SkeletonProps } from 'antd';
import type { ReactNode } from 'react';
import { useApp } from '#admin/lib/app-context.ts';
import { call } from '#admin/lib/queries.ts';
import { LoadError } from './screen.tsx';

interface LoadedProps<R extends ReadRoute> {
  route: R;
  input?: Input<R>;
  skeleton?: SkeletonProps;
  children: (answer: Output<R>) => ReactNode;
}

/** Renders the response of a read call, a skeleton while loading, or the error with a retry button. */
export function Loaded<R extends ReadRoute>({ route, input, skeleton, children }: LoadedProps<R>) {
  const { api } = useApp();
  const { data, error, refetch } = useQuery(call(api, route, input));
  if (data !== undefined) return children(data);
  if (error !== null) return <LoadError error={error} onRetry={() => void refetch()} />;
  return <Skeleton active {...skeleton} />;
}
