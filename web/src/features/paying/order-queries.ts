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

/** What was loaded shortly before a connection is current. */
const CURRENT_FOR_MS = 10_000;

const isMoneyOrApplication = queryFilterOf(...MONEY_ROUTES, 'GET core/user/apply').predicate;
const isAccountQuery = queryFilterOf('GET core/user/').predicate;
const isEssayQuery = queryFilterOf(ESSAY_ROUTE).predicate;
const isLocked = (essay: unknown): boolean => (essay as Pick<Essay, 'locked'> | undefined)?.locked !== null;

/** Reloads what a payment or staff may have changed while this page had no live connection. */
export const invalidateAfterReconnect = (queryClient: QueryClient): Promise<void> =>
  queryClient.invalidateQueries({
    predicate: (query) =>
      isMoneyOrApplication(query) ||
      (isEssayQuery(query) && isLocked(query.state.data)) ||
      (isAccountQuery(query) && Date.now() - query.state.dataUpdatedAt > CURRENT_FOR_MS),
  });
