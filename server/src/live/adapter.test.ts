import { createServer } from 'node:http';
import { Server } from 'socket.io';
import { expect, test } from 'vitest';
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
