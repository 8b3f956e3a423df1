import { ORDER_STATUS } from '@mozhan/contract/enums.ts';
import type { Order } from '@mozhan/contract/orders.ts';
import { systemCtx } from '../jobs.ts';
import { checkLedger } from '../modules/admin/system/index.ts';
import { makeSandboxCallback } from '../modules/payments/orders/index.ts';
import type { TestApp } from './app.ts';

interface Person {
  token: string;
}

/** Made, and as it was answered. */
export async function makeOrder(t: TestApp, { token }: Person, wanted: object): Promise<Order> {
  const answer = await t.call('POST core/user/order', wanted, { token });
  if (!answer.success) throw new Error(`not ordered: ${answer.errorCode} ${answer.errorMessage}`);
  return answer.data;
}

/** Puts fen into somebody's balance, at the sandbox cashier. */
export async function fund(t: TestApp, person: Person, amount: number): Promise<Order> {
  const { id } = await makeOrder(t, person, { kind: 'recharge', amount, payBy: 'sandbox' });
  const answer = await t.call('PUT core/user/order', { id, action: 'pay' }, { token: person.token });
  if (answer.data.status !== ORDER_STATUS.paid) throw new Error(`not paid: ${answer.errorMessage}`);
  return answer.data;
}

export async function balanceOf(
  t: TestApp,
  { token }: Person,
): Promise<{ balance: number; earnings: number }> {
  const { balance, earnings } = (await t.call('GET core/user/wallet', {}, { token })).data;
  return { balance, earnings };
}

/** The number and key in the address of the cashier. */
export function cashierOf({ pay }: Order): { no: string; key: string } {
  const query = new URL(pay?.url ?? '').searchParams;
  return { no: query.get('no') ?? '', key: query.get('key') ?? '' };
}

/** The cashier's callback over HTTP, once the payer agreed there. */
export async function callBack(t: TestApp, no: string, change: (body: string) => string = (body) => body) {
  const callback = await makeSandboxCallback(systemCtx(t.app.services), no);
  if (callback === null) throw new Error('not paid at the cashier');
  return t.app.server.inject({
    method: 'POST',
    url: '/api/core/fina/notify/sandbox',
    headers: { ...callback.headers, 'content-type': 'application/json' },
    payload: change(callback.body),
  });
}

/** What does not agree in the books: nothing, ever. */
export const listLedgerProblems = (t: TestApp): Promise<string[]> => checkLedger(systemCtx(t.app.services));
