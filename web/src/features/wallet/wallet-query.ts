import { queriesOf } from '@mozhan/client/query-filter.ts';
import type { QueryClient } from '@tanstack/react-query';

/** A withdrawal moved money: what is there, where it went and how far it is. */
export function walletChanged(queryClient: QueryClient): void {
  void queryClient.invalidateQueries(
    queriesOf('GET core/user/wallet', 'GET core/user/wallet/entry', 'GET core/user/withdraw'),
  );
}
