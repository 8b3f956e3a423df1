import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from './accessibility.ts';
import { expect, test as ownSite } from './own-site.ts';
import { storeSession, type TestUser } from './users.ts';

interface Fixtures {
  url: string;
  /** Opens a screen, by default as the administrator. */
  open: (path: string, as?: TestUser) => Promise<void>;
}

/** The back office of a separate site, because its tests change global state. */
export const test = ownSite.extend<Fixtures>({
  url: async ({ ownSite }, use) => {
    await use(ownSite.url);
  },
  open: async ({ page, admin }, use) => {
    await use(async (path, as = admin) => {
      await storeSession(page, as);
      await page.goto(`/admin${path}`);
    });
  },
});

/** For tests that do not depend on the screen size; see playwright.config.ts. */
export const LARGE_ONLY = { tag: '@large' };
export const unique = () => Math.random().toString(36).slice(2, 8);
export const isPhone = (page: Page) => (page.viewportSize()?.width ?? 0) < 768;
export const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name });
export const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });
export const button = (at: Page | Locator, name: string | RegExp) =>
  at.getByRole('button', { name, exact: true });
export const panel = (page: Page) => page.getByRole('dialog').last();

const LARGE = { width: 1440, height: 900 };

/**
 * Checks that screens fit the window and are accessible: the desktop project in the light scheme, the phone project in
 * the dark scheme.
 */
export async function checkScreens(page: Page, paths: readonly string[]): Promise<void> {
  const size = page.viewportSize() ?? LARGE;
  await page.emulateMedia({ colorScheme: isPhone(page) ? 'dark' : 'light' });
  for (const path of paths) {
    await page.setViewportSize(size);
    await page.goto(`/admin${path}`);
    await expect(heading(page, /./)).toBeVisible();
    await expect(page.getByRole('status', { name: '正在载入' })).toHaveCount(0);
    const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(beyond, `${path} is wider than the window`).toBeLessThanOrEqual(0);
    await page.setViewportSize(LARGE);
    await expectAccessible(page);
  }
}

export { expect };
