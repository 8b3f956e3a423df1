import type { Prices } from '@mozhan/contract/prices.ts';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { call } from '#web/lib/queries.ts';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

/** Shows what needs the site's prices and ways to pay once they are there. */
export function WithPrices({ children }: { children: (prices: Prices) => ReactNode }) {
  const { data, error, refetch } = useQuery(call(useApi(), 'GET core/fina/price/'));
  if (data !== undefined) return children(data);
  if (error !== null) return <LoadFailed error={error} onRetry={refetch} />;
  return (
    <>
      <p className="sr" role="status">
        正在载入…
      </p>
      <div aria-hidden="true" className="stack gap-4">
        <Skeleton width="50" />
        <Skeleton height="l" />
        <Skeleton height="l" />
      </div>
    </>
  );
}
