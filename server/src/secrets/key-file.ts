import type { KeyObject } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeSecretFile } from '@mozhan/postgres/secret-file.ts';
import { type Config, ConfigError } from '../config/config.ts';
import { newKeyText, parseKeys } from './encryption.ts';

type KeyConfig = Pick<Config, 'dataDir' | 'secretKey' | 'secretKeyOld'>;

export const keyFile = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(dataDir, 'secret.key');

function readKeyFile(config: KeyConfig): string | null {
  try {
    return readFileSync(keyFile(config), 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw new ConfigError(`读不了密钥文件 ${keyFile(config)}：${String(error)}`, { cause: error });
  }
}

/** Those of the environment, of the file, and those that were replaced. */
export function listKeys(config: KeyConfig): { current: KeyObject[]; old: KeyObject[] } {
  const text = readKeyFile(config);
  const kept = text === null ? [] : parseKeys(text);
  if (kept === null)
    throw new ConfigError(`密钥文件 ${keyFile(config)} 的内容不对：每行应是一个 32 字节的密钥（Base64）`);
  return { current: [...config.secretKey, ...kept], old: config.secretKeyOld };
}

/** The current key first, then all that decrypt what was encrypted before; null when there is no current one. */
export function findKeys(config: KeyConfig): [KeyObject, ...KeyObject[]] | null {
  const { current, old } = listKeys(config);
  const [first, ...others] = current;
  return first === undefined ? null : [first, ...others, ...old];
}

const HEADER = '# 墨栈用第一行的密钥加密数据库里的机密，其余各行是换下的旧密钥。备份里没有它，请另外保存。\n';

/** Of several processes that make it at the same time, one wins. */
export function makeKeyFile(config: KeyConfig): void {
  mkdirSync(config.dataDir, { recursive: true });
  writeSecretFile(keyFile(config), `${HEADER}${newKeyText()}\n`, { keepsOld: true });
}

/** Puts a new key first. The old ones stay: backups that were made before need them. */
export function addKey(config: KeyConfig): void {
  const old = (readKeyFile(config) ?? '').replaceAll(/^#.*\n/gm, '');
  writeSecretFile(keyFile(config), `${HEADER}${newKeyText()}\n${old}`);
}
