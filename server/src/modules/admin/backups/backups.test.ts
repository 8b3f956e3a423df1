import { createSecretKey, randomBytes } from 'node:crypto';
import { mkdtemp, open, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { runMigrations } from 'graphile-worker';
import type pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createApp } from '../../../app.ts';
import { readConfig } from '../../../config/config.ts';
import { createPool } from '../../../db/client.ts';
import { newId } from '../../../db/id.ts';
import { applyMigrations, readMigrations } from '../../../db/migrate.ts';
import type { FileStore } from '../../../files/files.ts';
import { openFiles } from '../../../files/open.ts';
import { addJob, encryptPayload, systemCtx } from '../../../jobs.ts';
import { createEncryption, type Encryption, keyIdOf } from '../../../secrets/encryption.ts';
import { SECRETS_MIGRATION, secretContextOf } from '../../../secrets/secrets.ts';
import { ADMIN_PASSWORD, startTestApp, TEST_KEY, type TestApp } from '../../../testing/app.ts';
import { commentCalls } from '../../../testing/comments.ts';
import { createTestDatabase } from '../../../testing/database.ts';
import { createWriter, publishEssay, type TestUser } from '../../../testing/essays.ts';
import { createOrder, rechargeBalance } from '../../../testing/orders.ts';
import { indexUserNames } from '../../accounts/users/index.ts';
import { checkCounters, checkLedger } from '../system/index.ts';
import { listExistingTables, listMigrationObjects, listSequences } from './catalog.ts';
import { writeBackup } from './dump.ts';
import { type OpenedBackup, openBackup, RESTORE_APPLICATION_NAME, restoreBackup } from './restore.ts';

let t: TestApp;
let folder: string;
let author: TestUser;
let essayId: string;
const noReport = { report: () => {} };
const restoreOptions = { withJobs: true, withoutKey: false, confirmReplace: async () => false, ...noReport };
const encryption = createEncryption([TEST_KEY]);

beforeAll(async () => {
  t = await startTestApp({ config: { paySandbox: true } });
  folder = await mkdtemp(join(tmpdir(), 'mozhan-backups-'));
  author = await createWriter(t);
  essayId = await publishEssay(t, author, { price: 300 });
  const { pool, files } = t.app.services;
  const path = await files.put(randomBytes(70_000), 'webp');
  const gone = await files.put(randomBytes(10), 'webp');
  await pool.query(
    `insert into uploads (id, user_id, path, thumb_path, width, height, bytes, created_at)
     values ($1, $2, $3, $4, 1, 1, 1, now())`,
    [newId(), author.user.id, path, gone],
  );
  await files.remove(gone);
  const later = { runAt: new Date(Date.now() + 86_400_000) };
  await addJob(systemCtx(t.app.services), 'digest-notices', { quote: '“\t\\n”' }, { ...later, key: 'a key' });
  await pool.query(
    `select graphile_worker.add_job('digest-notices', queue_name => 'a queue', run_at => now() + interval '1 day');
     update graphile_worker._private_jobs set attempts = max_attempts, last_error = '失败' where key = 'a key'`,
  );
});
afterAll(async () => {
  await t.close();
  await rm(folder, { recursive: true, force: true });
});

let backupCount = 0;
const write = (source: { pool: pg.Pool; files: FileStore }) => {
  backupCount += 1;
  const target = join(folder, `${backupCount}.tar`);
  const options = {
    target,
    temporaryPath: `${target}.part`,
    madeBy: 'command',
    now: new Date(),
    ...noReport,
  } as const;
  return writeBackup(source, options).then((written) => ({ ...written, target }));
};

async function createTarget(isBare = false) {
  const database = await createTestDatabase({ state: isBare ? 'bare' : 'migrated' });
  const dataDir = await mkdtemp(join(tmpdir(), 'mozhan-restored-'));
  const pool = createPool({
    ...database.connection,
    application_name: RESTORE_APPLICATION_NAME,
    statement_timeout: 0,
  });
  onTestFinished(async () => {
    await pool.end();
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  });
  const files = await openFiles(readConfig({ DATA_DIR: dataDir }));
  return { connection: database.connection, dataDir, pool, files, encryption };
}

