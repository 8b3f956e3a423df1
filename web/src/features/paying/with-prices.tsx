import type { Prices } from '@mozhan/contract/prices.ts';
import type { ReactNode } from 'react';
import { useCall } from '#web/lib/queries.ts';
import { QueryContent } from '#web/ui/query-content.tsx';

interface WithPricesProps {
  loading: ReactNode;
  level?: 'h2' | 'h3';
  children: (prices: Prices) => ReactNode;
}

/** Renders its children once the site's prices and payment methods are loaded. */
export const WithPrices = (props: WithPricesProps) => (
  <QueryContent query={useCall('GET core/fina/price/')} {...props} />
);
