import type { KeyObject } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeSecretFile } from '@mozhan/postgres/secret-file.ts';
import { type Config, ConfigError } from '../config/config.ts';
import { newKeyText, parseKeys } from './encryption.ts';

type KeyConfig = Pick<Config, 'dataDir' | 'secretKey' | 'secretKeyOld'>;

export const keyFilePath = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(dataDir, 'secret.key');

function readKeyFile(config: KeyConfig): string | null {
  try {
    return readFileSync(keyFilePath(config), 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw new ConfigError(`读不了密钥文件 ${keyFilePath(config)}：${String(error)}`, { cause: error });
  }
}

/** Current keys of the environment and the file, and replaced keys. */
export function listKeys(config: KeyConfig): { current: KeyObject[]; old: KeyObject[] } {
  const text = readKeyFile(config);
  const fromFile = text === null ? [] : parseKeys(text);
  if (fromFile === null)
    throw new ConfigError(`密钥文件 ${keyFilePath(config)} 的内容不对：每行应是一个 32 字节的密钥（Base64）`);
  return { current: [...config.secretKey, ...fromFile], old: config.secretKeyOld };
}

/** The current key first, then the keys for decryption only; null if there is no current key. */
export function findKeys(config: KeyConfig): [KeyObject, ...KeyObject[]] | null {
  const { current, old } = listKeys(config);
  const [first, ...others] = current;
  return first === undefined ? null : [first, ...others, ...old];
}

const HEADER = '# 墨栈用第一行的密钥加密数据库里的机密，其余各行是换下的旧密钥。备份里没有它，请另外保存。\n';

/** Safe when several processes create the file at the same time. */
export function createKeyFile(config: KeyConfig): void {
  mkdirSync(config.dataDir, { recursive: true });
  writeSecretFile(keyFilePath(config), `${HEADER}${newKeyText()}\n`, { keepExisting: true });
}

/** Adds a new key as the first. The old keys stay, because earlier backups need them. */
export function addKey(config: KeyConfig): void {
  const old = (readKeyFile(config) ?? '').replaceAll(/^#.*\n/gm, '');
  writeSecretFile(keyFilePath(config), `${HEADER}${newKeyText()}\n${old}`);
}