async function openForTest(path: string): Promise<OpenedBackup> {
  const backup = await openBackup(path, () => {});
  onTestFinished(() => backup.archive.close());
  return backup;
}

/** Not part of a backup, or recounted by a job that may run during the test. */
const EXCLUDED = [
  'migrations',
  'rate_limits',
  'live_attachments',
  'backups',
  'traffic_visitors',
  'site_days',
];

async function hashTables(pool: pg.Pool): Promise<Record<string, string>> {
  const client = await pool.connect();
  const tables = (await listExistingTables(client)).filter((name) => !EXCLUDED.includes(name));
  const each = tables.map(
    (name) => `select '${name}' as name, count(*) || ' ' ||
      coalesce(md5(string_agg(md5(row::text), '' order by md5(row::text))), '') as hash from "${name}" as row`,
  );
  const { rows } = await client.query<{ name: string; hash: string }>(each.join(' union all '));
  client.release();
  return Object.fromEntries(rows.map(({ name, hash }) => [name, hash]));
}

const listJobs = async (pool: pg.Pool) =>
  (
    await pool.query(
      `select identifier, queue_name, payload::text, run_at, attempts, max_attempts, last_error, key
       from graphile_worker._private_jobs as jobs join graphile_worker._private_tasks as tasks on tasks.id = task_id
       left join graphile_worker._private_job_queues as queues on queues.id = job_queue_id
       where run_at > now() + interval '1 hour' order by jobs.id`,
    )
  ).rows;

async function listFiles(files: FileStore): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for await (const { path } of files.list())
    found[path] = (await buffer(await files.read(path))).toString('base64url');
  return found;
}

test('lists exactly the objects that the migrations create', async () => {
  const created = await listMigrationObjects();
  const { rows } = await t.app.services.pool.query<{ kind: string; name: string }>(
    `select 'table' as kind, relname as name from pg_class
       where relkind in ('r', 'p', 'v', 'm') and relnamespace = 'public'::regnamespace
     union all select 'function', proname from pg_proc where pronamespace = 'public'::regnamespace
     union all select 'sequence', relname from pg_class
       where relkind = 'S' and relnamespace = 'public'::regnamespace
         and not exists (select 1 from pg_depend where objid = pg_class.oid and deptype in ('a', 'i'))
     union all select 'type', typname from pg_type
       where typtype in ('d', 'e') and typnamespace = 'public'::regnamespace`,
  );
  const named = (kind: string) => rows.filter((row) => row.kind === kind).map(({ name }) => name);
  // A backup of an older version may contain tables that a later migration dropped or renamed.
  const dropped = ['sms_asks', 'info_pages', 'info_page_versions'];
  expect(created.table.toSorted()).toEqual([...named('table'), ...dropped].toSorted());
  expect(created.sequence.toSorted()).toEqual(named('sequence').toSorted());
  expect(new Set(named('function')).difference(new Set(created.function))).toEqual(new Set());
  expect(named('type')).toEqual([]);
});

test('a backup written during concurrent writes is consistent and can be restored', async () => {
  const users = await Promise.all(Array.from({ length: 3 }, () => t.register()));
  const started = Promise.withResolvers<void>();
  let isWriting = true;
  const writing = users.map(async (user, index) => {
    for (let turn = 0; isWriting; turn++) {
      await rechargeBalance(t, user, 1000);
      const comment = await commentCalls(t).addComment(essayId, `第 ${turn} 条`, user.token);
      await commentCalls(t).like(comment.data.id, user.token);
      if (turn === 1)
        await createOrder(t, user, { kind: 'read', targetId: essayId, amount: 300, payBy: 'balance' });
      if (index === 0 && turn === 1) started.resolve();
    }
  });
  await started.promise;
  const { target } = await write(t.app.services);
  isWriting = false;
  await Promise.all(writing);
  const restored = await createTarget();
  await restoreBackup(restored, await openForTest(target), restoreOptions);
  const app = await createApp({
    config: {
      ...readConfig({ DATA_DIR: restored.dataDir, DEMO: 'off', LOG_LEVEL: 'silent' }),
      challenge: false,
      secretKey: [TEST_KEY],
      siteUrl: 'http://site.test',
    },
    connection: restored.connection,
  });
  onTestFinished(app.close);
  const { rows } = await restored.pool.query('select count(*)::int as comments from comments');
  expect(rows[0].comments).toBeGreaterThan(1);
  expect(await checkLedger(systemCtx(app.services))).toEqual([]);
  expect(await checkCounters(systemCtx(app.services))).toEqual([]);
  const response = await app.server.inject({
    method: 'POST',
    url: '/api/core/account/login',
    payload: { account: 'admin', password: ADMIN_PASSWORD },
  });
  expect(response.json()).toMatchObject({ success: true, data: { account: 'admin' } });
});

