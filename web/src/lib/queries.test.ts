import { expect, test } from 'vitest';
import { createQueryClient } from './queries.ts';

test('finds a query whatever the order of the fields in its key', () => {
  const client = createQueryClient('server');
  client.setQueryData(['GET a', { id: '1' }], 'one field');
  client.setQueryData(['GET b', { page: 1, tag: 'x' }, 'pages', 1], 'two fields');
  client.setQueryData(['GET c', { range: { from: 1, to: 2 } }], 'nested');
  expect(client.getQueryData(['GET a', { id: '1' }])).toBe('one field');
  expect(client.getQueryData(['GET a', { id: '2' }])).toBeUndefined();
  expect(client.getQueryData(['GET b', { tag: 'x', page: 1 }, 'pages', 1])).toBe('two fields');
  expect(client.getQueryData(['GET c', { range: { to: 2, from: 1 } }])).toBe('nested');
});

test('fetches a query once for a page of the server, and pages of lists as the browser does', async () => {
  const client = createQueryClient('server');
  let calls = 0;
  const queryFn = async ({ pageParam }: { pageParam?: unknown }) => ({ call: ++calls, pageParam });
  const single = { queryKey: ['GET a'], queryFn };
  const [first, second] = await Promise.all([client.ensureQueryData(single), client.fetchQuery(single)]);
  expect([first, second, client.getQueryData(['GET a'])]).toEqual([1, 1, 1].map((call) => ({ call })));
  const pages = {
    queryKey: ['GET b'],
    queryFn,
    initialPageParam: { page: 2 },
    getNextPageParam: () => undefined,
  };
  await client.prefetchInfiniteQuery(pages);
  const expected = { pages: [{ call: 2, pageParam: { page: 2 } }], pageParams: [{ page: 2 }] };
  expect(await client.ensureInfiniteQueryData(pages)).toEqual(expected);
  const browser = createQueryClient('browser');
  calls = 1;
  expect(await browser.ensureInfiniteQueryData(pages)).toEqual(expected);
  browser.clear();
});

test('a query that fails on the server has no data, and rejects only for those who need it', async () => {
  const client = createQueryClient('server');
  const failing = { queryKey: ['GET a'], queryFn: () => Promise.reject(new Error('no answer')) };
  await client.prefetchQuery(failing);
  expect(client.getQueryState(['GET a'])?.data).toBeUndefined();
  await expect(client.ensureQueryData(failing)).rejects.toThrow('no answer');
});
