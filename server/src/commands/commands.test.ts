import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openDatabaseForCommand } from '../db/connect.ts';
import { systemCtx } from '../jobs.ts';
import { resetAdministrator } from '../modules/accounts/users/index.ts';
import { ADMIN_PASSWORD, startTestApp, type TestApp } from '../testing/app.ts';
import { testConfig } from '../testing/config.ts';
import { createTestDatabase } from '../testing/database.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

test('resets an administrator to a one-time password without second factor and signs them out', async () => {
  const token = await t.signInAdmin();
  await t.app.services.pool.query(
    "update accounts set totp_on = true, totp_secret = 'JBSWY3DPEHPK3PXP', enabled = false where name = 'admin'",
  );
  const password = await resetAdministrator(systemCtx(t.app.services), 'admin');
  expect((await t.call('GET core/user/', {}, { token })).status).toBe(401);
  const old = await t.call('POST core/account/login', { account: 'admin', password: ADMIN_PASSWORD });
  expect(old.status).toBe(401);
  const fresh = await t.call('POST core/account/login', { account: 'admin', password: password ?? '' });
  expect(fresh.data).toMatchObject({ account: 'admin', mustChangePassword: true, totpOn: false });
});

test('does not reset accounts that are not staff', async () => {
  const { user, token } = await t.register();
  expect(await resetAdministrator(systemCtx(t.app.services), user.account)).toBeNull();
  expect(await resetAdministrator(systemCtx(t.app.services), 'nobody-at-all')).toBeNull();
  expect((await t.call('GET core/user/', {}, { token })).success).toBe(true);
});

test('commands create no database where there is none, and refuse an empty one', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'mozhan-command-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  const config = { ...testConfig(dataDir), databaseUrl: undefined };
  await expect(openDatabaseForCommand(config, () => {})).rejects.toThrow(
    '里还没有数据库：请先用 npm start 启动一次',
  );
  expect(existsSync(join(dataDir, 'pg'))).toBe(false);

  const { connection, drop } = await createTestDatabase({ state: 'bare' });
  onTestFinished(drop);
  const { user, password = '', host, port, database } = connection;
  const query = new URLSearchParams({ host, port: String(port), user, password });
  await expect(
    openDatabaseForCommand({ ...config, databaseUrl: `postgresql:///${database}?${query}` }, () => {}),
  ).rejects.toThrow('数据库还是空的：请先用 npm start 启动一次');
});
