import { createServer } from 'node:http';
import { Server } from 'socket.io';
import { expect, test, vi } from 'vitest';
import { createPool } from '../db/client.ts';
import { createTestDatabase } from '../testing/database.ts';
import { openAdapter } from './adapter.ts';

test('returns its connection to the pool, even if it is closed while connecting', async () => {
  const { connection, drop } = await createTestDatabase();
  const pool = createPool(connection);
  const errors: Error[] = [];
  const { adapter } = await openAdapter({ redisUrl: undefined }, pool, (error) => errors.push(error));
  const io = new Server(createServer(), { adapter });
  await io.close();
  await expect.poll(() => pool.totalCount - pool.idleCount).toBe(0);
  await pool.end();
  await drop();
  expect(errors).toEqual([]);
});

test('events that are sent together share statements and arrive in order', async () => {
  const { connection, drop } = await createTestDatabase();
  const pools = [createPool(connection), createPool(connection)];
  const errors: Error[] = [];
  const servers = await Promise.all(
    pools.map(async (pool) => {
      const { adapter } = await openAdapter({ redisUrl: undefined }, pool, (error) => errors.push(error));
      return new Server(createServer(), { adapter });
    }),
  );
  const [sender, receiver] = servers;
  const received: number[] = [];
  receiver?.on('number', (number: number) => received.push(number));
  // Until both listen, events are lost.
  await expect
    .poll(() => {
      sender?.serverSideEmit('number', -1);
      return received.length;
    })
    .toBeGreaterThan(0);
  const statements = vi.spyOn(pools[0] as (typeof pools)[0], 'query');
  for (let number = 0; number < 100; number++) sender?.serverSideEmit('number', number);
  await expect
    .poll(() => received.filter((number) => number >= 0))
    .toEqual(Array.from({ length: 100 }, (_, i) => i));
  expect(statements.mock.calls.length).toBeLessThan(10);
  for (const server of servers) await server.close();
  for (const pool of pools) await pool.end();
  await drop();
  expect(errors).toEqual([]);
});
