import { expect, test } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

test('an empty environment gives the documented defaults', () => {
  const config = readConfig({});
  expect(config).toMatchObject({
    port: 9000,
    host: '127.0.0.1',
    siteUrl: null,
    basePath: '',
    demo: true,
    challenge: true,
    rateLimit: true,
    logLevel: 'info',
    trustProxy: false,
  });
  expect(config.dataDir).toMatch(/\/data$/);
});

test('with a database of one’s own there is no demo unless asked for', () => {
  const DATABASE_URL = 'postgresql://localhost/mozhan';
  expect(readConfig({ DATABASE_URL }).demo).toBe(false);
  expect(readConfig({ DATABASE_URL, DEMO: 'on' }).demo).toBe(true);
});

test('addresses are tidied and proxies listed', () => {
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
  ['LOG_LEVEL', 'loud'],
  ['METRICS_TOKEN', 'short'],
  ['TRUST_PROXY', 'everyone'],
  ['TRUST_PROXY', '127.0.0.1/99'],
])('a wrong %s (%s) stops the start and is named', (name, value) => {
  expect(() => readConfig({ [name]: value })).toThrow(ConfigError);
  expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`${name}：.*[一-鿿]`));
});
