import { defineConfig, devices } from '@playwright/test';
import { findChromium } from './scripts/chromium.ts';

const CHROMIUM_ARGS = [
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // There is none: drawing goes straight to memory instead of through an emulated one.
  '--disable-gpu',
];

/** Chromium's sandbox refuses to run as root. */
const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];

/**
 * `npm run test:long` runs everything: on the phone too, with motion, with the checks of accessibility, and with what is
 * tagged `@long` or in a `*.long.spec.ts`. The usual run has every other test, on the desktop.
 */
const isEverywhere = process.env.E2E_EVERYWHERE === '1';

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'e2e/results/files',
  globalSetup: './e2e/global-setup.ts',
  workers: 2,
  fullyParallel: true,
  retries: 0,
  forbidOnly: Boolean(process.env.CI),
  // Longer than anything takes on a busy machine: how fast it is, is not what is tested here.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  ...(isEverywhere ? {} : { grepInvert: /@long/, testIgnore: '**/*.long.spec.ts' }),
  globalTimeout: isEverywhere ? 60 * 60_000 : 17 * 60_000,
  reporter: [['list'], ['json', { outputFile: 'e2e/results/report.json' }]],
  use: {
    baseURL: process.env.E2E_BASE_URL,
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    ...(isEverywhere ? {} : { contextOptions: { reducedMotion: 'reduce' } }),
    // Recording costs as much as the tests themselves: `TRACE=on` when one is needed.
    trace: process.env.TRACE ? 'retain-on-failure' : 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: findChromium(),
      args: [...CHROMIUM_ARGS, ...sandbox],
      // Without it, files with Chinese names are called otherwise.
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
    },
  },
  projects: [
    { name: 'desktop', use: { ...devices['Desktop Chrome'], viewport: { width: 1440, height: 900 } } },
    ...(isEverywhere
      ? [
          {
            name: 'phone',
            // What is no different there.
            grepInvert: /@large/,
            use: { ...devices['Pixel 7'], viewport: { width: 375, height: 812 }, deviceScaleFactor: 2 },
          },
        ]
      : []),
  ],
});
