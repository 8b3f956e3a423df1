import { defineConfig } from 'vitest/config';

const LONG = '**/*.long.test.ts';
const MINUTE = 60_000;

/** `--mode long` runs the tests that take minutes, and nothing else. */
export default defineConfig(({ mode }) => ({
  test: {
    include: mode === 'long' ? [LONG] : ['**/*.test.ts', '**/*.test.tsx'],
    exclude: ['**/node_modules/**', '**/dist/**', 'data/**', 'e2e/**', ...(mode === 'long' ? [] : [LONG])],
    globalSetup: ['server/src/testing/cluster.ts'],
    pool: 'forks',
    // Reading the whole server anew for each file took as long as the tests.
    isolate: false,
    maxWorkers: 3,
    testTimeout: mode === 'long' ? 20 * MINUTE : 5 * MINUTE,
    hookTimeout: 5 * MINUTE,
    teardownTimeout: 30_000,
  },
}));
