import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runMigrations } from 'graphile-worker';
import { TOTP } from 'otpauth';
import type pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type Config, ConfigError, readConfig } from '../config/config.ts';
import { createDb, createPool } from '../db/client.ts';
import { newId } from '../db/id.ts';
import { applyMigrations, migrate, readMigrations } from '../db/migrate.ts';
import { listExistingTables } from '../modules/admin/backups/catalog.ts';
import { getSecret } from '../modules/platform/settings/index.ts';
import { startTestApp, TEST_KEY, type TestApp } from '../testing/app.ts';
import { createTestDatabase } from '../testing/database.ts';
import { createEncryption } from './encryption.ts';
import { keyFilePath } from './key-file.ts';
import {
  inPoolTransaction,
  listKeyIds,
  openEncryption,
  protectSecrets,
  reencryptSecrets,
  SECRETS_MIGRATION,
  secretContextOf,
} from './secrets.ts';

let t: TestApp;
let admin: { token: string };
beforeAll(async () => {
  // No server listens there, so that mails stay queued.
  t = await startTestApp({ config: { smtpUrl: 'smtp://127.0.0.1:9' } });
  admin = { token: await t.signInAdmin() };
});
afterAll(() => t.close());

const ignoreNote = () => {};
const newKey = (): KeyObject => createSecretKey(randomBytes(32));

async function dumpDatabase(pool: pg.Pool): Promise<string> {
  const client = await pool.connect();
  const tables = (await listExistingTables(client)).map((name) => `select row::text from "${name}" as row`);
  tables.push('select payload::text from graphile_worker._private_jobs');
  const { rows } = await client.query({ text: tables.join(' union all '), rowMode: 'array' });
  client.release();
  return rows.flat().join('\n');
}

const codeOf = (secret: string) =>
  new TOTP({ secret }).generate({ timestamp: t.app.services.clock().getTime() });

test('the database contains no secret in plain text', async () => {
  const { data: enrolled } = await t.call('POST core/account/totp', {}, admin);
  const given = { name: '同步', url: 'https://example.com/', events: ['order.paid'], enabled: 1 };
  const webhook = await t.call('POST core/sys/webhook/', { ...given, requestId: 'once' }, admin);
  const { user, token } = await t.register();
  await t.call('POST core/account/code', { purpose: 'bind', target: 'reader@site.test' }, { token });
  const { rows } = await t.app.services.pool.query(
    "select payload from graphile_worker._private_jobs as jobs join graphile_worker._private_tasks as tasks on tasks.id = task_id where identifier = 'send-mail'",
  );
  expect(rows).toEqual([{ payload: { encrypted: expect.stringMatching(/^enc1:/) } }]);
  const all = await dumpDatabase(t.app.services.pool);
  expect(all).toContain(user.account);
  for (const secret of [enrolled.secret, webhook.data.secret, 'whsec_', t.app.services.secret])
    expect(all).not.toContain(secret);
  // The stored secrets still work.
  expect((await t.call('PUT core/account/totp', { code: codeOf(enrolled.secret) }, admin)).success).toBe(
    true,
  );
  const again = await t.call('GET core/sys/webhook/secret', { id: webhook.data.id }, admin);
  expect(again.data.secret).toBe(webhook.data.secret);
});

test('a secret copied to another row cannot be decrypted there', async () => {
  const given = { name: '另一个', url: 'https://example.com/', events: ['order.paid'], enabled: 1 };
  const [one, two] = [
    (await t.call('POST core/sys/webhook/', given, admin)).data.id,
    (await t.call('POST core/sys/webhook/', given, admin)).data.id,
  ];
  await t.app.services.pool.query(
    'update webhook_endpoints set secret = (select secret from webhook_endpoints where id = $1) where id = $2',
    [one, two],
  );
  expect((await t.call('GET core/sys/webhook/secret', { id: one }, admin)).success).toBe(true);
  expect((await t.call('GET core/sys/webhook/secret', { id: two }, admin)).status).toBe(500);
  await t.app.services.pool.query('delete from webhook_endpoints where id = any($1)', [[one, two]]);
});

interface OldDatabase {
  pool: pg.Pool;
  config: Config;
  userId: string;
  endpointId: string;
}
const PLAIN = { site: 'site-secret', totp: 'JBSWY3DPEHPK3PXP', webhook: 'whsec_old' };
const MAIL = { to: 'reader@site.test', subject: '验证码 123456', text: '123456' };

