import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type pg from 'pg';
import { ConfigError, readConfig } from '../config/config.ts';
import { createPool } from '../db/client.ts';
import { openDatabase } from '../db/open.ts';
import { countRow, parseRow } from '../db/rows.ts';
import { addKey, keyFile } from '../secrets/key-file.ts';
import { convertSecrets, inTransaction, openEncryption, openKeys } from '../secrets/secrets.ts';
import { tellLost } from './backup.ts';
import type { CommandOptions } from './commands.ts';

const USAGE = '用法：npm run secrets:rotate [-- --without-key]';

function readOptions(args: string[]): { withoutKey: boolean } {
  try {
    const { values } = parseArgs({ args, options: { 'without-key': { type: 'boolean', default: false } } });
    return { withoutKey: values['without-key'] };
  } catch (error) {
    throw new ConfigError(USAGE, { cause: error });
  }
}

/**
 * Encrypts all secrets by a new key. Killed half-way, it is completed by the next start: the file holds both keys before
 * anything is encrypted by the new one. With `--without-key` secrets whose key is lost are given up.
 */
export async function secretsRotate({ args, print }: CommandOptions): Promise<void> {
  const { withoutKey } = readOptions(args);
  const config = readConfig();
  if (config.secretKey.length > 0 && !withoutKey)
    throw new ConfigError(
      '密钥来自 SECRET_KEY，没有更换：请停止所有进程，把新的密钥写在 SECRET_KEY，旧的写在 SECRET_KEY_OLD，再启动，' +
        '启动时会换用新的密钥',
    );
  const database = await openDatabase(config, print);
  const pool = createPool({
    ...database.connection,
    application_name: 'mozhan-secrets',
    max: 1,
    statement_timeout: 0,
  });
  try {
    // The embedded one is ours alone by its lock.
    if (config.databaseUrl !== undefined) await requireStopped(pool);
    if (!withoutKey) {
      await openEncryption(config, pool, print);
      addKey(config);
    }
    const encryption = openKeys(config, print);
    tellLost(
      await inTransaction(pool, (client) => convertSecrets(client, encryption, { withoutKey })),
      print,
    );
    if (withoutKey) print('现有的机密都能用这里的密钥解密了，现在可以用 npm start 启动');
    else
      print(`已换用新的密钥。${keyFile(config)} 里还留有旧的，恢复较早的备份时要用到它；请另外保存这个文件`);
  } finally {
    await pool.end();
    await database.close();
  }
}

const PATIENCE = 100;

/** A server that runs would not know the new key. Connections of our own that were just closed may show for a moment. */
async function requireStopped(pool: pg.Pool): Promise<void> {
  for (let attempt = 0; attempt < PATIENCE; attempt++) {
    const result = await pool.query(
      `select count(*)::int as count from pg_stat_activity
       where datname = current_database() and application_name = 'mozhan'`,
    );
    if (parseRow(countRow, result).count === 0) return;
    await sleep(100);
  }
  throw new ConfigError('墨栈正在这个数据库上运行，没有更换密钥：请先停止它的所有进程');
}
