import type { Input, Output, ReadRoute } from '@mozhan/contract/client.ts';
import { useQuery } from '@tanstack/react-query';
import { Skeleton, type SkeletonProps } from 'antd';
import type { ReactNode } from 'react';
import { useApp } from '#admin/lib/app-context.ts';
import { call } from '#admin/lib/queries.ts';
import { Failed } from './screen.tsx';

interface LoadedProps<R extends ReadRoute> {
  route: R;
  input?: Input<R>;
  /** Until it is there. */
  skeleton?: SkeletonProps;
  children: (answer: Output<R>) => ReactNode;
}

/** What a call answers, or why it does not. */
export function Loaded<R extends ReadRoute>({ route, input, skeleton, children }: LoadedProps<R>) {
  const { api } = useApp();
  const { data, error, refetch } = useQuery(call(api, route, input));
  if (data !== undefined) return children(data);
  if (error !== null) return <Failed error={error} onRetry={() => void refetch()} />;
  return <Skeleton active {...skeleton} />;
}
