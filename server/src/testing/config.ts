import { createSecretKey } from 'node:crypto';
import { type Config, readConfig } from '../config/config.ts';

export const ADMIN_PASSWORD = 'the first administrator';
/** All apps use the same key because several may share a database. */
export const TEST_KEY = createSecretKey(Buffer.alloc(32, 'test'));

export const testConfig = (dataDir: string): Config => ({
  ...readConfig({
    DATA_DIR: dataDir,
    CHALLENGE: 'off',
    RATE_LIMIT: 'off',
    LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'silent',
    DEMO: 'off',
    // Many tests advance the clock by days.
    STAFF_IDLE_HOURS: '720',
    STAFF_SESSION_DAYS: '30',
    REDIS_URL: process.env.TEST_REDIS_URL,
  }),
  siteUrl: 'http://site.test',
  adminPassword: ADMIN_PASSWORD,
  passwordCost: { memoryCost: 64, timeCost: 1 },
  trustProxy: ['127.0.0.1'],
  secretKey: [TEST_KEY],
});
