import { parseArgs } from 'node:util';
import type pg from 'pg';
import { ConfigError, readConfig } from '../config/config.ts';
import { createPool } from '../db/client.ts';
import { isServerRunning } from '../db/running-server.ts';
import { addKey, keyFilePath } from '../secrets/key-file.ts';
import { inPoolTransaction, openEncryption, openOrCreateKeys, reencryptSecrets } from '../secrets/secrets.ts';
import { openUpdatedDatabase } from '../update.ts';
import { printLostSecrets } from './backup.ts';
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
 * Encrypts all secrets with a new key. If it is interrupted, the next start completes it, because the file holds both keys
 * before anything is encrypted with the new one. With `--without-key`, secrets whose key is lost are replaced or deleted.
 */
export async function secretsRotate({ args, print }: CommandOptions): Promise<void> {
  const { withoutKey } = readOptions(args);
  const config = readConfig();
  if (config.secretKey.length > 0 && !withoutKey)
    throw new ConfigError(
      '密钥来自 SECRET_KEY，没有更换：请停止所有进程，把新的密钥写在 SECRET_KEY，旧的写在 SECRET_KEY_OLD，再启动，' +
        '启动时会换用新的密钥',
    );
  const database = await openUpdatedDatabase(config, print);
  const pool = createPool({
    ...database.connection,
    application_name: 'mozhan-secrets',
    max: 1,
    statement_timeout: 0,
  });
  try {
    // The embedded database is locked by this process already.
    if (config.databaseUrl !== undefined) await requireStopped(pool);
    if (!withoutKey) {
      await openEncryption(config, pool, print);
      addKey(config);
    }
    const encryption = openOrCreateKeys(config, print);
    printLostSecrets(
      await inPoolTransaction(pool, (client) => reencryptSecrets(client, encryption, { withoutKey })),
      print,
    );
    if (withoutKey) print('现有的机密都能用这里的密钥解密了，现在可以用 npm start 启动');
    else
      print(
        `已换用新的密钥。${keyFilePath(config)} 里还留有旧的，恢复较早的备份时要用到它；请另外保存这个文件`,
      );
  } finally {
    await pool.end();
    await database.close();
  }
}

/** A running server would not know the new key. */
async function requireStopped(pool: pg.Pool): Promise<void> {
  if (await isServerRunning(pool))
    throw new ConfigError('墨栈正在这个数据库上运行，没有更换密钥：请先停止它的所有进程');
}
