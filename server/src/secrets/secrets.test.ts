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
import { migrate, migrateWithin, readMigrations } from '../db/migrate.ts';
import { listPresent } from '../modules/admin/backups/catalog.ts';
import { getSecret } from '../modules/platform/settings/index.ts';
import { startTestApp, TEST_KEY, type TestApp } from '../testing/app.ts';
import { createTestDatabase } from '../testing/database.ts';
import { createEncryption } from './encryption.ts';
import { keyFile } from './key-file.ts';
import {
  convertSecrets,
  inTransaction,
  listKeyIds,
  openEncryption,
  placeOf,
  protectSecrets,
  SECRETS_MIGRATION,
} from './secrets.ts';

let t: TestApp;
let admin: { token: string };
beforeAll(async () => {
  // Nobody answers there, so that mails wait.
  t = await startTestApp({ config: { smtpUrl: 'smtp://127.0.0.1:9' } });
  admin = { token: await t.signInAdmin() };
});
afterAll(() => t.close());

const quiet = () => {};
const newKey = (): KeyObject => createSecretKey(randomBytes(32));

/** Everything that the database holds, as text. */
async function readAll(pool: pg.Pool): Promise<string> {
  const client = await pool.connect();
  const tables = (await listPresent(client)).map((name) => `select row::text from "${name}" as row`);
  tables.push('select payload::text from graphile_worker._private_jobs');
  const { rows } = await client.query({ text: tables.join(' union all '), rowMode: 'array' });
  client.release();
  return rows.flat().join('\n');
}

const codeOf = (secret: string) =>
  new TOTP({ secret }).generate({ timestamp: t.app.services.clock().getTime() });

test('no secret is in the database as it is', async () => {
  const { data: enrolled } = await t.call('POST core/account/totp', {}, admin);
  const given = { name: '同步', url: 'https://example.com/', events: ['order.paid'], enabled: 1 };
  const made = await t.call('POST core/sys/webhook/', { ...given, requestId: 'once' }, admin);
  const { user, token } = await t.register();
  await t.call('POST core/account/code', { purpose: 'bind', target: 'reader@site.test' }, { token });
  const { rows } = await t.app.services.pool.query(
    "select payload from graphile_worker._private_jobs as jobs join graphile_worker._private_tasks as tasks on tasks.id = task_id where identifier = 'send-mail'",
  );
  expect(rows).toEqual([{ payload: { encrypted: expect.stringMatching(/^enc1:/) } }]);
  const all = await readAll(t.app.services.pool);
  expect(all).toContain(user.account);
  for (const secret of [enrolled.secret, made.data.secret, 'whsec_', t.app.services.secret])
    expect(all).not.toContain(secret);
  // It is still of use.
  expect((await t.call('PUT core/account/totp', { code: codeOf(enrolled.secret) }, admin)).success).toBe(
    true,
  );
  const again = await t.call('GET core/sys/webhook/secret', { id: made.data.id }, admin);
  expect(again.data.secret).toBe(made.data.secret);
});