/** A database of the last version without encryption. */
async function createOldDatabase(key: KeyObject | null = TEST_KEY): Promise<OldDatabase> {
  const { connection, drop } = await createTestDatabase({ state: 'bare' });
  const pool = createPool(connection);
  const dataDir = await mkdtemp(join(tmpdir(), 'mozhan-secrets-'));
  onTestFinished(async () => {
    await pool.end();
    await drop();
    await rm(dataDir, { recursive: true });
  });
  const before = (await readMigrations()).map(({ name }) => name).filter((name) => name < SECRETS_MIGRATION);
  const client = await pool.connect();
  await applyMigrations(client, before);
  client.release();
  await runMigrations({ pgPool: pool });
  const [userId, endpointId] = [newId(), newId()];
  await pool.query(
    `insert into users (id, display_name, cur_identity, invite_code, created_at, updated_at)
     values ($1, '老用户', 1, 'old', now(), now())`,
    [userId],
  );
  await pool.query(
    `insert into accounts (user_id, name, password_hash, totp_secret, totp_on, updated_at)
     values ($1, 'old', 'x', $2, true, now())`,
    [userId, PLAIN.totp],
  );
  await pool.query(
    `insert into webhook_endpoints (id, name, url, events, secret, enabled, created_at)
     values ($1, '同步', 'https://example.com/', '{order.paid}', $2, true, now())`,
    [endpointId, PLAIN.webhook],
  );
  await pool.query(
    "insert into settings (key, value, updated_at) values ('secret', to_jsonb($1::text), now())",
    [PLAIN.site],
  );
  await pool.query(
    `insert into sessions (id, user_id, via, device, address, region, created_at, renewed_at, used_at)
     values ($1, $2, 'password', '', '', '', now(), now(), now())`,
    [newId(), userId],
  );
  await pool.query(
    "select graphile_worker.add_job('send-mail', payload => $1, run_at => now() + interval '1 day')",
    [JSON.stringify(MAIL)],
  );
  await pool.query(
    `insert into requests (user_id, request_id, content_hash, response, created_at)
     values ($1, 'webhook', '', $2, now()), ($1, 'other', '', '{"data": {"id": 1}}', now())`,
    [userId, JSON.stringify({ data: { secret: PLAIN.webhook } })],
  );
  const config = { ...readConfig({ DATA_DIR: dataDir }), secretKey: key === null ? [] : [key] };
  return { pool, config, userId, endpointId };
}

async function readSecrets({ pool, userId, endpointId }: OldDatabase, ...keys: [KeyObject, ...KeyObject[]]) {
  const encryption = createEncryption(keys);
  const queryValue = async (text: string) => (await pool.query({ text, rowMode: 'array' })).rows[0]?.[0];
  const payload = await queryValue('select payload from graphile_worker._private_jobs');
  return {
    site: await getSecret(createDb(pool), new Date(), encryption),
    totp: encryption.decrypt(
      secretContextOf.totp(userId),
      await queryValue('select totp_secret from accounts'),
    ),
    webhook: encryption.decrypt(
      secretContextOf.webhook(endpointId),
      await queryValue('select secret from webhook_endpoints'),
    ),
    mail: JSON.parse(encryption.decrypt(secretContextOf.job('send-mail'), payload.encrypted)),
  };
}

test('one of several starting processes encrypts the secrets of an older version', async () => {
  const old = await createOldDatabase();
  await migrate(old.pool);
  await Promise.all([1, 2, 3].map(() => protectSecrets(old.config, old.pool, ignoreNote)));
  expect(await readSecrets(old, TEST_KEY)).toEqual({ ...PLAIN, mail: MAIL });
  const all = await dumpDatabase(old.pool);
  for (const secret of [...Object.values(PLAIN), MAIL.text]) expect(all).not.toContain(secret);
  const { rows } = await old.pool.query('select request_id from requests');
  expect(rows).toEqual([{ request_id: 'other' }]);
  const before = await dumpDatabase(old.pool);
  await protectSecrets(old.config, old.pool, ignoreNote);
  expect(await dumpDatabase(old.pool)).toBe(before);
});

test('a failed conversion changes nothing, and the next start repeats it', async () => {
  const old = await createOldDatabase();
  await migrate(old.pool);
  await old.pool.query(`
    create function fail() returns trigger language plpgsql as $$ begin raise 'broken off'; end $$;
    create trigger fail before update on webhook_endpoints execute function fail()`);
  await expect(protectSecrets(old.config, old.pool, ignoreNote)).rejects.toThrow('broken off');
  const all = await dumpDatabase(old.pool);
  for (const secret of Object.values(PLAIN)) expect(all).toContain(secret);
  expect(all).not.toContain('enc1:');
  // Code that reads secrets rejects unencrypted ones.
  const encryption = createEncryption([TEST_KEY]);
  await expect(getSecret(createDb(old.pool), new Date(), encryption)).rejects.toThrow('npm start');
  await old.pool.query('drop function fail cascade');
  await protectSecrets(old.config, old.pool, ignoreNote);
  expect(await readSecrets(old, TEST_KEY)).toEqual({ ...PLAIN, mail: MAIL });
});

