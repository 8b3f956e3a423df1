import type { Prices } from '@mozhan/contract/prices.ts';
import type { ReactNode } from 'react';
import { useCall } from '#web/lib/queries.ts';
import { Loaded } from '#web/ui/loaded.tsx';

interface WithPricesProps {
  waiting: ReactNode;
  level?: 'h2' | 'h3';
  children: (prices: Prices) => ReactNode;
}

/** Shows what needs the site's prices and ways to pay once they are there. */
export const WithPrices = (props: WithPricesProps) => (
  <Loaded query={useCall('GET core/fina/price/')} {...props} />
);