test('restores every row, file, job and sequence, and the triggers that protect the ledger', async () => {
  const { pool, files } = t.app.services;
  // Does the work of the minutely jobs first, so that none changes a row between backup and comparison.
  await pool.query('delete from guesses where empty_at < now()');
  await indexUserNames(systemCtx(t.app.services));
  await pool.query("insert into guesses values ('ip:192.0.2.1', now() + interval '1 hour')");
  const { target, manifest } = await write(t.app.services);
  const restored = await createTarget(true);
  await restoreBackup(restored, await openForTest(target), restoreOptions);
  expect(await hashTables(restored.pool)).toEqual(await hashTables(pool));
  expect(await listFiles(restored.files)).toEqual(await listFiles(files));
  const jobs = await listJobs(restored.pool);
  expect(jobs).toEqual(await listJobs(pool));
  expect(jobs).toHaveLength(2);
  expect(manifest.missing).toHaveLength(1);
  const client = await restored.pool.connect();
  expect(await listSequences(client)).toEqual(manifest.sequences);
  client.release();
  await expect(restored.pool.query('delete from ledger_lines')).rejects.toThrow();
  await expect(restored.pool.query('update ledger_accounts set balance = balance + 1')).rejects.toThrow();

  const again = await openForTest(target);
  await expect(restoreBackup(restored, again, restoreOptions)).rejects.toThrow('已有');
  await restored.pool.query("update users set display_name = '改了'");
  await restoreBackup(restored, again, {
    ...restoreOptions,
    withJobs: false,
    confirmReplace: async () => true,
  });
  expect(await hashTables(restored.pool)).toEqual(await hashTables(pool));
  expect(await listJobs(restored.pool)).toEqual([]);
});

test('rejects truncated and damaged files', async () => {
  const { target, bytes } = await write(t.app.services);
  const copy = join(folder, 'damaged.tar');
  const { entries, close } = (await openForTest(target)).archive;
  await close();
  const flip = async (at: number) => {
    await writeFile(copy, await readFile(target));
    const file = await open(copy, 'r+');
    const byte = Buffer.alloc(1);
    await file.read(byte, 0, 1, at);
    await file.write(Buffer.from([(byte[0] ?? 0) ^ 1]), 0, 1, at);
    await file.close();
    await expect(openBackup(copy, () => {})).rejects.toThrow('损坏');
  };
  const largest = entries.toSorted((one, other) => other.bytes - one.bytes);
  const offsetOf = (part: string) => largest.find(({ name }) => name.startsWith(part))?.offset ?? 0;
  for (const part of ['db/', 'files/', 'manifest.json']) await flip(offsetOf(part) + 100);
  await flip(offsetOf('db/') - 400);
  for (const size of [bytes - 3000, offsetOf('files/') + 10, 100]) {
    await writeFile(copy, (await readFile(target)).subarray(0, size));
    await expect(openBackup(copy, () => {})).rejects.toThrow('不完整');
  }
  // A negative size would lead back to the same entry without end.
  const looped = (await readFile(target)).subarray(0, 512);
  looped.write('-00000001000', 124);
  looped.fill(' ', 148, 156);
  looped.write(
    `${looped
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, '0')}\0`,
    148,
  );
  await writeFile(copy, looped);
  await expect(openBackup(copy, () => {})).rejects.toThrow('损坏');
  expect((await stat(target)).mode & 0o777).toBe(0o600);
  await expect(openBackup(join(folder, 'none.tar'), () => {})).rejects.toThrow('打不开');
});

