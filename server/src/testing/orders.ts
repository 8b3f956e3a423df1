import { ORDER_STATUS } from '@mozhan/contract/enums.ts';
import type { Order } from '@mozhan/contract/orders.ts';
import { systemCtx } from '../jobs.ts';
import { checkLedger } from '../modules/admin/system/index.ts';
import { createSandboxCallback } from '../modules/payments/orders/index.ts';
import type { TestApp } from './app.ts';

interface SignedIn {
  token: string;
}

export async function createOrder(t: TestApp, { token }: SignedIn, fields: object): Promise<Order> {
  const response = await t.call('POST core/user/order', fields, { token });
  if (!response.success) throw new Error(`not ordered: ${response.errorCode} ${response.errorMessage}`);
  return response.data;
}

/** Adds fen to a user's balance through the sandbox. */
export async function rechargeBalance(t: TestApp, user: SignedIn, amount: number): Promise<Order> {
  const { id } = await createOrder(t, user, { kind: 'recharge', amount, payBy: 'sandbox' });
  const response = await t.call('PUT core/user/order', { id, action: 'pay' }, { token: user.token });
  if (response.data.status !== ORDER_STATUS.paid) throw new Error(`not paid: ${response.errorMessage}`);
  return response.data;
}

export async function balanceOf(
  t: TestApp,
  { token }: SignedIn,
): Promise<{ balance: number; earnings: number }> {
  const { balance, earnings } = (await t.call('GET core/user/wallet', {}, { token })).data;
  return { balance, earnings };
}

export function parseCashierUrl({ pay }: Order): { no: string; key: string } {
  const query = new URL(pay?.url ?? '').searchParams;
  return { no: query.get('no') ?? '', key: query.get('key') ?? '' };
}

/** Sends the sandbox's callback over HTTP; the order must be paid in the sandbox before. */
export async function sendSandboxCallback(
  t: TestApp,
  no: string,
  change: (body: string) => string = (body) => body,
) {
  const callback = await createSandboxCallback(systemCtx(t.app.services), no);
  if (callback === null) throw new Error('the order is not paid in the sandbox');
  return t.app.server.inject({
    method: 'POST',
    url: '/api/core/fina/notify/sandbox',
    headers: { ...callback.headers, 'content-type': 'application/json' },
    payload: change(callback.body),
  });
}

export const listLedgerProblems = (t: TestApp): Promise<string[]> => checkLedger(systemCtx(t.app.services));
