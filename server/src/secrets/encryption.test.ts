import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ConfigError, readConfig } from '../config/config.ts';
import { createEncryption, keyIdOf, newKeyText, parseKeys } from './encryption.ts';
import { addKey, findKeys, keyFile, makeKeyFile } from './key-file.ts';

const newKey = (): KeyObject => createSecretKey(randomBytes(32));

test('a value is read only at its place, unchanged, and by its key', () => {
  const key = newKey();
  const one = createEncryption([key]);
  const value = one.encrypt('accounts.totp_secret 1', '密钥 JBSWY3DP');
  expect(value).not.toContain('JBSWY3DP');
  expect(one.encrypt('accounts.totp_secret 1', '密钥 JBSWY3DP')).not.toBe(value);
  expect(one.decrypt('accounts.totp_secret 1', value)).toBe('密钥 JBSWY3DP');
  expect(() => one.decrypt('accounts.totp_secret 2', value)).toThrow();
  for (let at = one.prefix.length; at < value.length; at++) {
    const other = value[at] === 'A' ? 'B' : 'A';
    // The last character of Base64 carries bits that mean nothing.
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

test('keys are Base64 or hexadecimal, one or several, and nothing else', () => {
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

test('the key file is made once, for its owner only; a new key goes before the old ones', async () => {
  const config = await makeConfig();
  expect(findKeys(config)).toBeNull();
  makeKeyFile(config);
  const [first] = exported(findKeys(config)) ?? [];
  makeKeyFile(config);
  expect(exported(findKeys(config))).toEqual([first]);
  expect((await stat(keyFile(config))).mode & 0o777).toBe(0o600);
  addKey(config);
  addKey(config);
  const keys = exported(findKeys(config));
  expect(keys).toHaveLength(3);
  expect(keys?.[2]).toBe(first);
  expect((await stat(keyFile(config))).mode & 0o777).toBe(0o600);
  expect((await readFile(keyFile(config), 'utf8')).match(/^#/gm)).toHaveLength(1);
  await writeFile(keyFile(config), 'not a key');
  expect(() => findKeys(config)).toThrow(ConfigError);
});

test('SECRET_KEY goes first; what it replaced still decrypts', async () => {
  const [key, old] = [newKeyText(), newKeyText()];
  const config = await makeConfig({ SECRET_KEY: key, SECRET_KEY_OLD: old });
  expect(exported(findKeys(config))).toEqual([key, old]);
  makeKeyFile(config);
  const [, kept] = exported(findKeys(config)) ?? [];
  expect(exported(findKeys(config))).toEqual([key, kept, old]);
  const byPath = readConfig({ DATA_DIR: config.dataDir, SECRET_KEY: keyFile(config) });
  expect(exported(byPath.secretKey)).toEqual([kept]);
  expect(findKeys(await makeConfig({ SECRET_KEY_OLD: old }))).toBeNull();
});

test.each(['short', '/no/such/file', 'x'.repeat(64)])(
  'a wrong SECRET_KEY (%s) is named, not shown',
  (value) => {
    for (const name of ['SECRET_KEY', 'SECRET_KEY_OLD']) {
      expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`${name}：应是 32 字节`));
      expect(() => readConfig({ [name]: value })).not.toThrow(value);
    }
  },
);
