import type { ReadRoute } from '@mozhan/contract/client.ts';
import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { invalidateAfterReconnect, invalidateOrderQueries } from './order-queries.ts';

function clientWith(...entries: [route: ReadRoute, data: unknown][]): QueryClient {
  const client = new QueryClient();
  for (const [route, data] of entries) client.setQueryData([route, {}], data);
  return client;
}

const invalidated = (client: QueryClient): unknown[] =>
  client
    .getQueryCache()
    .getAll()
    .filter(({ state }) => state.isInvalidated)
    .map(({ queryKey }) => queryKey[0]);

const affected: ReadRoute[] = [
  'GET core/user/',
  'GET core/user/apply',
  'GET core/user/order',
  'GET core/user/public',
  'GET core/user/wallet',
  'GET core/user/wallet/entry',
  'GET core/member/',
  'GET core/member/term',
  'GET core/essay/{id}',
  'GET core/essay/reward',
];
const others: ReadRoute[] = [
  'GET core/site/',
  'GET core/essay/',
  'GET core/essay/{id}/source',
  'GET core/essay/cmt',
  'GET core/user/follower',
  'GET core/user/withdraw',
];

test('a changed order invalidates everything that depends on payments, and nothing else', async () => {
  const client = clientWith(...[...others, ...affected].map((route): [ReadRoute, unknown] => [route, {}]));
  await invalidateOrderQueries(client);
  expect(invalidated(client)).toEqual(affected);
});

test('after a lost connection it invalidates orders, wallet, application and locked essays, but not open essays', async () => {
  const client = clientWith(
    ['GET core/user/apply', {}],
    ['GET core/user/order', {}],
    ['GET core/user/wallet', {}],
    ['GET core/user/wallet/entry', {}],
    ['GET core/user/', {}],
    ['GET core/essay/', { locked: 'buy' }],
  );
  client.setQueryData(['GET core/essay/{id}', { id: 'locked' }], { locked: 'buy' });
  client.setQueryData(['GET core/essay/{id}', { id: 'open' }], { locked: null });
  await invalidateAfterReconnect(client);
  expect(invalidated(client)).toEqual([
    'GET core/user/apply',
    'GET core/user/order',
    'GET core/user/wallet',
    'GET core/user/wallet/entry',
    'GET core/essay/{id}',
  ]);
  const isOld = (id: string) => client.getQueryState(['GET core/essay/{id}', { id }])?.isInvalidated;
  expect([isOld('locked'), isOld('open')]).toEqual([true, false]);
});

test('after a lost connection it invalidates the account, unless it was loaded just now', async () => {
  const client = clientWith(['GET core/user/', {}]);
  await invalidateAfterReconnect(client);
  expect(invalidated(client)).toEqual([]);
  client.setQueryData(['GET core/user/', {}], {}, { updatedAt: Date.now() - 11_000 });
  await invalidateAfterReconnect(client);
  expect(invalidated(client)).toEqual(['GET core/user/']);
});
