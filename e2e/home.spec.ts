import { gzipSync } from 'node:zlib';
import { goBack, waitForRouter } from './support/history.ts';
import { expect, test } from './support/test.ts';

/** Console message of the browser about a 404 response. */
const NOT_FOUND = /status of 404/;

test('a visitor sees the essays and the link to register', async ({ page }) => {
  const response = await page.goto('/home');
  expect(response?.status()).toBe(200);
  expect(response?.headers()['content-security-policy']).toContain("script-src 'self'");
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByRole('link', { name: '登录 / 注册' })).toBeVisible();

  await page.getByRole('link', { name: '登录 / 注册' }).click();
  await expect(page).toHaveURL(/\/login\.html$/);
  await goBack(page);
  await expect(page).toHaveURL(/\/home$/);
});

test('the page is server-rendered with metadata', async ({ request }) => {
  const html = await (await request.get('/home')).text();
  expect(html).toContain('<html lang="zh-CN">');
  expect(html).toMatch(/<title>[^<]+<\/title>/);
  expect(html).toMatch(/<meta name="description" content="[^"]+"/);
  expect(html).toMatch(/<link rel="canonical" href="http[^"]+\/home"/);
  expect(html).toContain('<meta property="og:title"');
  expect(html).toContain('<script type="application/ld+json">');
  expect(html, 'the policy forbids styles in the HTML').not.toContain(' style="');
});

test('the theme is stored and applied before the first paint', async ({ page, isMobile }) => {
  // On phones the switch is on the login page and in the settings, not in the header.
  await page.goto(isMobile ? '/login.html' : '/home');
  const root = page.locator('html');
  await expect(root).toHaveAttribute('data-theme', 'light');
  await page.getByRole('button', { name: '切换深浅色' }).click();
  await expect(root).toHaveAttribute('data-theme', 'dark');
  await page.reload({ waitUntil: 'commit' });
  await expect(root).toHaveAttribute('data-theme', 'dark');
  await page.getByRole('button', { name: '切换深浅色' }).click();
  await expect(root).toHaveAttribute('data-theme', 'light');
});

test('uses the system theme without a stored choice', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto('/home');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.emulateMedia({ colorScheme: 'light' });
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
});

test('an unknown URL returns 404 with links to other pages', async ({ page, browserErrors }) => {
  browserErrors.allow(NOT_FOUND);
  const response = await page.goto('/essay/no-such-page.html');
  expect(response?.status()).toBe(404);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('没有这一页');
  await expect(page.locator('meta[name="robots"]')).toHaveAttribute('content', 'noindex');

  await waitForRouter(page);
  await page.getByRole('link', { name: '回首页' }).click();
  await expect(page).toHaveURL(/\/home$/);
  await expect(page.getByRole('main')).toBeFocused();
  await expect(page.locator('meta[name="robots"]')).toHaveCount(0);
});

test('Back restores the scroll position', async ({ page }) => {
  await page.setViewportSize({ width: 375, height: 500 });
  await page.goto('/help.html');
  await waitForRouter(page);
  const scrolled = () => page.evaluate(() => Math.round(scrollY));
  await page.evaluate(() => scrollTo({ top: 400, behavior: 'instant' }));
  await page.evaluate(() => document.querySelector<HTMLElement>('header a[href*="login"]')?.click());
  await expect(page).toHaveURL(/\/login\.html/);
  await expect.poll(scrolled).toBe(0);
  await goBack(page);
  await expect(page).toHaveURL(/\/help\.html$/);
  await expect.poll(scrolled).toBe(400);
  await page.reload();
  await expect.poll(scrolled).toBe(400);
});

test('reloads the document when the code of a page is missing', async ({ page, browserErrors }) => {
  // The last if the link was followed before the page was hydrated.
  browserErrors.allow(/ERR_FAILED|preload|src\/pages\/login/);
  await page.goto('/home');
  let refused = 0;
  await page.route('**/assets/login-*.js', (route) => {
    refused += 1;
    // As after a deployment; the reloaded document references the new file.
    return refused === 1 ? route.abort() : route.fallback();
  });
  await page.evaluate(() => document.querySelector<HTMLElement>('header a[href*="login"]')?.click());
  await expect(page).toHaveURL(/\/login\.html$/);
  await expect(page.getByRole('heading', { name: '欢迎回来' })).toBeVisible();
  expect(refused).toBeGreaterThan(0);
});

test('the skip link moves the focus past the header', async ({ page }) => {
  await page.goto('/home');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: '跳到正文' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
});

test('the first load of a visitor stays within the size budget', async ({ page }) => {
  const bytes = { script: 0, stylesheet: 0 };
  const measured: Promise<void>[] = [];
  page.on('response', (response) => {
    const kind = response.request().resourceType();
    if (kind !== 'script' && kind !== 'stylesheet') return;
    measured.push(
      response.body().then((body) => {
        bytes[kind] += gzipSync(body, { level: 9 }).length;
      }),
    );
  });
  await page.goto('/home', { waitUntil: 'networkidle' });
  await Promise.all(measured);
  expect(bytes.script).toBeGreaterThan(0);
  expect(bytes.script / 1024).toBeLessThanOrEqual(4);
  expect(bytes.stylesheet / 1024).toBeLessThanOrEqual(12);
});

test('a click before hydration takes effect afterwards', {
  tag: '@large',
}, async ({ page }) => {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let requestCount = 0;
  await page.route('**/assets/application-*.js', async (route) => {
    requestCount += 1;
    await released;
    await route.fallback();
  });
  await page.emulateMedia({ colorScheme: 'light' });
  // A resting pointer is no interaction.
  await page.mouse.move(300, 300);
  await page.goto('/home', { waitUntil: 'networkidle' });
  expect(requestCount).toBe(0);
  await page.getByRole('button', { name: '切换深浅色' }).click();
  await expect.poll(() => requestCount).toBe(1);
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
  release();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
});

test('a click before the first module is loaded takes effect afterwards', { tag: '@large' }, async ({
  page,
}) => {
  const clicked = Promise.withResolvers<void>();
  await page.route('**/assets/entry-client-*.js', async (route) => {
    await clicked.promise;
    await route.fallback();
  });
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto('/home', { waitUntil: 'commit' });
  await page.getByRole('button', { name: '切换深浅色' }).click();
  clicked.resolve();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
});
