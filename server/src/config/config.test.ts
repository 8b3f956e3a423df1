import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { ConfigError, environmentVariableNames, readConfig } from './config.ts';

test('an empty environment gives the documented defaults', () => {
  const config = readConfig({});
  expect(config).toMatchObject({
    port: 9000,
    host: '127.0.0.1',
    workers: 1,
    siteUrl: null,
    basePath: '',
    demo: true,
    challenge: true,
    rateLimit: true,
    logLevel: 'info',
    trustProxy: false,
    codeBudgets: { sms: 1000, mail: 5000 },
    staffIdleHours: 12,
    staffSessionDays: 7,
  });
  expect(config.dataDir).toMatch(/\/data$/);
});

test('an external database has no demo content unless DEMO is on', () => {
  const DATABASE_URL = 'postgresql://localhost/mozhan';
  expect(readConfig({ DATABASE_URL })).toMatchObject({ demo: false, paySandbox: false });
  expect(readConfig({ DATABASE_URL, DEMO: 'on' })).toMatchObject({ demo: true, paySandbox: true });
  expect(readConfig({ DATABASE_URL, PAY_SANDBOX: 'on' })).toMatchObject({ demo: false, paySandbox: true });
});

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const SITE_URL = 'https://blog.example';
const ALIPAY = {
  ALIPAY_APP_ID: '2021000000000001',
  ALIPAY_PRIVATE_KEY: pem,
  ALIPAY_PUBLIC_KEY: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
};
const WECHAT = {
  WECHAT_PAY_APP_ID: 'wx8888888888888888',
  WECHAT_PAY_APP_SECRET: 'secret',
  WECHAT_PAY_MCH_ID: '1900000001',
  WECHAT_PAY_SERIAL: 'ab12cd34ef',
  WECHAT_PAY_PRIVATE_KEY: pem,
  WECHAT_PAY_KEY: '0123456789abcdef0123456789abcdef',
};

test('keys of payment providers may be PEM, escaped PEM, Base64 of PKCS#1 or PKCS#8, or a file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mozhan-keys-'));
  await writeFile(join(folder, 'key.pem'), pem);
  const forms = [
    pem,
    pem.replaceAll('\n', '\\n'),
    privateKey.export({ type: 'pkcs1', format: 'pem' }).toString(),
    privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64'),
    privateKey.export({ type: 'pkcs1', format: 'der' }).toString('base64'),
    join(folder, 'key.pem'),
  ];
  for (const form of forms) {
    const { alipay } = readConfig({ SITE_URL, ...ALIPAY, ALIPAY_PRIVATE_KEY: form });
    expect(alipay?.privateKey.equals(privateKey)).toBe(true);
  }
  await rm(folder, { recursive: true });
  const spki = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
  const { alipay, wechatPay } = readConfig({ SITE_URL, ...ALIPAY, ALIPAY_PUBLIC_KEY: spki, ...WECHAT });
  expect(alipay?.publicKey.equals(publicKey)).toBe(true);
  expect(wechatPay).toMatchObject({ mchId: '1900000001', serial: 'AB12CD34EF', publicKey: null });
  expect(readConfig({})).toMatchObject({ alipay: null, wechatPay: null, paySandbox: true });
});

test('an incomplete payment provider stops the start with the missing variables', () => {
  for (const name of Object.keys(ALIPAY))
    expect(() => readConfig({ ...ALIPAY, [name]: '' })).toThrow(new RegExp(`${name}：.*还缺少它`));
  for (const name of Object.keys(WECHAT))
    expect(() => readConfig({ ...WECHAT, [name]: '' })).toThrow(new RegExp(`${name}：.*还缺少它`));
  const half = { ...WECHAT, WECHAT_PAY_PUBLIC_KEY_ID: 'PUB_KEY_ID_1' };
  expect(() => readConfig(half)).toThrow(/WECHAT_PAY_PUBLIC_KEY：.*还缺少它/);
  const alone = { WECHAT_PAY_PUBLIC_KEY: ALIPAY.ALIPAY_PUBLIC_KEY, WECHAT_PAY_PUBLIC_KEY_ID: 'PUB_KEY_ID_1' };
  expect(() => readConfig(alone)).toThrow(/WECHAT_PAY_PUBLIC_KEY：.*还缺少/);
  expect(() => readConfig(ALIPAY)).toThrow(/SITE_URL：.*对外的网址/);
  expect(() => readConfig({ ...ALIPAY, ALIPAY_PRIVATE_KEY: 'a secret' })).toThrow(
    /ALIPAY_PRIVATE_KEY：应是 RSA 私钥(?!.*a secret)/s,
  );
});