test('a failed restore leaves the database unchanged, and a running server prevents a restore', async () => {
  const { target } = await write(t.app.services);
  const backup = await openForTest(target);
  const restored = await createTarget();
  const before = await hashTables(restored.pool);
  const wrongManifest = structuredClone(backup.manifest);
  for (const table of wrongManifest.tables.filter(({ name }) => name === 'users')) table.rows += 1;
  await expect(
    restoreBackup(restored, { ...backup, manifest: wrongManifest }, restoreOptions),
  ).rejects.toThrow('行');
  expect(await hashTables(restored.pool)).toEqual(before);
  const server = createPool(restored.connection);
  await server.query('select 1');
  await expect(restoreBackup(restored, backup, restoreOptions)).rejects.toThrow('正在这个数据库上运行');
  await server.end();
});

test('a restore waits for the connections of a server that was just stopped', async () => {
  const { target } = await write(t.app.services);
  const backup = await openForTest(target);
  const restored = await createTarget();
  const server = createPool(restored.connection);
  await server.query('select 1');
  const restoring = restoreBackup(restored, backup, restoreOptions);
  const isConnected = () =>
    server
      .query('select from pg_stat_activity where datname = current_database() and application_name = $1', [
        RESTORE_APPLICATION_NAME,
      ])
      .then(({ rowCount }) => rowCount);
  await expect.poll(isConnected).toBe(1);
  await server.end();
  await restoring;
  const { rows } = await restored.pool.query('select count(*)::int as count from users');
  expect(rows[0].count).toBeGreaterThan(0);
});

const EMAIL = { to: 'reader@site.test', subject: '验证码', text: '123456' };

/** Adds one secret of each kind; `encrypt` returns the stored value. */
async function addSecrets(pool: pg.Pool, userId: string, encrypt: (context: string, text: string) => string) {
  const endpointId = newId();
  await pool.query('update accounts set totp_secret = $1, totp_on = true where user_id = $2', [
    encrypt(secretContextOf.totp(userId), 'JBSWY3DPEHPK3PXP'),
    userId,
  ]);
  await pool.query(
    `insert into webhook_endpoints (id, name, url, events, secret, enabled, created_at)
     values ($1, '同步', 'https://example.com/', '{order.paid}', $2, false, now())`,
    [endpointId, encrypt(secretContextOf.webhook(endpointId), 'whsec_mine')],
  );
  return { userId, endpointId };
}

async function readSecrets(
  pool: pg.Pool,
  { userId, endpointId }: { userId: string; endpointId: string },
  by: Encryption,
) {
  const { rows } = await pool.query(
    `select totp_secret as totp, secret as webhook, value as site, totp_on as "totpOn",
       (select count(*)::int from sessions) as sessions
     from accounts, webhook_endpoints, settings where user_id = $1 and id = $2 and key = 'secret'`,
    [userId, endpointId],
  );
  const { totp, webhook, site, ...rest } = rows[0];
  return {
    ...rest,
    totp: totp === null ? null : by.decrypt(secretContextOf.totp(userId), totp),
    webhook: by.decrypt(secretContextOf.webhook(endpointId), webhook),
    site: by.decrypt(secretContextOf.site, site),
  };
}

