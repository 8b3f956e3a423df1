import { queryFilterOf } from '@mozhan/client/query-filter.ts';
import type { Essay } from '@mozhan/contract/essays.ts';
import type { Order } from '@mozhan/contract/orders.ts';
import type { QueryClient } from '@tanstack/react-query';

/** Something for sale. The server knows the price; `amount` is the one displayed to the reader, in fen. */
export type Purchase =
  | { kind: 'read' | 'column' | 'member'; targetId: string; title: string; amount: number }
  | { kind: 'recharge'; title: string; amount: number }
  /** The dialog asks for the amount and the message. */
  | { kind: 'reward'; targetId: string; title: string };

/** Lets a signed-in reader pay for a purchase or a waiting order; resolves to undefined when the reader cancels. */
export type PayFunction = (purchase: Purchase | Order) => Promise<Order | undefined>;

const MONEY_ROUTES = ['GET core/user/order', 'GET core/user/wallet', 'GET core/user/wallet/entry'] as const;
const ESSAY_ROUTE = 'GET core/essay/{id}';

/** Queries whose results depend on payments or on changes of the account by staff. */
const affectedQueries = queryFilterOf(
  ...MONEY_ROUTES,
  ESSAY_ROUTE,
  'GET core/essay/column/{id}',
  'GET core/essay/reward',
  'GET core/member/',
  'GET core/member/term',
  'GET core/user/',
  'GET core/user/apply',
  'GET core/user/public',
);

/** Called when an order was paid, closed or refunded, or when staff changed the account, here or elsewhere. */
export const invalidateOrderQueries = (queryClient: QueryClient): Promise<void> =>
  queryClient.invalidateQueries(affectedQueries);

const isMoneyQuery = queryFilterOf(...MONEY_ROUTES).predicate;
const isEssayQuery = queryFilterOf(ESSAY_ROUTE).predicate;
const isLocked = (essay: unknown): boolean => (essay as Pick<Essay, 'locked'> | undefined)?.locked !== null;

/** Reloads what may have changed by a payment while this page had no live connection. */
export const invalidateAfterReconnect = (queryClient: QueryClient): Promise<void> =>
  queryClient.invalidateQueries({
    predicate: (query) => isMoneyQuery(query) || (isEssayQuery(query) && isLocked(query.state.data)),
  });
