import { setTimeout as sleep } from 'node:timers/promises';
import { ESSAY_STATUS, IDENTITY } from '@mozhan/contract/enums.ts';
import type pg from 'pg';

const CONNECTIONS = 50;

/** A function, because a restarted server has another URL. */
export interface Shop {
  url: () => string;
}

export interface Purchase {
  person: number;
  essayId: string;
}

/** Creates paid on-shelf essays of all writers in turn; the price is in fen. */
export async function createPaidEssays(client: pg.Client, count: number, price: number): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `with authors as (
       select array_agg(id) as ids from users where cur_identity = ${IDENTITY.writer}
     )
     insert into essays
     select (jsonb_populate_record(model, jsonb_build_object(
       'id', gen_random_uuid(), 'title', '第 ' || n || ' 篇', 'price', $1::int, 'column_id', null,
       'author_id', ids[1 + n % cardinality(ids)]))).*
     from (select essays from essays where status = ${ESSAY_STATUS.onShelf} and price > 0 order by id limit 1) as chosen (model),
       authors, generate_series(1, $2::int) n
     returning id`,
    [price, count],
  );
  return rows.map((row) => row.id.replaceAll('-', ''));
}

interface Answer {
  success: boolean;
  errorCode?: string;
  data?: { id: string; status: number };
}

async function call(shop: Shop, method: string, token: string, body: object): Promise<Answer> {
  const response = await fetch(`${shop.url()}/api/core/user/order`, {
    method,
    headers: { token, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return (await response.json()) as Answer;
}

/** Retries with the same `requestId` until there is a response. */
async function callUntilAnswered(shop: Shop, method: string, token: string, body: object): Promise<string> {
  for (;;) {
    const answer = await call(shop, method, token, body).catch(() => null);
    if (answer?.success && answer.data?.status !== undefined) return answer.data.id;
    if (answer !== null && answer.errorCode !== 'UNAVAILABLE') throw new Error(JSON.stringify(answer));
    await sleep(100);
  }
}

/** Recharges the balance of every user; the amount is in fen. */
export async function topUp(shop: Shop, tokens: string[], amount: number): Promise<void> {
  const recharge = async (token: string, person: number) => {
    const requestId = `recharge-${person}`;
    const order = { kind: 'recharge', amount, payBy: 'sandbox', requestId };
    const id = await callUntilAnswered(shop, 'POST', token, order);
    await callUntilAnswered(shop, 'PUT', token, { id, action: 'pay' });
  };
  await Promise.all(tokens.map(recharge));
}

/** Buys from the balance; resolves to the id of the order. */
export const buy = (shop: Shop, token: string, { person, essayId }: Purchase): Promise<string> =>
  callUntilAnswered(shop, 'POST', token, {
    kind: 'read',
    targetId: essayId,
    payBy: 'balance',
    requestId: `${person}-${essayId}`,
  });

/** All users buy the same essay before the next one, to create contention on the same rows. */
export const allPurchases = (userCount: number, essayIds: string[]): Purchase[] =>
  essayIds.flatMap((essayId) => Array.from({ length: userCount }, (_, person) => ({ person, essayId })));

/** Makes all purchases over several connections; calls `bought` for each confirmed one. */
export async function buyAll(
  shop: Shop,
  tokens: string[],
  purchases: Purchase[],
  bought: (orderId: string) => void = () => {},
): Promise<void> {
  const waiting = purchases.values();
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      for (const purchase of waiting) bought(await buy(shop, tokens[purchase.person] ?? '', purchase));
    }),
  );
}
