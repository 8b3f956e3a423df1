import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { z } from 'zod';
import { type Config, ConfigError } from '../config/config.ts';
import { createPool } from '../db/client.ts';
import { idRow, parseRows } from '../db/rows.ts';
import { createEncryption, type Encryption, keyIdOf } from './encryption.ts';
import { findKeys, keyFile, listKeys, makeKeyFile } from './key-file.ts';

/** The migration since which the database holds encrypted secrets. */
export const SECRETS_MIGRATION = '0035_secrets.sql';

/** Names where a secret is kept; a value is bound to it. */
export const placeOf = {
  site: 'settings secret',
  totp: (userId: string) => `accounts.totp_secret ${userId}`,
  webhook: (id: string) => `webhook_endpoints.secret ${id}`,
  job: (name: string) => `job ${name}`,
};

export const newSiteSecret = (): string => randomBytes(32).toString('base64url');
export const newWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64url')}`;

const secretRow = z.object({
  id: z.string(),
  /** What the place is made of. */
  name: z.string(),
  value: z.string(),
});

interface Kept {
  /** Rows of `id`, `name` and `value`, as a table to select from. */
  rows: string;
  place: (name: string) => string;
  /** Of `each`, with the columns `id` and `value`. */
  update: string;
  /** What takes its place when its key is lost; null: the row goes without. */
  renew: (() => string) | null;
  /** Run for the ids $1 whose secret is lost. */
  lose: string[];
}

const SITE: Kept = {
  rows: `select key as id, key as name, value #>> '{}' as value from settings where key = 'secret'`,
  place: () => placeOf.site,
  update: `update settings set value = to_jsonb(each.value) from each where key = each.id`,
  renew: newSiteSecret,
  // Everyone signs in anew, without a second factor where that is lost; codes were made with the old secret.
  lose: [
    'delete from sessions where $1::text[] is not null',
    'delete from codes where $1::text[] is not null',
  ],
};

/** Everything in the database that is encrypted. */
const ALL: readonly Kept[] = [
  SITE,
  {
    rows: `select user_id::text as id, replace(user_id::text, '-', '') as name, totp_secret as value
      from accounts where totp_secret is not null`,
    place: placeOf.totp,
    update: `update accounts set totp_secret = each.value from each where user_id = each.id::uuid`,
    renew: null,
    lose: ['update accounts set totp_secret = null, totp_on = false where user_id = any($1::text[]::uuid[])'],
  },
  {
    rows: `select id::text, replace(id::text, '-', '') as name, secret as value from webhook_endpoints`,
    place: placeOf.webhook,
    update: `update webhook_endpoints set secret = each.value from each where webhook_endpoints.id = each.id::uuid`,
    renew: newWebhookSecret,
    lose: [],
  },
  {
    rows: `select jobs.id::text, identifier as name, coalesce(payload ->> 'encrypted', payload::text) as value
      from graphile_worker._private_jobs as jobs join graphile_worker._private_tasks as tasks on tasks.id = task_id
      where identifier in ('send-mail', 'send-sms')`,
    place: placeOf.job,
    update: `update graphile_worker._private_jobs as jobs set payload = json_build_object('encrypted', each.value)
      from each where jobs.id = each.id::bigint`,
    renew: null,
    lose: ['delete from graphile_worker._private_jobs where id = any($1::text[]::bigint[])'],
  },
];

const isEncrypted = `value ~ '^enc1:[0-9a-f]+:'`;

/** The ids of all keys that secrets in the database are encrypted with. */
export async function listKeyIds(client: pg.ClientBase): Promise<string[]> {
  const values = ALL.map(({ rows }) => `select value from (${rows}) as kept where ${isEncrypted}`);
  const result = await client.query(
    `select distinct split_part(value, ':', 2) as id from (${values.join(' union all ')}) as values order by 1`,
  );
  return parseRows(idRow, result).map(({ id }) => id);
}

/** What is lost with a key: how many people have no second factor any more, and how many webhooks another secret. */
export interface Lost {
  totp: number;
  webhooks: number;
}

const BATCH = 500;
const LOCK = 0x6d6f7a69;

interface Converting {
  /** Gives up what no key decrypts, instead of refusing. */
  withoutKey?: boolean;
}

/**
 * Within the transaction of the caller: encrypts what an older version left as it was and what another key encrypted, so
 * that all of it is encrypted by the current key. Of several processes one does it, and the others find it done.
 */
export async function convertSecrets(
  client: pg.ClientBase,
  encryption: Encryption,
  { withoutKey = false }: Converting = {},
): Promise<Lost> {
  await client.query('select pg_advisory_xact_lock($1)', [LOCK]);
  const unknown = (await listKeyIds(client)).filter((id) => !encryption.hasKey(id));
  if (unknown.length > 0 && !withoutKey) throw wrongKey(unknown.join('、'));
  const lost: number[] = [];
  for (const kept of ALL) lost.push(await convert(client, encryption, kept));
  const [, totp = 0, webhooks = 0] = lost;
  return { totp, webhooks };
}