test('S3 is configured completely or not at all', () => {
  const complete = {
    S3_ENDPOINT: 'https://s3.example/',
    S3_BUCKET: 'mozhan',
    S3_ACCESS_KEY: 'key',
    S3_SECRET_KEY: 'secret',
  };
  const s3 = { endpoint: 'https://s3.example', bucket: 'mozhan', accessKey: 'key', secretKey: 'secret' };
  expect(readConfig({}).s3).toBeNull();
  expect(readConfig(complete).s3).toEqual({ ...s3, region: 'us-east-1', publicUrl: null });
  const more = { ...complete, S3_REGION: 'cn-north-1', S3_PUBLIC_URL: 'https://cdn.example/mozhan/' };
  expect(readConfig(more).s3).toEqual({
    ...s3,
    region: 'cn-north-1',
    publicUrl: 'https://cdn.example/mozhan',
  });
  for (const name of Object.keys(complete))
    expect(() => readConfig({ ...complete, [name]: '' })).toThrow(new RegExp(`${name}：.*还缺少它`));
});

test('text messages are configured completely or not at all', () => {
  const complete = {
    SMS_ACCESS_KEY_ID: 'id',
    SMS_ACCESS_KEY_SECRET: 'secret',
    SMS_SIGN_NAME: '墨栈',
    SMS_TEMPLATE_CODE: 'SMS_1',
  };
  const sms = { accessKeyId: 'id', accessKeySecret: 'secret', signName: '墨栈', templateCode: 'SMS_1' };
  expect(readConfig({}).sms).toBeNull();
  expect(readConfig(complete).sms).toEqual({ ...sms, endpoint: 'https://dysmsapi.aliyuncs.com' });
  const withEndpoint = { ...complete, SMS_ENDPOINT: 'http://127.0.0.1:8080/' };
  expect(readConfig(withEndpoint).sms?.endpoint).toBe('http://127.0.0.1:8080');
  for (const name of Object.keys(complete))
    expect(() => readConfig({ ...complete, [name]: '' })).toThrow(new RegExp(`${name}：.*还缺少它`));
  expect(() => readConfig({ SMS_ENDPOINT: 'http://127.0.0.1:8080' })).toThrow(/SMS_ENDPOINT：/);
});

test('trims trailing slashes and splits the list of proxies', () => {
  const config = readConfig({
    SITE_URL: 'https://blog.example/',
    BASE_PATH: '/blog/',
    TRUST_PROXY: '127.0.0.1, 10.0.0.0/8',
  });
  expect(config).toMatchObject({
    siteUrl: 'https://blog.example/blog',
    basePath: '/blog',
    trustProxy: ['127.0.0.1', '10.0.0.0/8'],
  });
});

