import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { z } from 'zod';
import { type Config, ConfigError } from '../config/config.ts';
import { idRow, parseRows } from '../db/rows.ts';
import { createEncryption, type Encryption, keyIdOf } from './encryption.ts';
import { createKeyFile, findKeys, keyFilePath, listKeys } from './key-file.ts';

export const SECRETS_MIGRATION = '0035_secrets.sql';

/** Encryption contexts: each value is bound to its table, column and row. */
export const secretContextOf = {
  site: 'settings secret',
  totp: (userId: string) => `accounts.totp_secret ${userId}`,
  webhook: (id: string) => `webhook_endpoints.secret ${id}`,
  job: (name: string) => `job ${name}`,
};

export const newSiteSecret = (): string => randomBytes(32).toString('base64url');
export const newWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64url')}`;

const secretRow = z.object({
  id: z.string(),
  name: z.string(),
  value: z.string(),
});

interface StoredSecret {
  /** A query with the columns `id`, `name` and `value`. */
  rows: string;
  context: (name: string) => string;
  /** Writes the new values from `each`, which has the columns `id` and `value`. */
  update: string;
  /** Creates a replacement if the key is lost; null: the secret is removed. */
  createReplacement: (() => string) | null;
  /** Statements for the ids $1 whose secret is lost. */
  onLost: string[];
}

const SITE: StoredSecret = {
  rows: `select key as id, key as name, value #>> '{}' as value from settings where key = 'secret'`,
  context: () => secretContextOf.site,
  update: `update settings set value = to_jsonb(each.value) from each where key = each.id`,
  createReplacement: newSiteSecret,
  // All users must sign in again; codes were signed with the old secret.
  onLost: [
    'delete from sessions where $1::text[] is not null',
    'delete from codes where $1::text[] is not null',
  ],
};

const STORED_SECRETS: readonly StoredSecret[] = [
  SITE,
  {
    rows: `select user_id::text as id, replace(user_id::text, '-', '') as name, totp_secret as value
      from accounts where totp_secret is not null`,
    context: secretContextOf.totp,
    update: `update accounts set totp_secret = each.value from each where user_id = each.id::uuid`,
    createReplacement: null,
    onLost: [
      'update accounts set totp_secret = null, totp_on = false where user_id = any($1::text[]::uuid[])',
    ],
  },
  {
    rows: `select id::text, replace(id::text, '-', '') as name, secret as value from webhook_endpoints`,
    context: secretContextOf.webhook,
    update: `update webhook_endpoints set secret = each.value from each where webhook_endpoints.id = each.id::uuid`,
    createReplacement: newWebhookSecret,
    onLost: [],
  },
  {
    rows: `select jobs.id::text, identifier as name, coalesce(payload ->> 'encrypted', payload::text) as value
      from graphile_worker._private_jobs as jobs join graphile_worker._private_tasks as tasks on tasks.id = task_id
      where identifier in ('send-mail', 'send-sms')`,
    context: secretContextOf.job,
    update: `update graphile_worker._private_jobs as jobs set payload = json_build_object('encrypted', each.value)
      from each where jobs.id = each.id::bigint`,
    createReplacement: null,
    onLost: ['delete from graphile_worker._private_jobs where id = any($1::text[]::bigint[])'],
  },
];

const isEncrypted = `value ~ '^enc1:[0-9a-f]+:'`;

export async function listKeyIds(client: pg.ClientBase): Promise<string[]> {
  const values = STORED_SECRETS.map(
    ({ rows }) => `select value from (${rows}) as stored where ${isEncrypted}`,
  );
  const result = await client.query(
    `select distinct split_part(value, ':', 2) as id from (${values.join(' union all ')}) as values order by 1`,
  );
  return parseRows(idRow, result).map(({ id }) => id);
}

/** Numbers of users who lost their second factor and of webhooks with a new secret because a key is missing. */
export interface LostSecrets {
  totp: number;
  webhooks: number;
}

const BATCH_SIZE = 500;
const ADVISORY_LOCK_ID = 0x6d6f7a69;

interface ReencryptOptions {
  /** Replaces or removes secrets that no key decrypts, instead of failing. */
  withoutKey?: boolean;
}

/**
 * Encrypts with the current key all secrets that are in plain text or encrypted with another key, in the caller's
 * transaction. A lock makes other processes wait.
 */
export async function reencryptSecrets(
  client: pg.ClientBase,
  encryption: Encryption,
  { withoutKey = false }: ReencryptOptions = {},
): Promise<LostSecrets> {
  await client.query('select pg_advisory_xact_lock($1)', [ADVISORY_LOCK_ID]);
  const unknown = (await listKeyIds(client)).filter((id) => !encryption.hasKey(id));
  if (unknown.length > 0 && !withoutKey) throw wrongKeyError(unknown.join('、'));
  const lost: number[] = [];
  for (const stored of STORED_SECRETS) lost.push(await convert(client, encryption, stored));
  const [, totp = 0, webhooks = 0] = lost;
  return { totp, webhooks };
}