test('the next start re-encrypts everything with a new key, after which the old one is not needed', async () => {
  const old = await createOldDatabase();
  await migrate(old.pool);
  await protectSecrets(old.config, old.pool, ignoreNote);
  const key = newKey();
  await expect(protectSecrets({ ...old.config, secretKey: [key] }, old.pool, ignoreNote)).rejects.toThrow(
    '这里的密钥不对',
  );
  await protectSecrets({ ...old.config, secretKey: [key], secretKeyOld: [TEST_KEY] }, old.pool, ignoreNote);
  expect(await readSecrets(old, key)).toEqual({ ...PLAIN, mail: MAIL });
  await protectSecrets({ ...old.config, secretKey: [key] }, old.pool, ignoreNote);
});

test('the next start re-encrypts values that a process with the old key wrote meanwhile', async () => {
  const old = await createOldDatabase();
  await migrate(old.pool);
  const key = newKey();
  await protectSecrets({ ...old.config, secretKey: [key] }, old.pool, ignoreNote);
  const late = createEncryption([TEST_KEY]).encrypt(secretContextOf.totp(old.userId), PLAIN.totp);
  await old.pool.query('update accounts set totp_secret = $1', [late]);
  await expect(protectSecrets({ ...old.config, secretKey: [key] }, old.pool, ignoreNote)).rejects.toThrow(
    ConfigError,
  );
  await protectSecrets({ ...old.config, secretKey: [key, TEST_KEY] }, old.pool, ignoreNote);
  expect((await readSecrets(old, key)).totp).toBe(PLAIN.totp);
});

test('creates a key file for an embedded database once and does not replace a lost one', async () => {
  const old = await createOldDatabase(null);
  await migrate(old.pool);
  const notes: string[] = [];
  await protectSecrets(old.config, old.pool, (message) => notes.push(message));
  expect(notes.join()).toContain(keyFilePath(old.config));
  await protectSecrets(old.config, old.pool, (message) => notes.push(message));
  expect(notes).toHaveLength(1);
  await rm(keyFilePath(old.config));
  const refusal = await openEncryption(old.config, old.pool).catch((error: unknown) => String(error));
  expect(refusal).toContain('没有密钥');
  expect(refusal).toContain(keyFilePath(old.config));
  expect(existsSync(keyFilePath(old.config))).toBe(false);
});

test('an external database requires SECRET_KEY', async () => {
  const old = await createOldDatabase(null);
  await migrate(old.pool);
  const external = { ...old.config, databaseUrl: 'postgresql://elsewhere/mozhan' };
  await expect(protectSecrets(external, old.pool, ignoreNote)).rejects.toThrow('须设置 SECRET_KEY');
  expect(existsSync(keyFilePath(old.config))).toBe(false);
  expect(await dumpDatabase(old.pool)).toContain(PLAIN.totp);
});

test('when two machines start a new site with different keys, one fails', async () => {
  const { connection, drop } = await createTestDatabase();
  const pool = createPool(connection);
  onTestFinished(async () => {
    await pool.end();
    await drop();
  });
  const results = await Promise.allSettled(
    [newKey(), newKey()].map((key) => getSecret(createDb(pool), new Date(), createEncryption([key]))),
  );
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  const refused = results.find((result) => result.status === 'rejected');
  expect(String(refused?.reason)).toContain('这里的密钥不对');
});

test('withoutKey replaces or deletes only secrets whose key is lost', async () => {
  const old = await createOldDatabase();
  await migrate(old.pool);
  await protectSecrets(old.config, old.pool, ignoreNote);
  const key = newKey();
  const encryption = createEncryption([key]);
  const lost = await inPoolTransaction(old.pool, (client) =>
    reencryptSecrets(client, encryption, { withoutKey: true }),
  );
  expect(lost).toEqual({ totp: 1, webhooks: 1 });
  const client = await old.pool.connect();
  expect(await listKeyIds(client)).toEqual([encryption.prefix.split(':')[1]]);
  client.release();
  const { rows } = await old.pool.query(
    `select totp_secret, totp_on, (select count(*)::int from sessions) as sessions,
       (select count(*)::int from graphile_worker._private_jobs) as jobs,
       (select secret from webhook_endpoints) as secret
     from accounts`,
  );
  expect(rows).toMatchObject([{ totp_secret: null, totp_on: false, sessions: 0, jobs: 0 }]);
  expect(encryption.decrypt(secretContextOf.webhook(old.endpointId), rows[0].secret)).toMatch(/^whsec_/);
  expect(await getSecret(createDb(old.pool), new Date(), encryption)).not.toBe(PLAIN.site);
});

test('a tampered value stops the conversion with a message', async () => {
  const old = await createOldDatabase();
  await migrate(old.pool);
  const elsewhere = createEncryption([TEST_KEY]).encrypt(secretContextOf.totp(newId()), PLAIN.totp);
  await old.pool.query('update accounts set totp_secret = $1', [elsewhere]);
  const config = { ...old.config, secretKey: [newKey(), TEST_KEY] };
  await expect(protectSecrets(config, old.pool, ignoreNote)).rejects.toThrow(
    /accounts\.totp_secret .*无法解密/,
  );
});