test('a secret that was moved to another row is of no use there', async () => {
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

interface Old {
  pool: pg.Pool;
  connection: pg.PoolConfig;
  config: Config;
  userId: string;
  endpointId: string;
}
const PLAIN = { site: 'site-secret', totp: 'JBSWY3DPEHPK3PXP', webhook: 'whsec_old' };
const MAIL = { to: 'reader@site.test', subject: '验证码 123456', text: '123456' };

/** A database as the version before encryption left it. */
async function makeOld(key: KeyObject | null = TEST_KEY): Promise<Old> {
  const { connection, drop } = await createTestDatabase({ is: 'bare' });
  const pool = createPool(connection);
  const dataDir = await mkdtemp(join(tmpdir(), 'mozhan-secrets-'));
  onTestFinished(async () => {
    await pool.end();
    await drop();
    await rm(dataDir, { recursive: true });
  });
  const before = (await readMigrations()).map(({ name }) => name).filter((name) => name < SECRETS_MIGRATION);
  const client = await pool.connect();
  await migrateWithin(client, before);
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
  return { pool, connection, config, userId, endpointId };
}

async function readSecrets({ pool, userId, endpointId }: Old, ...keys: [KeyObject, ...KeyObject[]]) {
  const encryption = createEncryption(keys);
  const ask = async (text: string) => (await pool.query({ text, rowMode: 'array' })).rows[0]?.[0];
  const payload = await ask('select payload from graphile_worker._private_jobs');
  return {
    site: await getSecret(createDb(pool), new Date(), encryption),
    totp: encryption.decrypt(placeOf.totp(userId), await ask('select totp_secret from accounts')),
    webhook: encryption.decrypt(
      placeOf.webhook(endpointId),
      await ask('select secret from webhook_endpoints'),
    ),
    mail: JSON.parse(encryption.decrypt(placeOf.job('send-mail'), payload.encrypted)),
  };
}

test('a database of the version before is converted at start, by one of several processes', async () => {
  const old = await makeOld();
  await migrate(old.pool);
  await Promise.all([1, 2, 3].map(() => protectSecrets(old.config, old.connection, quiet)));
  expect(await readSecrets(old, TEST_KEY)).toEqual({ ...PLAIN, mail: MAIL });
  const all = await readAll(old.pool);
  for (const secret of [...Object.values(PLAIN), MAIL.text]) expect(all).not.toContain(secret);
  const { rows } = await old.pool.query('select request_id from requests');
  expect(rows).toEqual([{ request_id: 'other' }]);
  const before = await readAll(old.pool);
  await protectSecrets(old.config, old.connection, quiet);
  expect(await readAll(old.pool)).toBe(before);
});

test('a conversion that fails on the way changes nothing, and is done by the next start', async () => {
  const old = await makeOld();
  await migrate(old.pool);
  await old.pool.query(`
    create function fail() returns trigger language plpgsql as $$ begin raise 'broken off'; end $$;
    create trigger fail before update on webhook_endpoints execute function fail()`);
  await expect(protectSecrets(old.config, old.connection, quiet)).rejects.toThrow('broken off');
  const all = await readAll(old.pool);
  for (const secret of Object.values(PLAIN)) expect(all).toContain(secret);
  expect(all).not.toContain('enc1:');
  // What reads secrets does not start on them.
  const encryption = createEncryption([TEST_KEY]);
  await expect(getSecret(createDb(old.pool), new Date(), encryption)).rejects.toThrow('npm start');
  await old.pool.query('drop function fail cascade');
  await protectSecrets(old.config, old.connection, quiet);
  expect(await readSecrets(old, TEST_KEY)).toEqual({ ...PLAIN, mail: MAIL });
});

test('a new key encrypts everything at the next start, and the old one is needed no more', async () => {
  const old = await makeOld();
  await migrate(old.pool);
  await protectSecrets(old.config, old.connection, quiet);
  const key = newKey();
  await expect(protectSecrets({ ...old.config, secretKey: [key] }, old.connection, quiet)).rejects.toThrow(
    '这里的密钥不对',
  );
  await protectSecrets({ ...old.config, secretKey: [key], secretKeyOld: [TEST_KEY] }, old.connection, quiet);
  expect(await readSecrets(old, key)).toEqual({ ...PLAIN, mail: MAIL });
  await protectSecrets({ ...old.config, secretKey: [key] }, old.connection, quiet);
});

test('values that a process with the old key wrote meanwhile are found by the next start', async () => {
  const old = await makeOld();
  await migrate(old.pool);
  const key = newKey();
  await protectSecrets({ ...old.config, secretKey: [key] }, old.connection, quiet);
  const late = createEncryption([TEST_KEY]).encrypt(placeOf.totp(old.userId), PLAIN.totp);
  await old.pool.query('update accounts set totp_secret = $1', [late]);
  await expect(protectSecrets({ ...old.config, secretKey: [key] }, old.connection, quiet)).rejects.toThrow(
    ConfigError,
  );
  await protectSecrets({ ...old.config, secretKey: [key, TEST_KEY] }, old.connection, quiet);
  expect((await readSecrets(old, key)).totp).toBe(PLAIN.totp);
});

test('an embedded database gets a key of its own, once; a lost one is not replaced by another', async () => {
  const old = await makeOld(null);
  await migrate(old.pool);
  const notes: string[] = [];
  await protectSecrets(old.config, old.connection, (sentence) => notes.push(sentence));
  expect(notes.join()).toContain(keyFile(old.config));
  await protectSecrets(old.config, old.connection, (sentence) => notes.push(sentence));
  expect(notes).toHaveLength(1);
  await rm(keyFile(old.config));
  const refusal = await openEncryption(old.config, old.pool).catch((error: unknown) => String(error));
  expect(refusal).toContain('没有密钥');
  expect(refusal).toContain(keyFile(old.config));
  expect(existsSync(keyFile(old.config))).toBe(false);
});

test('with a database of one’s own a key must be given', async () => {
  const old = await makeOld(null);
  await migrate(old.pool);
  const external = { ...old.config, databaseUrl: 'postgresql://elsewhere/mozhan' };
  await expect(protectSecrets(external, old.connection, quiet)).rejects.toThrow('须设置 SECRET_KEY');
  expect(existsSync(keyFile(old.config))).toBe(false);
  expect(await readAll(old.pool)).toContain(PLAIN.totp);
});

test('of two machines that start a new site with different keys, one is refused', async () => {
  const { connection, drop } = await createTestDatabase();
  const pool = createPool(connection);
  onTestFinished(async () => {
    await pool.end();
    await drop();
  });
  const outcomes = await Promise.allSettled(
    [newKey(), newKey()].map((key) => getSecret(createDb(pool), new Date(), createEncryption([key]))),
  );
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  const refused = outcomes.find((outcome) => outcome.status === 'rejected');
  expect(String(refused?.reason)).toContain('这里的密钥不对');
});

test('without the key, what it encrypted is given up, and nothing else', async () => {
  const old = await makeOld();
  await migrate(old.pool);
  await protectSecrets(old.config, old.connection, quiet);
  const key = newKey();
  const encryption = createEncryption([key]);
  const lost = await inTransaction(old.pool, (client) =>
    convertSecrets(client, encryption, { withoutKey: true }),
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
  expect(encryption.decrypt(placeOf.webhook(old.endpointId), rows[0].secret)).toMatch(/^whsec_/);
  expect(await getSecret(createDb(old.pool), new Date(), encryption)).not.toBe(PLAIN.site);
});

test('a value that was tampered with stops the conversion with a sentence', async () => {
  const old = await makeOld();
  await migrate(old.pool);
  const elsewhere = createEncryption([TEST_KEY]).encrypt(placeOf.totp(newId()), PLAIN.totp);
  await old.pool.query('update accounts set totp_secret = $1', [elsewhere]);
  const config = { ...old.config, secretKey: [newKey(), TEST_KEY] };
  await expect(protectSecrets(config, old.connection, quiet)).rejects.toThrow(
    /accounts\.totp_secret .*无法解密/,
  );
});
