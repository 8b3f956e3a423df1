import { type Browser, chromium, type Page } from '@playwright/test';
import { enterAs, type Person, signIn } from '../e2e/support/people.ts';
import { findChromium } from '../scripts/chromium.ts';
import { ADMIN_PASSWORD, startMozhan } from './servers.ts';

export interface Visit {
  page: Page;
  admin: Person;
  /** Processor time of the page's main thread so far, in milliseconds; other work on the machine does not change it. */
  cpu: () => Promise<number>;
}

/** A fresh installation, and Chromium in it as its administrator. */
export async function visit(run: (visit: Visit) => Promise<void>): Promise<void> {
  // `BENCH_URL` names one that runs already, with the password of the benchmarks.
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
    await enterAs(page, admin);
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
