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
