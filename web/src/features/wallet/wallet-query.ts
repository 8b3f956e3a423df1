import type { QueryClient } from '@tanstack/react-query';
import { queriesOf } from '#contract/browser/query-filter.ts';

/** A withdrawal moved money: what is there, where it went and how far it is. */
export function walletChanged(queryClient: QueryClient): void {
  void queryClient.invalidateQueries(
    queriesOf('GET core/user/wallet', 'GET core/user/wallet/entry', 'GET core/user/withdraw'),
  );
}
