import { existsSync, globSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { run } from './process.mjs';
import { beginStep, print, tail } from './progress.mjs';

const NAMES = [
  // Preferred, because tests run a third faster in the headless shell.
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'chrome',
  'microsoft-edge',
];
const MAC_APPS = ['Google Chrome', 'Chromium', 'Microsoft Edge'];
const MINUTE = 60_000;

/** Uses `CHROMIUM_PATH`, a browser on the PATH, a macOS application, or a download of Playwright. */
export function findChromium(): string | undefined {
  const { CHROMIUM_PATH, PATH = '' } = process.env;
  if (CHROMIUM_PATH) return CHROMIUM_PATH;
  const onPath = NAMES.flatMap((name) => PATH.split(delimiter).map((folder) => join(folder, name)));
  const apps = MAC_APPS.map((app) => `/Applications/${app}.app/Contents/MacOS/${app}`);
  return [...onPath, ...apps].find((path) => existsSync(path)) ?? findPlaywrightChromium();
}

function findPlaywrightChromium(): string | undefined {
  const cache =
    process.env.PLAYWRIGHT_BROWSERS_PATH ??
    join(homedir(), process.platform === 'darwin' ? 'Library/Caches/ms-playwright' : '.cache/ms-playwright');
  const inside = [
    'chromium_headless_shell-*/chrome-*/*headless*shell',
    'chromium-*/chrome-linux*/chrome',
    'chromium-*/chrome-mac*/*.app/Contents/MacOS/*',
  ];
  const [newest] = inside.flatMap((path) => globSync(path, { cwd: cache }).sort().reverse());
  return newest && join(cache, newest);
}

/** Prints instructions and returns undefined when there is no browser. */
export async function findOrInstallChromium(label: string): Promise<string | undefined> {
  const found = findChromium();
  if (found && existsSync(found)) return found;
  if (found) {
    print(`${label} CHROMIUM_PATH is ${found}, which does not exist`);
    return undefined;
  }
  const apt = existsSync('/usr/bin/apt-get');
  if (apt && process.getuid?.() === 0 && (await installWithApt(label))) {
    const installed = findChromium();
    if (installed) return installed;
  }
  print(`${label} browser tests need Chromium, which is not installed. Do one of these and try again:`);
  if (apt) print('    sudo apt-get install -y chromium-headless-shell fonts-noto-cjk');
  print('    npx playwright install chromium');
  print('    CHROMIUM_PATH=/path/to/chromium npm test');
  return undefined;
}

async function installWithApt(label: string): Promise<boolean> {
  const step = beginStep(label, 'installing Chromium');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const packages = ['chromium-headless-shell', 'fonts-noto-cjk'];
  await run('apt-get', ['update'], { cwd: '/', env, timeout: 3 * MINUTE });
  const args = ['install', '-y', '--no-install-recommends', ...packages];
  const { code, output } = await run('apt-get', args, { cwd: '/', env, timeout: 8 * MINUTE });
  if (code !== 0) {
    step.fail();
    print(tail(output, 20));
    return false;
  }
  step.done();
  return true;
}