test.each([
  ['PORT', 'http'],
  ['PORT', '70000'],
  ['PORT', '0'],
  ['SITE_URL', 'blog.example'],
  ['BASE_PATH', 'blog'],
  ['DATABASE_URL', 'mysql://localhost'],
  ['SMTP_URL', 'mail.example'],
  ['ADMIN_PASSWORD', 'short'],
  ['DEMO', 'yes'],
  ['PAY_SANDBOX', 'yes'],
  ['ALIPAY_APP_ID', 'mine'],
  ['ALIPAY_PUBLIC_KEY', '/no/such/file'],
  ['ALIPAY_GATEWAY', 'openapi.alipay.com'],
  ['WECHAT_PAY_SERIAL', 'serial'],
  ['WECHAT_PAY_KEY', 'short'],
  ['WECHAT_PAY_PUBLIC_KEY_ID', '1'],
  ['S3_ENDPOINT', 's3.example'],
  ['S3_ENDPOINT', 'https://s3.example/?a=b'],
  ['S3_BUCKET', 'My Bucket'],
  ['S3_REGION', 'here and there'],
  ['S3_PUBLIC_URL', 'https://cdn.example'],
  ['BACKUP_S3_BUCKET', 'My Backups'],
  ['LOG_LEVEL', 'loud'],
  ['METRICS_TOKEN', 'short'],
  ['TRUST_PROXY', 'everyone'],
  ['TRUST_PROXY', '127.0.0.1/99'],
])('an invalid %s (%s) stops the start with its name', (name, value) => {
  expect(() => readConfig({ [name]: value })).toThrow(ConfigError);
  expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`${name}：.*[一-鿿]`));
});

test('passwords are hashed at the cost that OWASP recommends', () => {
  expect(readConfig({}).passwordCost).toEqual({ memoryCost: 19_456, timeCost: 2 });
});

const root = join(import.meta.dirname, '../../..');
const readRepositoryFile = (path: string) => readFile(join(root, path), 'utf8');
/** Variables that the container image sets itself. */
const SET_BY_IMAGE = ['HOST', 'PORT', 'DATA_DIR'];

test('compose.yaml passes exactly the known variables', async () => {
  const compose = parse(await readRepositoryFile('deploy/compose.yaml'), { merge: true });
  const passed = Object.keys(compose.services.app1.environment);
  expect(passed.toSorted()).toEqual(
    environmentVariableNames.filter((name) => !SET_BY_IMAGE.includes(name)).toSorted(),
  );
  expect(compose.services.app2.environment).toEqual(compose.services.app1.environment);
  // An empty variable counts as unset.
  const empty = Object.fromEntries(environmentVariableNames.map((name) => [name, '']));
  expect(readConfig(empty)).toEqual(readConfig({}));
});

test('backups and files cannot share a bucket', () => {
  const bucket = (prefix: string) => ({
    [`${prefix}_ENDPOINT`]: 'https://s3.example',
    [`${prefix}_BUCKET`]: 'mozhan',
    [`${prefix}_ACCESS_KEY`]: 'a',
    [`${prefix}_SECRET_KEY`]: 'b',
  });
  expect(readConfig(bucket('BACKUP_S3')).backupS3).toMatchObject({ bucket: 'mozhan', region: 'us-east-1' });
  expect(() => readConfig({ ...bucket('S3'), ...bucket('BACKUP_S3') })).toThrow('BACKUP_S3_BUCKET：');
});

test('compose.single.yaml has one container with one volume and valid variables', async () => {
  const { services, volumes } = parse(await readRepositoryFile('deploy/compose.single.yaml'));
  expect(Object.keys(services)).toEqual(['app']);
  expect(services.app.volumes).toEqual(['data:/data']);
  expect(Object.keys(volumes)).toEqual(['data']);
  const lines = (await readRepositoryFile('deploy/single.env.example')).split('\n');
  const given = Object.fromEntries(lines.filter((line) => /^\w/.test(line)).map((line) => line.split('=')));
  expect(environmentVariableNames).toEqual(expect.arrayContaining(Object.keys(given)));
  expect(readConfig({ ...given, ...services.app.environment })).toMatchObject({
    siteUrl: 'https://blog.example.com',
    trustProxy: ['uniquelocal'],
    demo: false,
  });
});

test.each(['README.md', 'README.zh-CN.md'])('every variable is in the table of %s', async (file) => {
  const rows = (await readRepositoryFile(file)).split('\n').filter((line) => /^\| `[A-Z]/.test(line));
  const named = rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name),
  );
  expect(named.toSorted()).toEqual([...environmentVariableNames].toSorted());
});