async function convert(client: pg.ClientBase, encryption: Encryption, stored: StoredSecret): Promise<number> {
  let lost = 0;
  for (;;) {
    const result = await client.query(
      `select * from (${stored.rows}) as stored where not starts_with(value, $1) limit ${BATCH_SIZE} for update`,
      [encryption.prefix],
    );
    const rows = parseRows(secretRow, result);
    if (rows.length === 0) return lost;
    const lostRows = rows.filter(({ value }) => isLost(encryption, value));
    lost += lostRows.length;
    if (lostRows.length > 0)
      for (const statement of stored.onLost) await client.query(statement, [lostRows.map(({ id }) => id)]);
    const remaining =
      stored.createReplacement === null ? rows.filter((row) => !lostRows.includes(row)) : rows;
    const values = remaining.map(({ name, value }) => {
      const context = stored.context(name);
      const text =
        isLost(encryption, value) && stored.createReplacement !== null
          ? stored.createReplacement()
          : read(encryption, context, value);
      return encryption.encrypt(context, text);
    });
    await client.query(
      `with each as (select * from unnest($1::text[], $2::text[]) as each (id, value)) ${stored.update}`,
      [remaining.map(({ id }) => id), values],
    );
  }
}

function isLost(encryption: Encryption, value: string): boolean {
  const keyId = keyIdOf(value);
  return keyId !== null && !encryption.hasKey(keyId);
}

function read(encryption: Encryption, context: string, value: string): string {
  if (keyIdOf(value) === null) return value;
  try {
    return encryption.decrypt(context, value);
  } catch (error) {
    throw new ConfigError(`数据库里的机密（${context}）无法解密：它被改动过，或者属于别处`, { cause: error });
  }
}

const HELP = '密钥已经丢失的，见 docs/backup.zh-CN.md「密钥」一节';

export const wrongKeyError = (keyId: string): ConfigError =>
  new ConfigError(
    `这里的密钥不对：数据库里的机密是用编号为 ${keyId} 的密钥加密的。请换回原来的 SECRET_KEY 或密钥文件（多台机器须相同）；` +
      `换密钥时，旧的写在 SECRET_KEY_OLD。${HELP}`,
  );

/** Opens the keys and checks them against the database; creates the key file of a new embedded database. */
export async function openEncryption(
  config: Config,
  db: Pick<pg.Pool, 'query'>,
  note: (message: string) => void = () => {},
): Promise<Encryption> {
  const [site] = parseRows(secretRow, await db.query(SITE.rows));
  const keyId = keyIdOf(site?.value ?? '');
  if (keyId === null) return openOrCreateKeys(config, note);
  const encryption = findEncryption(config);
  if (encryption === null)
    throw new ConfigError(
      `没有密钥：数据库里的机密是用编号为 ${keyId} 的密钥加密的。请把原来的密钥文件放回 ${keyFilePath(config)}，或设置 SECRET_KEY` +
        `（多台机器须相同）。${HELP}`,
    );
  if (!encryption.hasKey(keyId)) throw wrongKeyError(keyId);
  return encryption;
}

function findEncryption(config: Config): Encryption | null {
  const keys = findKeys(config);
  return keys === null ? null : createEncryption(keys);
}

/** Whether a key with this id is configured, be it for decryption only. */
export function hasConfiguredKey(config: Config, keyId: string): boolean {
  const { current, old } = listKeys(config);
  const [first, ...others] = [...current, ...old];
  return first !== undefined && createEncryption([first, ...others]).hasKey(keyId);
}

/** Creates the key file of an embedded database. An external database requires a configured key, the same on all machines. */
export function openOrCreateKeys(config: Config, note: (message: string) => void): Encryption {
  const found = findEncryption(config);
  if (found !== null) return found;
  if (config.databaseUrl !== undefined)
    throw new ConfigError(
      '使用自己的数据库（DATABASE_URL）时须设置 SECRET_KEY：一个 32 字节的密钥，用来加密数据库里的机密，' +
        '各台机器相同，可以用 openssl rand -base64 32 生成，请妥善保存',
    );
  createKeyFile(config);
  note(`加密用的密钥在 ${keyFilePath(config)}：备份里没有它，请另外保存一份`);
  return openOrCreateKeys(config, note);
}

/** Encrypts all secrets with the current key right after the migrations, before anything reads them. */
export async function protectSecrets(
  config: Config,
  pool: pg.Pool,
  note: (message: string) => void,
): Promise<void> {
  const encryption = await openEncryption(config, pool, note);
  await inPoolTransaction(pool, (client) => reencryptSecrets(client, encryption));
}

export async function inPoolTransaction<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  } finally {
    client.release();
  }
}
