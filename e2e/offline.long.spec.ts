import type { BrowserContext, Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import { expect, test } from './support/own-site.ts';
import { storeSession } from './support/users.ts';

// Serial, because the tests share the site's settings.
test.describe.configure({ mode: 'default' });

const OFFLINE = '当前处于离线状态';
const notice = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text });

const cacheNames = (page: Page) => page.evaluate(() => caches.keys());
const isControlled = (page: Page) => page.evaluate(() => navigator.serviceWorker.controller !== null);

/** Opens the page and waits until the service worker has cached it. */
async function openAndCache(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect.poll(() => isControlled(page)).toBe(true);
  const isCached = (address: string) => caches.match(address).then((cached) => cached !== undefined);
  await expect.poll(() => page.evaluate(isCached, path)).toBe(true);
}

async function goOffline(page: Page, context: BrowserContext): Promise<void> {
  await context.setOffline(true);
  await expect(notice(page, OFFLINE)).toBeVisible();
}

test('installs no service worker when offline support is off', async ({
  page,
  context,
  applySettings,
  browserErrors,
}) => {
  browserErrors.allow(/ERR_INTERNET_DISCONNECTED/);
  await applySettings({});
  await page.goto('/home', { waitUntil: 'networkidle' });
  await expect(page.locator('link[rel="manifest"]')).toHaveCount(0);
  expect(
    await page.evaluate(() => navigator.serviceWorker.getRegistrations().then((all) => all.length)),
  ).toBe(0);
  await context.setOffline(true);
  await expect.poll(() => page.evaluate(() => navigator.onLine)).toBe(false);
  await expect(page.getByText(OFFLINE)).toHaveCount(0);
});

test('visited pages are available offline', async ({
  page,
  context,
  applySettings,
  newUser,
  browserErrors,
}) => {
  // The own list of the reader is not cached.
  browserErrors.allow(/ERR_INTERNET_DISCONNECTED|ERR_FAILED .*personal-feed|import.*personal-feed/);
  await applySettings({ pwa: true });
  await storeSession(page, await newUser());
  await openAndCache(page, '/about.html');
  await expect(page.locator('link[rel="manifest"]')).toHaveAttribute('href', '/manifest.webmanifest');
  // Cached although it was opened by client-side navigation.
  await page.getByRole('contentinfo').getByRole('link', { name: '隐私政策' }).click();
  await expect(page).toHaveURL(/\/privacy\.html$/);
  await expect.poll(() => page.evaluate(() => caches.match('/privacy.html').then(Boolean))).toBe(true);

  await goOffline(page, context);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: '隐私政策' })).toBeVisible();
  await expect(notice(page, OFFLINE)).toBeVisible();
  await expect(page.getByRole('button', { name: /账户菜单/ })).toBeVisible();
  await page.getByRole('contentinfo').getByRole('link', { name: '关于我们' }).click();
  await expect(page.getByRole('heading', { level: 1, name: '关于我们' })).toBeVisible();
  // Start URL of the installed app.
  await page.goto('/');
  await expect(page.getByRole('main')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).not.toHaveText(OFFLINE);
  await expect(notice(page, OFFLINE)).toBeVisible();

  await context.setOffline(false);
  await expect(notice(page, OFFLINE)).toBeHidden();
  await expect(page.getByText('已恢复连接')).toBeVisible();
});

test('unvisited pages display the offline page in the site’s theme', async ({
  page,
  context,
  applySettings,
  browserErrors,
}) => {
  browserErrors.allow(/ERR_INTERNET_DISCONNECTED/);
  await applySettings({ pwa: true, title: '砚边' });
  await openAndCache(page, '/home');
  await goOffline(page, context);
  await page.goto('/essay/tech.html');
  await expect(page.getByRole('heading', { level: 1, name: OFFLINE })).toBeVisible();
  await expect(page).toHaveTitle(`${OFFLINE} · 砚边`);
  const again = page.getByRole('link', { name: '再试一次' });
  expect(await again.evaluate((link) => getComputedStyle(link).backgroundColor)).toBe('rgb(203, 61, 64)');
  await expectAccessible(page);

  await context.setOffline(false);
  await again.click();
  await expect(page).toHaveURL(/\/essay\/tech\.html$/);
  await expect(page.getByRole('heading', { level: 1, name: '技术' })).toBeVisible();
});

test('caches no personal pages, API calls or the back office', async ({ page, applySettings, newUser }) => {
  await applySettings({ pwa: true });
  const person = await newUser({ displayName: '沈砚秋' });
  await storeSession(page, person);
  await openAndCache(page, '/account/center.html');
  await page.goto('/essay/tech.html?from=mail');
  await page.goto('/admin/');
  await openAndCache(page, '/home');
  const cached = await page.evaluate(async () => {
    const caught: { path: string; text: string }[] = [];
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        const { pathname, search } = new URL(request.url);
        const response = await cache.match(request);
        caught.push({ path: pathname + search, text: (await response?.text()) ?? '' });
      }
    }
    return caught;
  });
  expect(cached.map(({ path }) => path)).toContain('/account/center.html');
  for (const { path, text } of cached) {
    expect(path).not.toMatch(/^\/(api|admin|files)(\/|$)/);
    if (!path.startsWith('/assets/')) expect(path).not.toContain('?');
    expect(text).not.toContain(person.user.displayName);
    expect(text).not.toContain(person.user.id);
  }
});

test('a new version is activated only on request', async ({ page, applySettings }) => {
  await applySettings({ pwa: true });
  await openAndCache(page, '/home');
  const before = await cacheNames(page);
  await expect(notice(page, '有新内容')).toBeHidden();

  // The offline page contains the title, so a new title creates a new worker.
  await applySettings({ pwa: true, title: '新的墨栈' });
  await page.reload();
  await expect(notice(page, '有新内容')).toBeVisible();
  expect(await cacheNames(page)).toEqual(expect.arrayContaining(before));

  // When dismissed, the prompt returns on the next page.
  await notice(page, '有新内容').getByRole('button', { name: '关闭提示' }).click();
  await expect(notice(page, '有新内容')).toBeHidden();
  await page.reload();
  await expectAccessible(page);
  const reloaded = page.waitForEvent('load');
  await page.getByRole('button', { name: '刷新' }).click();
  await reloaded;
  await expect(page.getByRole('main')).toBeVisible();
  await expect.poll(async () => (await cacheNames(page)).some((name) => before.includes(name))).toBe(false);
  await expect(notice(page, '有新内容')).toBeHidden();
});

test('switching offline support off removes the worker and its caches', async ({ page, applySettings }) => {
  await applySettings({ pwa: true });
  await openAndCache(page, '/home');
  expect(await cacheNames(page)).not.toEqual([]);
  await applySettings({});
  await page.reload();
  await expect.poll(() => cacheNames(page)).toEqual([]);
  await expect
    .poll(() => page.evaluate(() => navigator.serviceWorker.getRegistrations().then((all) => all.length)))
    .toBe(0);
  await page.reload();
  expect(await isControlled(page)).toBe(false);
});
