import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const LONG = '**/*.long.test.ts';
const MINUTE = 60_000;

/** Longest first: a long file that is run last leaves the other workers without work. */
const SLOW_FILES = [
  ...['large-import.long', 'draft.long', 'interleaving.long'],
  ...['relevance', 'demo', 'backups', 'main', 'reading'],
].map((name) => `/${name}.test.ts`);

class SlowFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = SLOW_FILES.findIndex((name) => moduleId.endsWith(name));
      return at < 0 ? SLOW_FILES.length : at;
    };
    return sorted.toSorted((a, b) => rank(a) - rank(b));
  }
}

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
    sequence: { sequencer: SlowFilesFirst },
    // Tests must not fail because the machine is slow.
    env: { TIME_LIMIT_FACTOR: '6' },
    testTimeout: mode === 'long' ? 20 * MINUTE : 5 * MINUTE,
    hookTimeout: 5 * MINUTE,
    teardownTimeout: 30_000,
    // Longer than anything takes on a busy machine.
    expect: { poll: { timeout: 2 * MINUTE } },
  },
}));
