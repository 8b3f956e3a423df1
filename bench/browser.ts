import { type Browser, chromium, type Page } from '@playwright/test';
import { signIn, storeSession, type TestUser } from '../e2e/support/users.ts';
import { findChromium } from '../scripts/chromium.ts';
import { ADMIN_PASSWORD, startMozhan } from './servers.ts';

export interface BrowserSession {
  page: Page;
  admin: TestUser;
  /** CPU time of the page's main thread in milliseconds; it does not depend on other load of the machine. */
  cpu: () => Promise<number>;
}

/** Starts a new installation and Chromium signed in as its administrator. */
export async function withBrowser(run: (withBrowser: BrowserSession) => Promise<void>): Promise<void> {
  // `BENCH_URL` is a running server with ADMIN_PASSWORD.
  const server = process.env.BENCH_URL ? undefined : await startMozhan();
  const url = server?.url ?? process.env.BENCH_URL ?? '';
  let browser: Browser | undefined;
  try {
    browser = await chromium.launch({
      executablePath: findChromium(),
      args: ['--disable-gpu', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
    });
    const admin = await signIn(url, { account: 'admin', password: ADMIN_PASSWORD });
    const context = await browser.newContext({ baseURL: url, viewport: { width: 1440, height: 900 } });
    const page = await context.newPage();
    await storeSession(page, admin);
    const session = await context.newCDPSession(page);
    await session.send('Performance.enable');
    const cpu = async () => {
      const { metrics } = await session.send('Performance.getMetrics');
      return 1000 * (metrics.find(({ name }) => name === 'ThreadTime')?.value ?? Number.NaN);
    };
    await run({ page, admin, cpu });
  } finally {
    await browser?.close();
    await server?.stop();
  }
}
