import type { QueryClient } from '@tanstack/react-query';
import type { Essay } from '#contract/essays.ts';
import type { Order } from '#contract/orders.ts';

/** Something to be paid for. The server knows the price; `amount` is what the reader was shown, in fen. */
export type Purchase =
  | { kind: 'read' | 'column' | 'member'; targetId: string; title: string; amount: number }
  | { kind: 'recharge'; title: string; amount: number }
  /** How much and with which words is asked for in the dialog. */
  | { kind: 'reward'; targetId: string; title: string };

/** Lets a signed-in reader pay for something new, or for an order that waits; nothing comes back from who changed their mind. */
export type Pay = (what: Purchase | Order) => Promise<Order | undefined>;

/** What money or the staff opens, shuts or counts. */
const AFFECTED = /^GET core\/(user\/(apply|order|public|wallet.*)?|member\/.*|essay\/(\{id\}|reward))$/;

/**
 * An order was paid, closed or paid back, or the staff changed the account, here or elsewhere: all that may look
 * different now is asked for again.
 */
export const orderChanged = (queryClient: QueryClient): Promise<void> =>
  queryClient.invalidateQueries({ predicate: ({ queryKey }) => AFFECTED.test(String(queryKey[0])) });

const isLocked = (essay: unknown): boolean => (essay as Pick<Essay, 'locked'> | undefined)?.locked !== null;

/** Fetches again what an order may have changed that was paid while this page had no live connection. */
export const refreshUnpaid = (queryClient: QueryClient): Promise<void> =>
  queryClient.invalidateQueries({
    predicate: ({ queryKey: [name], state: { data } }) =>
      /^GET core\/user\/(order|wallet.*)$/.test(String(name)) ||
      (name === 'GET core/essay/{id}' && isLocked(data)),
  });
