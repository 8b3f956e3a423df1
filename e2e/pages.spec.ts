import { IDENTITY } from '@mozhan/contract/enums.ts';
import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import { expect, test } from './support/test.ts';
import { choosePassword, storeSession } from './support/users.ts';

const PUBLIC = [
  '/home',
  '/mhome.html',
  '/login.html',
  '/login.html?mode=register',
  '/essay/program.html',
  '/essay/tech.html',
  '/essay/app.html',
  '/about.html',
  '/apply.html',
  '/help.html',
  '/usp.html',
  '/privacy.html',
  '/contact.html',
  '/exception',
];
const NOBODY = '0'.repeat(32);
const MISSING = [
  '/no-such-page.html',
  '/essay/nothing.html',
  `/essay/detail/${NOBODY}.html`,
  `/essay/mdetail/${NOBODY}.html`,
  `/user/home/${NOBODY}.html`,
  `/user/mhome/${NOBODY}.html`,
  '/user/home/not-an-id.html',
  '/account/other.html',
];
const FOR_READERS = ['/account/center.html', '/account/settings.html'];
const FOR_WRITERS = ['/essay/create.html', '/essay/edit.html'] as const;

/** Console message of the browser about a 404 response. */
const NOT_FOUND = /status of 404/;

const overflow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

test('redirects old and short addresses to the page and keeps their parameters', async ({ page, reader }) => {
  for (const [from, to] of [
    ['/', '/home'],
    ['/index.html', '/home'],
    ['/?s=CODE', '/home?s=CODE'],
    ['/account.html?tab=trend', '/account/center.html?tab=trend'],
    ['/account.html', '/account/center.html'],
    ['/user.html', '/account/center.html'],
  ] as const) {
    await page.goto(from);
    await expect(page, `${reader.account} at ${from}`).toHaveURL((url) => url.pathname + url.search === to);
  }
});

test('every public page is server-rendered', async ({ request }) => {
  for (const path of PUBLIC) {
    const response = await request.get(path);
    expect(response.status(), path).toBe(200);
    const html = await response.text();
    expect(html, path).toMatch(/<title>[^<]+<\/title>/);
    expect(html, path).toMatch(/<meta name="description" content="[^"]+"/);
    expect(html, path).toMatch(/<h1[ >]/);
    expect(html, `${path}: the policy forbids styles in the HTML`).not.toContain(' style="');
    expect(html.includes('noindex'), path).toBe(path === '/exception');
  }
});

test('unknown pages return 404 with links to other pages', async ({ page, browserErrors }) => {
  browserErrors.allow(NOT_FOUND);
  for (const path of MISSING) {
    const response = await page.goto(path);
    expect(response?.status(), path).toBe(404);
    await expect(page.getByRole('heading', { level: 1 })).toContainText('没有这一页');
    await expect(page.getByRole('main').getByRole('link', { name: '回首页' })).toBeVisible();
  }
});

test('redirects visitors to sign in and back', async ({ page, newUser }) => {
  const { account, password } = await newUser();
  for (const path of [...FOR_READERS, ...FOR_WRITERS]) {
    const response = await page.goto(path);
    expect(response?.status(), 'the shell is the same for everyone').toBe(200);
    await expect(page).toHaveURL(new RegExp(`/login\\.html\\?redirect=${encodeURIComponent(path)}$`));
  }
  await page.goto('/account/settings.html?tab=privacy');
  await expect(page).toHaveURL(/login\.html\?redirect=/);
  await choosePassword(page);
  await page.getByLabel('账号').fill(account);
  await page.getByLabel('密码', { exact: true }).fill(password);
  await page.getByRole('button', { name: '登录', exact: true }).click();
  await expect(page).toHaveURL(/\/account\/settings\.html\?tab=privacy$/);
});

test('writers’ pages are open to writers only', async ({ page, reader, admin, isMobile }) => {
  for (const path of FOR_WRITERS) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('这一页只向作者开放');
  }
  await admin.call('PUT core/sys/user/', { id: reader.user.id, curIdentity: IDENTITY.writer });
  await page.goto('/home');
  if (isMobile) await page.getByRole('button', { name: /账户菜单/ }).click();
  await expect(page.getByRole('link', { name: '写文章' })).toHaveAttribute('target', '_blank');
  await page.goto('/essay/create.html');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('编辑文章');
});

