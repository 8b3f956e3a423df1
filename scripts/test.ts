/**
 * `npm test`: all checks, then the build and the tests, one step after another, up to the first that fails. `--only`
 * picks some of them: `check` (no tests), `unit`, `e2e` or `long`; what else is given goes to Vitest or Playwright, to
 * pick files.
 */
import { globSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildStale } from './builds.ts';
import { findOrInstallChromium } from './chromium.ts';
import { beginStep, elapsed, print, tail } from './progress.mjs';
import { missingPrograms, root, runTool, workspaces } from './tools.ts';

const MINUTE = 60_000;
const CACHE = join(root, 'node_modules/.cache');
const VITEST_REPORT = join(CACHE, 'vitest.json');
const PLAYWRIGHT_REPORT = join(root, 'e2e/results/report.json');
const BOUNDARIES = [...workspaces, 'e2e', 'bench', 'scripts'];
/** Without a parser it would find nothing, and nothing wrong. */
const BLIND = /missing-\w+-transpiler/;

interface Counts {
  passed: number;
  failed: number;
}

const none: Counts = { passed: 0, failed: 0 };

/** What a step comes to; `ok` is false too when the program itself failed and no test did. */
interface Outcome extends Counts {
  ok: boolean;
}

type Step = (label: string, filters: string[]) => Promise<Outcome>;

/** A program that passes or fails as a whole, and is shown only when it fails. */
const check =
  (title: string, tool: string, args: string[], timeout = 5 * MINUTE): Step =>
  async (label) => {
    const step = beginStep(label, title);
    const { code, output } = await runTool(tool, args, { timeout });
    const ok = code === 0 && !BLIND.test(output);
    if (ok) step.done('passed');
    else {
      step.fail();
      print(tail(output, 200));
    }
    return { ...none, ok };
  };

const checks: Step[] = [
  check('lock file', 'node', ['scripts/complete-lock.ts', '--check']),
  // Several checkers in one package would each work out the types of the contract: twice the processor time.
  check('types', 'tsc', ['--build', '--checkers', '1']),
  check('format and lint', 'biome', ['check', '--error-on-warnings']),
  check('module boundaries', 'depcruise', [
    '--output-type',
    'err-long',
    '--cache',
    join(CACHE, 'depcruise'),
    '--cache-strategy',
    'content',
    ...BOUNDARIES,
  ]),
  check('unused code', 'knip', ['--cache', '--cache-location', join(CACHE, 'knip')]),
  // The first time on a machine.
  check('regular expressions', 'node', ['scripts/check-regexes.ts'], 10 * MINUTE),
];

const build: Step = async (label) => ({ ...none, ok: await buildStale(label) });

const vitest =
  (title: string, mode: string, timeout: number): Step =>
  async (label, filters) => {
    const args = ['run', '--mode', mode, '--reporter=default', '--reporter=json'];
    args.push(`--outputFile.json=${VITEST_REPORT}`, ...filters);
    for (const { program, file, what } of mode === 'long' ? withPrograms : []) {
      if (missingPrograms([program]).length === 0) continue;
      print(`${label} ${what}: left out, ${program} is not installed`);
      args.push('--exclude', file);
    }
    return await runTests(label, title, { tool: 'vitest', args, timeout, report: VITEST_REPORT });
  };

/** Long tests that only run where their program is installed. */
const withPrograms = [
  { program: 'java', file: 'server/src/http/html.long.test.ts', what: 'pages by the validator of the W3C' },
  {
    program: 'epubcheck',
    file: 'server/src/modules/content/downloads/epubcheck.long.test.ts',
    what: 'books by EPUBCheck',
  },
];

const unit = vitest('unit and integration tests', 'test', 13 * MINUTE);

/** Tests of the server that take minutes, when there are any. */
const longTests: Step[] =
  globSync(`{${workspaces}}/**/*.long.test.ts`, { cwd: root }).length > 0
    ? [vitest('long tests', 'long', 60 * MINUTE)]
    : [];

const playwright =
  (title: string, timeout: number, env: Record<string, string> = {}): Step =>
  async (label, filters) => {
    const chromium = await findOrInstallChromium(label);
    if (!chromium) return { ...none, ok: false };
    return await runTests(label, title, {
      tool: 'playwright',
      args: ['test', ...filters],
      // It forces colours upon its workers, who then complain about NO_COLOR.
      env: { CHROMIUM_PATH: chromium, ...(process.stdout.isTTY ? {} : { FORCE_COLOR: '0' }), ...env },
      timeout,
      report: PLAYWRIGHT_REPORT,
    });
  };

const browser = playwright('browser tests', 17 * MINUTE);
/** Every browser test on a phone too, where the usual run has those that look different there. */
const everywhere = playwright('all browser tests', 60 * MINUTE, { E2E_EVERYWHERE: '1' });

/** Several servers behind a proxy, where there are the programs for it. */
const machines: Step = async (label, filters) => {
  const missing = missingPrograms(['nginx', 'redis-server']);
  if (missing.length > 0) {
    print(`${label} several machines: left out, ${missing.join(' and ')} not installed`);
    return { ...none, ok: true };
  }
  return await check('several machines', 'node', ['bench/machines.ts'])(label, filters);
};

/** Checks share nothing, so they run beside each other; all of them are reported, even if the first fails. */
const inParallel =
  (steps: Step[]): Step =>
  async (label, filters) => {
    const outcomes = await Promise.all(steps.map((step) => step(label, filters)));
    return { ...none, ok: outcomes.every((outcome) => outcome.ok) };
  };

const allChecks = inParallel(checks);

const plans: Record<string, Step[]> = {
  all: [allChecks, build, unit, browser],
  check: [allChecks],
  unit: [build, unit],
  e2e: [build, browser],
  long: [build, ...longTests, machines, everywhere],
};

interface TestRun {
  tool: string;
  args: string[];
  env?: NodeJS.ProcessEnv;
  timeout: number;
  report: string;
}

async function runTests(label: string, title: string, { tool, args, env, timeout, report }: TestRun) {
  rmSync(report, { force: true });
  const step = beginStep(label, title, { quiet: true });
  const { code, output } = await runTool(tool, args, { show: true, timeout, ...(env && { env }) });
  const counts = readCounts(report);
  const ok = code === 0 && counts.failed === 0;
  if (output) print(output);
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
  /** Outside any test: a file that could not be loaded, a server that did not start or stop. */
  errors: unknown[];
}

/** A file that could not even be loaded counts as one failure. */
function readCounts(path: string): Counts {
  let report: VitestReport | PlaywrightReport;
  try {
    report = JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return none;
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
  const total = { ...none };
  let ok = true;
  for (const [index, step] of steps.entries()) {
    const outcome = await step(`[${index + 1}/${steps.length}]`, positionals);
    total.passed += outcome.passed;
    total.failed += outcome.failed;
    ok = outcome.ok;
    if (!ok) break;
  }
  // A failed check is a failure as well, though no test is.
  if (!ok && total.failed === 0) total.failed = 1;
  print(`${elapsed(since)} in all`);
  if (!ok || total.passed > 0) print(`${total.passed} passed, ${total.failed} failed`);
  return ok ? 0 : 1;
}

process.exitCode = await main();
