import type { Prices } from '@mozhan/contract/prices.ts';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { call } from '#web/lib/queries.ts';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

/** Shows a form that needs the site's bounds once they are there. */
export function WithPrices({ children }: { children: (prices: Prices) => ReactNode }) {
  const { data, error, refetch } = useQuery(call(useApi(), 'GET core/fina/price/'));
  if (data !== undefined) return children(data);
  if (error !== null) return <LoadFailed level="h3" error={error} onRetry={refetch} />;
  return (
    <>
      <p className="sr" role="status">
        正在载入…
      </p>
      <div className="stack gap-5" aria-hidden="true">
        <Skeleton height="l" />
        <Skeleton height="l" />
      </div>
    </>
  );
}