test('signing out in one tab leaves protected pages in other tabs', { tag: '@long' }, async ({
  page,
  reader,
  context,
  browserErrors,
}) => {
  // A request of the first tab may fail with 401.
  browserErrors.allow(/status of 401/);
  await page.goto('/account/center.html');
  await expect(page.getByRole('heading', { level: 1 })).toContainText(reader.user.displayName);
  const other = await context.newPage();
  await other.goto('/home');
  await other.getByRole('button', { name: /账户菜单/ }).click();
  await other.getByRole('button', { name: '退出登录' }).click();
  await expect(other).toHaveURL(/\/login\.html$/);
  await expect(page).toHaveURL(/\/login\.html\?redirect=/);
});

test('the exception page displays its query parameters as plain text', async ({ page }) => {
  const message = '<img src=x onerror=alert(1)> 余额不足';
  await page.goto(`/exception?errorCode=NO_MONEY&errorMessage=${encodeURIComponent(message)}`);
  await expect(page.getByText('NO_MONEY')).toBeVisible();
  await expect(page.getByText(message)).toBeVisible();
  await expect(page.locator('main img')).toHaveCount(0);
});

test('an invalid fragment scrolls to the top', async ({ page }) => {
  await page.goto('/about.html');
  await page.evaluate(() => {
    const link = document.createElement('a');
    link.href = '/privacy.html#%';
    // Evaluated outside React, because the page may not be hydrated yet.
    document.body.append(link);
    link.click();
  });
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('隐私政策');
});

test('info pages contain the site name and link to each other', async ({ page, api }) => {
  const { settings } = await api('GET core/site/', {});
  await page.goto('/about.html');
  await expect(page.getByRole('article')).toContainText(settings.title);
  await expect(page.getByRole('article')).not.toContainText('{{');
  await page.getByRole('navigation', { name: '说明页面' }).getByRole('link', { name: '隐私政策' }).click();
  await expect(page).toHaveURL(/\/privacy\.html$/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('隐私政策');
  await page.getByRole('article').getByRole('link').first().click();
  await expect(page.getByRole('heading', { level: 1 })).not.toHaveText('没有这一页');
});

/** All pages in the long run; otherwise a sample that includes the mobile pages. */
const sample = (userId: string): string[] =>
  process.env.E2E_EVERYWHERE !== '1'
    ? ['/home', '/mhome.html', '/login.html', '/about.html', `/user/mhome/${userId}.html`]
    : [...PUBLIC, `/user/home/${userId}.html`, `/user/mhome/${userId}.html`, '/no-such-page.html'];

test('no page overflows horizontally', { tag: '@long' }, async ({
  page,
  reader,
  browserErrors,
  isMobile,
}) => {
  browserErrors.allow(NOT_FOUND);
  await page.setViewportSize({ width: isMobile ? 320 : 768, height: 800 });
  for (const path of [...PUBLIC, ...FOR_READERS, `/user/home/${reader.user.id}.html`, '/no-such-page.html']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    expect(await overflow(page), path).toBeLessThanOrEqual(0);
  }
});

test('no accessibility violations for visitors in light and dark', { tag: '@long' }, async ({
  page,
  browserErrors,
  newUser,
}) => {
  test.slow();
  browserErrors.allow(NOT_FOUND);
  const { user } = await newUser();
  for (const [i, path] of sample(user.id).entries()) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    // Colours are the same on all pages, so a sample is enough for the dark scheme.
    for (const colorScheme of i % 3 === 0 ? (['light', 'dark'] as const) : (['light'] as const)) {
      // Without animations, so that colours are final.
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme);
      await expectAccessible(page);
    }
  }
});

test('no accessibility violations on pages of readers and writers', { tag: '@long' }, async ({
  page,
  reader,
  admin,
}) => {
  test.slow();
  for (const [person, paths] of [
    [reader, [...FOR_READERS, FOR_WRITERS[0]]],
    [admin, FOR_WRITERS],
  ] as const) {
    await storeSession(page, person);
    for (const path of paths) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expectAccessible(page);
    }
  }
});
