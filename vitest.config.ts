import { defineConfig } from 'vitest/config';

const LONG = '**/*.long.test.ts';
const MINUTE = 60_000;

/** `--mode long` runs only the tests that take minutes. */
export default defineConfig(({ mode }) => ({
  test: {
    include: mode === 'long' ? [LONG] : ['**/*.test.ts', '**/*.test.tsx'],
    exclude: ['**/node_modules/**', '**/dist/**', 'data/**', 'e2e/**', ...(mode === 'long' ? [] : [LONG])],
    globalSetup: ['server/src/testing/cluster.ts'],
    pool: 'forks',
    // Loading the server again for each file took as long as the tests.
    isolate: false,
    maxWorkers: 3,
    testTimeout: mode === 'long' ? 20 * MINUTE : 5 * MINUTE,
    hookTimeout: 5 * MINUTE,
    teardownTimeout: 30_000,
  },
}));