test('a restore without the key of the secrets is refused, unless the secrets are discarded', {
  timeout: 600_000,
}, async () => {
  const { pool, secret } = t.app.services;
  const ids = await addSecrets(pool, author.user.id, encryption.encrypt);
  await addJob(
    systemCtx(t.app.services),
    'send-mail',
    encryptPayload(systemCtx(t.app.services), 'send-mail', EMAIL),
    { runAt: new Date(Date.now() + 86_400_000) },
  );
  const { target, manifest } = await write(t.app.services);
  expect(manifest.keys).toEqual([keyIdOf(encryption.encrypt('', ''))]);
  const content = await readFile(target);
  for (const plain of [secret, 'whsec_mine', TEST_KEY.export().toString('base64')])
    expect(content.includes(plain)).toBe(false);

  const key = createSecretKey(randomBytes(32));
  const restored = { ...(await createTarget()), encryption: createEncryption([key]) };
  const before = await hashTables(restored.pool);
  await expect(restoreBackup(restored, await openForTest(target), restoreOptions)).rejects.toThrow(
    '--without-key',
  );
  expect(await hashTables(restored.pool)).toEqual(before);
  expect(await listFiles(restored.files)).toEqual({});

  const both = { ...restored, encryption: createEncryption([key, TEST_KEY]) };
  expect(await restoreBackup(both, await openForTest(target), restoreOptions)).toEqual({
    totp: 0,
    webhooks: 0,
  });
  const secrets = await readSecrets(restored.pool, ids, createEncryption([key]));
  expect(secrets).toMatchObject({
    totp: 'JBSWY3DPEHPK3PXP',
    totpOn: true,
    webhook: 'whsec_mine',
    site: secret,
  });
  expect(secrets.sessions).toBeGreaterThan(0);

  const given = { ...restoreOptions, confirmReplace: async () => true, withoutKey: true };
  expect(await restoreBackup(restored, await openForTest(target), given)).toEqual({ totp: 1, webhooks: 1 });
  const remaining = await readSecrets(restored.pool, ids, createEncryption([key]));
  expect(remaining).toMatchObject({ totp: null, totpOn: false, sessions: 0 });
  expect(remaining.webhook).toMatch(/^whsec_[\w-]{43}$/);
  expect([remaining.webhook, remaining.site]).not.toEqual(['whsec_mine', secret]);
  const { rows } = await restored.pool.query(
    `select 1 from graphile_worker._private_jobs as jobs join graphile_worker._private_tasks as tasks on tasks.id = task_id
     where identifier = 'send-mail'`,
  );
  expect(rows).toEqual([]);
});

test('restores a backup from before secrets were encrypted, and encrypts its secrets', async () => {
  const old = await createTarget(true);
  const client = await old.pool.connect();
  await applyMigrations(
    client,
    (await readMigrations()).map(({ name }) => name).filter((name) => name < SECRETS_MIGRATION),
  );
  client.release();
  await runMigrations({ pgPool: old.pool });
  const userId = newId();
  await old.pool.query(
    `insert into users (id, display_name, cur_identity, invite_code, created_at, updated_at)
     values ($1, '老用户', 1, 'old', now(), now())`,
    [userId],
  );
  await old.pool.query(
    "insert into accounts (user_id, name, password_hash, updated_at) values ($1, 'old', 'x', now())",
    [userId],
  );
  await old.pool.query("insert into settings values ('secret', '\"plain\"', now())");
  const ids = await addSecrets(old.pool, userId, (_, text) => text);
  const { target, manifest } = await write(old);
  expect(manifest.keys).toEqual([]);
  const restored = await createTarget(true);
  await restoreBackup(restored, await openForTest(target), restoreOptions);
  expect(await readSecrets(restored.pool, ids, encryption)).toMatchObject({
    totp: 'JBSWY3DPEHPK3PXP',
    totpOn: true,
    webhook: 'whsec_mine',
    site: 'plain',
  });
});

test('migrates an older backup to the current version', async () => {
  const old = await createTarget(true);
  const client = await old.pool.connect();
  await applyMigrations(
    client,
    (await readMigrations()).map(({ name }) => name).filter((name) => name < '0014'),
  );
  await runMigrations({ pgPool: old.pool });
  await client.query(
    `insert into users (id, display_name, cur_identity, invite_code, created_at, updated_at)
     values ($1, '老用户', 1, 'old', now(), now())`,
    [newId()],
  );
  client.release();
  const { target, manifest } = await write(old);
  expect(manifest.migrations.at(-1)?.name).toMatch(/^0013/);
  const restored = await createTarget(true);
  await restoreBackup(restored, await openForTest(target), restoreOptions);
  const { rows } = await restored.pool.query('select display_name, follower_count from users');
  expect(rows).toEqual([{ display_name: '老用户', follower_count: 0 }]);
  const applied = await restored.pool.query('select name from migrations order by name');
  expect(applied.rows).toEqual((await readMigrations()).map(({ name }) => ({ name })));
});
