import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDb } from './db/client.ts';
import { serializeError } from './log.ts';
import { startTestApp, type TestApp } from './testing/app.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

test('a failed query is logged without its parameter values', async () => {
  const db = createDb(t.app.services.pool);
  const secret = 'a-secret-value';
  const failure = await db.execute(sql`select ${secret} from nowhere`).catch((error: unknown) => error);
  const logged = JSON.stringify(serializeError(failure));
  expect(logged).not.toContain(secret);
  expect(logged).toContain('from nowhere');
  expect(logged).toContain('42P01');
});

test('a constraint violation is logged without the row', async () => {
  const { user } = await t.register();
  const failure = await t.app.services.pool
    .query('insert into accounts (user_id, name, password_hash, updated_at) values ($1, $2, $3, now())', [
      user.id,
      'x',
      'the-hash',
    ])
    .catch((error: unknown) => error);
  const logged = JSON.stringify(serializeError(failure));
  expect(logged).toContain('23505');
  expect(logged).not.toContain('the-hash');
});
