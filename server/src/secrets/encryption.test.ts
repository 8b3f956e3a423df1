import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ConfigError, readConfig } from '../config/config.ts';
import { createEncryption, keyIdOf, newKeyText, parseKeys } from './encryption.ts';
import { addKey, createKeyFile, findKeys, keyFilePath } from './key-file.ts';

const newKey = (): KeyObject => createSecretKey(randomBytes(32));

test('decrypts a value only with its context and key and if it is unmodified', () => {
  const key = newKey();
  const one = createEncryption([key]);
  const value = one.encrypt('accounts.totp_secret 1', '密钥 JBSWY3DP');
  expect(value).not.toContain('JBSWY3DP');
  expect(one.encrypt('accounts.totp_secret 1', '密钥 JBSWY3DP')).not.toBe(value);
  expect(one.decrypt('accounts.totp_secret 1', value)).toBe('密钥 JBSWY3DP');
  expect(() => one.decrypt('accounts.totp_secret 2', value)).toThrow();
  for (let at = one.prefix.length; at < value.length; at++) {
    const other = value[at] === 'A' ? 'B' : 'A';
    // The last Base64 character has unused bits.
    if (at < value.length - 1)
      expect(() =>
        one.decrypt('accounts.totp_secret 1', value.slice(0, at) + other + value.slice(at + 1)),
      ).toThrow();
  }
  expect(() => one.decrypt('accounts.totp_secret 1', one.prefix)).toThrow();
  expect(() => one.decrypt('accounts.totp_secret 1', 'JBSWY3DP')).toThrow('not encrypted');
  expect(() => createEncryption([newKey()]).decrypt('accounts.totp_secret 1', value)).toThrow('known key');
  const rotated = createEncryption([newKey(), key]);
  expect(rotated.decrypt('accounts.totp_secret 1', value)).toBe('密钥 JBSWY3DP');
  expect(rotated.hasKey(keyIdOf(value) ?? '')).toBe(true);
  expect(keyIdOf(rotated.encrypt('x', 'y'))).not.toBe(keyIdOf(value));
  expect(keyIdOf('whsec_enc1')).toBeNull();
});

test('parses one or several keys in Base64 or hexadecimal and rejects anything else', () => {
  const [a, b] = [randomBytes(32), randomBytes(32)];
  const forms = [
    a.toString('base64'),
    a.toString('base64url'),
    a.toString('hex'),
    a.toString('hex').toUpperCase(),
  ];
  for (const form of forms) expect(parseKeys(form)?.map((key) => key.export())).toEqual([a]);
  const both = `# 说明\n${a.toString('hex')}\n\n${b.toString('base64')}\n`;
  expect(parseKeys(both)?.map((key) => key.export())).toEqual([a, b]);
  for (const bad of ['', '#', 'password', a.toString('base64').slice(1), `${a.toString('hex')},x`])
    expect(parseKeys(bad), bad).toBeNull();
});

async function makeConfig(env: NodeJS.ProcessEnv = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'mozhan-key-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return readConfig({ DATA_DIR: join(folder, 'data'), ...env });
}
const exported = (keys: KeyObject[] | null) => keys?.map((key) => key.export().toString('base64'));

test('creates the key file once with mode 600 and adds new keys before old ones', async () => {
  const config = await makeConfig();
  expect(findKeys(config)).toBeNull();
  createKeyFile(config);
  const [first] = exported(findKeys(config)) ?? [];
  createKeyFile(config);
  expect(exported(findKeys(config))).toEqual([first]);
  expect((await stat(keyFilePath(config))).mode & 0o777).toBe(0o600);
  addKey(config);
  addKey(config);
  const keys = exported(findKeys(config));
  expect(keys).toHaveLength(3);
  expect(keys?.[2]).toBe(first);
  expect((await stat(keyFilePath(config))).mode & 0o777).toBe(0o600);
  expect((await readFile(keyFilePath(config), 'utf8')).match(/^#/gm)).toHaveLength(1);
  await writeFile(keyFilePath(config), 'not a key');
  expect(() => findKeys(config)).toThrow(ConfigError);
});

test('SECRET_KEY comes first, and replaced keys still decrypt', async () => {
  const [key, old] = [newKeyText(), newKeyText()];
  const config = await makeConfig({ SECRET_KEY: key, SECRET_KEY_OLD: old });
  expect(exported(findKeys(config))).toEqual([key, old]);
  createKeyFile(config);
  const [, fromFile] = exported(findKeys(config)) ?? [];
  expect(exported(findKeys(config))).toEqual([key, fromFile, old]);
  const byPath = readConfig({ DATA_DIR: config.dataDir, SECRET_KEY: keyFilePath(config) });
  expect(exported(byPath.secretKey)).toEqual([fromFile]);
  expect(findKeys(await makeConfig({ SECRET_KEY_OLD: old }))).toBeNull();
});

test.each(['short', '/no/such/file', 'x'.repeat(64)])(
  'the error for an invalid SECRET_KEY (%s) does not contain its value',
  (value) => {
    for (const name of ['SECRET_KEY', 'SECRET_KEY_OLD']) {
      expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`${name}：应是 32 字节`));
      expect(() => readConfig({ [name]: value })).not.toThrow(value);
    }
  },
);
