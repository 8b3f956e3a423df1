/**
 * `npm test`: builds, then runs the unit tests, and beside them the checks and, if these pass, the browser tests. `--only` selects steps: `check`
 * (no tests), `unit`, `e2e` or `long`; other arguments are passed to Vitest or Playwright to select files.
 */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildIfStale } from './builds.ts';
import { findOrInstallChromium } from './chromium.ts';
import { beginStep, elapsed, print, tail } from './progress.mjs';
import { findMissingPrograms, root, runTool, workspaces } from './tools.ts';

const MINUTE = 60_000;
const CACHE = join(root, 'node_modules/.cache');
const VITEST_REPORT = join(CACHE, 'vitest.json');
const PLAYWRIGHT_REPORT = join(root, 'e2e/results/report.json');
const CHECKED_FOLDERS = [...workspaces, 'e2e', 'bench', 'scripts'];
/** Without its parser dependency-cruiser would find nothing and pass. */
const MISSING_PARSER = /missing-\w+-transpiler/;

interface Counts {
  passed: number;
  failed: number;
}

const NO_TESTS: Counts = { passed: 0, failed: 0 };

/** `ok` is also false when the program failed without a failed test. */
interface StepResult extends Counts {
  ok: boolean;
}

interface TestOptions {
  /** Prints the output only on failure, because another step prints at the same time. */
  hidesOutput?: boolean;
}

interface CheckOptions {
  timeout?: number;
  /** Prints no line of progress every few seconds, because another step prints at the same time. */
  quiet?: boolean;
}

type Step = (label: string, filters: string[]) => Promise<StepResult>;

/** A step whose output is printed only on failure. */
const check =
  (
    title: string,
    tool: string,
    args: string[],
    { timeout = 15 * MINUTE, quiet = false }: CheckOptions = {},
  ): Step =>
  async (label) => {
    const step = beginStep(label, title, { quiet });
    const { code, output } = await runTool(tool, args, { timeout });
    const ok = code === 0 && !MISSING_PARSER.test(output);
    if (ok) step.done('passed');
    else {
      step.fail();
      print(tail(output, 200));
    }
    return { ...NO_TESTS, failed: ok ? 0 : 1, ok };
  };

const checks: Step[] = [
  check('lock file', 'node', ['scripts/complete-lock.ts', '--check']),
  // Several checkers would each compute the contract's types, which doubles the CPU time.
  check('types', 'tsc', ['--build', '--checkers', '1']),
  check('format and lint', 'biome', ['check', '--error-on-warnings']),
  check('module boundaries', 'depcruise', [
    '--output-type',
    'err-long',
    '--cache',
    join(CACHE, 'depcruise'),
    '--cache-strategy',
    'content',
    ...CHECKED_FOLDERS,
  ]),
  check('unused code', 'knip', ['--cache', '--cache-location', join(CACHE, 'knip')]),
  check('regular expressions', 'node', ['scripts/check-regexes.ts']),
];

const build: Step = async (label) => ({ ...NO_TESTS, ok: await buildIfStale(label) });

const vitest =
  (title: string, mode: string, timeout: number, options: TestOptions = {}): Step =>
  async (label, filters) => {
    const args = ['run', '--mode', mode, '--reporter=default', '--reporter=json'];
    args.push(`--outputFile.json=${VITEST_REPORT}`, ...filters);
    for (const { program, file, what } of mode === 'long' ? optionalLongTests : []) {
      if (findMissingPrograms([program]).length === 0) continue;
      print(`${label} ${what}: skipped, ${program} is not installed`);
      args.push('--exclude', file);
    }
    return await runTests(label, title, { tool: 'vitest', args, timeout, report: VITEST_REPORT, ...options });
  };

/** Long tests that need an external program. */
const optionalLongTests = [
  { program: 'java', file: 'server/src/http/html.long.test.ts', what: 'pages by the validator of the W3C' },
  {
    program: 'epubcheck',
    file: 'server/src/modules/content/downloads/epubcheck.long.test.ts',
    what: 'books by EPUBCheck',
  },
  {
    program: 'fail2ban-regex',
    file: 'server/src/modules/accounts/users/fail2ban.long.test.ts',
    what: 'failed sign-ins by fail2ban',
  },
  {
    program: 'promtool',
    file: 'server/src/http/alerts.long.test.ts',
    what: 'metrics and alert rules by promtool',
  },
];

const unit = (options?: TestOptions) => vitest('unit and integration tests', 'test', 60 * MINUTE, options);

const longTests = vitest('long tests', 'long', 120 * MINUTE, { hidesOutput: true });

const playwright =
  (title: string, timeout: number, env: Record<string, string> = {}): Step =>
  async (label, filters) => {
    const chromium = await findOrInstallChromium(label);
    if (!chromium) return { ...NO_TESTS, ok: false };
    return await runTests(label, title, {
      tool: 'playwright',
      // Playwright compares filters with absolute paths.
      args: ['test', ...filters.map((filter) => `/e2e/.*${filter.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`)],
      // Playwright forces colours in its workers, which then warn about NO_COLOR.
      env: { CHROMIUM_PATH: chromium, ...(process.stdout.isTTY ? {} : { FORCE_COLOR: '0' }), ...env },
      timeout,
      report: PLAYWRIGHT_REPORT,
    });
  };

/** Found before the other steps, so that nobody waits for them in vain. */
const chromium: Step = async (label) => ({
  ...NO_TESTS,
  ok: (await findOrInstallChromium(label)) !== undefined,
});

