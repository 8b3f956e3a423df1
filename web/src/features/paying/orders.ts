import { queriesOf } from '@mozhan/client/query-filter.ts';
import type { Essay } from '@mozhan/contract/essays.ts';
import type { Order } from '@mozhan/contract/orders.ts';
import type { QueryClient } from '@tanstack/react-query';

/** Something to be paid for. The server knows the price; `amount` is what the reader was shown, in fen. */
export type Purchase =
  | { kind: 'read' | 'column' | 'member'; targetId: string; title: string; amount: number }
  | { kind: 'recharge'; title: string; amount: number }
  /** How much and with which words is asked for in the dialog. */
  | { kind: 'reward'; targetId: string; title: string };

/** Lets a signed-in reader pay for something new, or for an order that waits; nothing comes back from who changed their mind. */
export type Pay = (what: Purchase | Order) => Promise<Order | undefined>;

const MONEY = ['GET core/user/order', 'GET core/user/wallet', 'GET core/user/wallet/entry'] as const;
const ESSAY = 'GET core/essay/{id}';

/** What money or the staff opens, shuts or counts. */
const affected = queriesOf(
  ...MONEY,
  ESSAY,
  'GET core/essay/reward',
  'GET core/member/',
  'GET core/member/term',
  'GET core/user/',
  'GET core/user/apply',
  'GET core/user/public',
);

/**
 * An order was paid, closed or paid back, or the staff changed the account, here or elsewhere: all that may look
 * different now is asked for again.
 */
export const orderChanged = (queryClient: QueryClient): Promise<void> =>
  queryClient.invalidateQueries(affected);

const isMoney = queriesOf(...MONEY).predicate;
const isEssay = queriesOf(ESSAY).predicate;
const isLocked = (essay: unknown): boolean => (essay as Pick<Essay, 'locked'> | undefined)?.locked !== null;

/** Fetches again what an order may have changed that was paid while this page had no live connection. */
export const refreshUnpaid = (queryClient: QueryClient): Promise<void> =>
  queryClient.invalidateQueries({
    predicate: (query) => isMoney(query) || (isEssay(query) && isLocked(query.state.data)),
  });
