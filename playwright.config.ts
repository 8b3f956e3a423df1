import { defineConfig, devices } from '@playwright/test';
import { findChromium } from './scripts/chromium.ts';

const CHROMIUM_ARGS = [
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Renders in memory instead of with an emulated GPU.
  '--disable-gpu',
  // A page of a short test costs less if its code is compiled quickly instead of optimized.
  '--js-flags=--no-opt,--no-maglev,--always-sparkplug',
];

/** Chromium's sandbox does not start as root. */
const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];

/**
 * `npm run test:long` runs all tests, also on a phone, with animations and accessibility checks, and those tagged `@long`
 * or in a `*.long.spec.ts`. The default run has the other tests, on the desktop.
 */
const isEverywhere = process.env.E2E_EVERYWHERE === '1';

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'e2e/results/files',
  globalSetup: './e2e/global-setup.ts',
  // For two cores: the third uses the time in which the others wait for something.
  workers: 3,
  fullyParallel: true,
  retries: 0,
  forbidOnly: Boolean(process.env.CI),
  // Long enough for a busy machine, because these tests do not measure speed.
  timeout: 300_000,
  expect: { timeout: 90_000 },
  ...(isEverywhere ? {} : { grepInvert: /@long/, testIgnore: '**/*.long.spec.ts' }),
  globalTimeout: (isEverywhere ? 120 : 60) * 60_000,
  reporter: [['list'], ['json', { outputFile: 'e2e/results/report.json' }]],
  use: {
    baseURL: process.env.E2E_BASE_URL,
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    ...(isEverywhere ? {} : { contextOptions: { reducedMotion: 'reduce' } }),
    // Recording takes as long as the tests; set `TRACE=on` to enable it.
    trace: process.env.TRACE ? 'retain-on-failure' : 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: findChromium(),
      args: [...CHROMIUM_ARGS, ...sandbox],
      // Required for Chinese file names of downloads.
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
    },
  },
  projects: [
    { name: 'desktop', use: { ...devices['Desktop Chrome'], viewport: { width: 1440, height: 900 } } },
    ...(isEverywhere
      ? [
          {
            name: 'phone',
            // `@large` tests need a large screen.
            grepInvert: /@large/,
            use: { ...devices['Pixel 7'], viewport: { width: 375, height: 812 }, deviceScaleFactor: 2 },
          },
        ]
      : []),
  ],
});