const browser = playwright('browser tests', 60 * MINUTE);
const allBrowserTests = playwright('all browser tests', 120 * MINUTE, { E2E_EVERYWHERE: '1' });

/** Runs a script, or skips it and prints what is missing. */
const scriptUnlessMissing =
  (title: string, script: string, timeout: number, listMissing: () => string[]): Step =>
  async (label, filters) => {
    const missing = listMissing();
    if (missing.length > 0) {
      print(`${label} ${title}: skipped without ${missing.join(', ')}`);
      return { ...NO_TESTS, ok: true };
    }
    return await check(title, 'node', [script], { timeout, quiet: true })(label, filters);
  };

const machines = scriptUnlessMissing('several machines', 'bench/machines.ts', 15 * MINUTE, () =>
  findMissingPrograms(['nginx', 'redis-server']),
);

/** Creates a user, which requires root. */
const operatorPath = scriptUnlessMissing(
  'path of a new operator',
  'bench/operator-path.ts',
  60 * MINUTE,
  () => [
    ...findMissingPrograms(['nginx', 'caddy', 'logrotate', 'systemd-analyze']),
    ...(process.getuid?.() === 0 ? [] : ['root']),
  ],
);

/** Runs independent steps in parallel and reports all of them. */
const inParallel =
  (steps: Step[]): Step =>
  async (label, filters) => {
    const results = await Promise.all(steps.map((step) => step(label, filters)));
    return {
      passed: results.reduce((sum, { passed }) => sum + passed, 0),
      failed: results.reduce((sum, { failed }) => sum + failed, 0),
      ok: results.every(({ ok }) => ok),
    };
  };

/** Runs steps one after the other, up to the first that fails. */
async function runInTurn(
  steps: Step[],
  labelOf: (index: number) => string,
  filters: string[],
): Promise<StepResult> {
  const total: StepResult = { ...NO_TESTS, ok: true };
  for (const [index, step] of steps.entries()) {
    const { passed, failed, ok } = await step(labelOf(index), filters);
    total.passed += passed;
    total.failed += failed;
    total.ok = ok;
    if (ok) continue;
    if (index + 1 < steps.length) print(`${labelOf(index)} failed, so what follows is skipped`);
    break;
  }
  return total;
}

const inTurn =
  (steps: Step[]): Step =>
  (label, filters) =>
    runInTurn(steps, () => label, filters);

const allRegexes = check('all regular expressions anew', 'node', ['scripts/check-regexes.ts', '--all'], {
  quiet: true,
});

const plans: Record<string, Step[]> = {
  // Unit tests wait for a fifth of their time, which the checks and then the browser tests use.
  all: [chromium, build, inParallel([unit({ hidesOutput: true }), inTurn([inParallel(checks), browser])])],
  check: [inParallel(checks)],
  unit: [build, unit()],
  e2e: [chromium, build, browser],
  long: [
    chromium,
    build,
    inParallel([longTests, inTurn([allBrowserTests, allRegexes, machines, operatorPath])]),
  ],
};

interface TestRun extends TestOptions {
  tool: string;
  args: string[];
  env?: NodeJS.ProcessEnv;
  timeout: number;
  report: string;
}

async function runTests(label: string, title: string, test: TestRun): Promise<StepResult> {
  const { tool, args, env, timeout, report, hidesOutput = false } = test;
  rmSync(report, { force: true });
  const step = beginStep(label, title, { quiet: true });
  const { code, output } = await runTool(tool, args, { show: !hidesOutput, timeout, ...(env && { env }) });
  const counts = readCounts(report);
  const ok = code === 0 && counts.failed === 0;
  if (output && !(ok && hidesOutput)) print(output);
  if (ok) step.done(`${counts.passed} passed`);
  else step.fail(`${counts.failed} failed, ${counts.passed} passed`);
  return { ...counts, ok };
}

interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  testResults: { status: string; assertionResults: { status: string }[] }[];
}

interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number };
  /** Errors outside of tests: files that failed to load, servers that did not start or stop. */
  errors: unknown[];
}

/** A file that failed to load counts as one failure. */
function readCounts(path: string): Counts {
  let report: VitestReport | PlaywrightReport;
  try {
    report = JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return NO_TESTS;
  }
  if ('stats' in report) {
    const { expected, unexpected, flaky } = report.stats;
    return { passed: expected + flaky, failed: unexpected + report.errors.length };
  }
  const unloaded = report.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  );
  return { passed: report.numPassedTests, failed: report.numFailedTests + unloaded.length };
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: { only: { type: 'string', default: 'all' } },
    allowPositionals: true,
    strict: false,
  });
  const only = String(values.only);
  const steps = Object.keys(values).length === 1 ? plans[only] : undefined;
  if (!steps || (positionals.length > 0 && ['all', 'check'].includes(only))) {
    print('usage: npm test [-- --only check|unit|e2e|long [part of a file name …]]');
    return 2;
  }
  const since = performance.now();
  const total = await runInTurn(steps, (index) => `[${index + 1}/${steps.length}]`, positionals);
  const { ok } = total;
  // A program may fail without a failed test.
  if (!ok && total.failed === 0) total.failed = 1;
  print(`${elapsed(since)} in all`);
  if (!ok || total.passed > 0) print(`${total.passed} passed, ${total.failed} failed`);
  return ok ? 0 : 1;
}

process.exitCode = await main();