/** Answers how many were lost. */
async function convert(client: pg.ClientBase, encryption: Encryption, kept: Kept): Promise<number> {
  let lost = 0;
  for (;;) {
    const result = await client.query(
      `select * from (${kept.rows}) as kept where not starts_with(value, $1) limit ${BATCH} for update`,
      [encryption.prefix],
    );
    const rows = parseRows(secretRow, result);
    if (rows.length === 0) return lost;
    const gone = rows.filter(({ value }) => isLost(encryption, value));
    lost += gone.length;
    if (gone.length > 0)
      for (const statement of kept.lose) await client.query(statement, [gone.map(({ id }) => id)]);
    const rest = kept.renew === null ? rows.filter((row) => !gone.includes(row)) : rows;
    const values = rest.map(({ name, value }) => {
      const place = kept.place(name);
      const text =
        isLost(encryption, value) && kept.renew !== null ? kept.renew() : read(encryption, place, value);
      return encryption.encrypt(place, text);
    });
    await client.query(
      `with each as (select * from unnest($1::text[], $2::text[]) as each (id, value)) ${kept.update}`,
      [rest.map(({ id }) => id), values],
    );
  }
}

function isLost(encryption: Encryption, value: string): boolean {
  const keyId = keyIdOf(value);
  return keyId !== null && !encryption.hasKey(keyId);
}

function read(encryption: Encryption, place: string, value: string): string {
  if (keyIdOf(value) === null) return value;
  try {
    return encryption.decrypt(place, value);
  } catch (error) {
    throw new ConfigError(`数据库里的机密（${place}）无法解密：它被改动过，或者属于别处`, { cause: error });
  }
}

const HELP = '密钥已经丢失的，见 docs/backup.zh-CN.md「密钥」一节';

export const wrongKey = (keyId: string): ConfigError =>
  new ConfigError(
    `这里的密钥不对：数据库里的机密是用编号为 ${keyId} 的密钥加密的。请换回原来的 SECRET_KEY 或密钥文件（多台机器须相同）；` +
      `换密钥时，旧的写在 SECRET_KEY_OLD。${HELP}`,
  );

/** The keys of this installation, checked against the database; made where the database is ours and has none yet. */
export async function openEncryption(
  config: Config,
  db: Pick<pg.Pool, 'query'>,
  note: (sentence: string) => void = () => {},
): Promise<Encryption> {
  const [site] = parseRows(secretRow, await db.query(SITE.rows));
  const keyId = keyIdOf(site?.value ?? '');
  if (keyId === null) return openKeys(config, note);
  const encryption = findEncryption(config);
  if (encryption === null)
    throw new ConfigError(
      `没有密钥：数据库里的机密是用编号为 ${keyId} 的密钥加密的。请把原来的密钥文件放回 ${keyFile(config)}，或设置 SECRET_KEY` +
        `（多台机器须相同）。${HELP}`,
    );
  if (!encryption.hasKey(keyId)) throw wrongKey(keyId);
  return encryption;
}

function findEncryption(config: Config): Encryption | null {
  const keys = findKeys(config);
  return keys === null ? null : createEncryption(keys);
}

/** Whether there is a key of this id here, be it one to decrypt with only. */
export function hasKeyHere(config: Config, keyId: string): boolean {
  const { current, old } = listKeys(config);
  const [first, ...others] = [...current, ...old];
  return first !== undefined && createEncryption([first, ...others]).hasKey(keyId);
}

/** Makes the key file of an embedded database that has none. Several machines must be given the same key. */
export function openKeys(config: Config, note: (sentence: string) => void): Encryption {
  const found = findEncryption(config);
  if (found !== null) return found;
  if (config.databaseUrl !== undefined)
    throw new ConfigError(
      '使用自己的数据库（DATABASE_URL）时须设置 SECRET_KEY：一个 32 字节的密钥，用来加密数据库里的机密，' +
        '各台机器相同，可以用 openssl rand -base64 32 生成，请妥善保存',
    );
  makeKeyFile(config);
  note(`加密用的密钥在 ${keyFile(config)}：备份里没有它，请另外保存一份`);
  return openKeys(config, note);
}

/** At start, right after the migrations: all secrets are encrypted by the current key before anything reads them. */
export async function protectSecrets(
  config: Config,
  connection: pg.PoolConfig,
  note: (sentence: string) => void,
): Promise<void> {
  const pool = createPool({ ...connection, max: 1, statement_timeout: 0 });
  try {
    const encryption = await openEncryption(config, pool, note);
    await inTransaction(pool, (client) => convertSecrets(client, encryption));
  } finally {
    await pool.end();
  }
}

export async function inTransaction<T>(
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
