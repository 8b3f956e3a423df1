import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import { expect, test } from './support/test.ts';
import { storeSession, type TestUser } from './support/users.ts';

const PLACES = ['首页', '编程', '技术', '应用'];

const header = (page: Page) => page.getByRole('banner');
const mainNavigation = (page: Page) => page.getByRole('navigation', { name: '主导航' });
const footer = (page: Page) => page.getByRole('contentinfo');
const signInLink = (page: Page) => header(page).getByRole('link', { name: '登录 / 注册' });
const writeLink = (page: Page) => header(page).getByRole('link', { name: '写文章' });
const menuButton = (page: Page) => page.getByRole('button', { name: /账户菜单/ });
const isPhone = (page: Page) => (page.viewportSize()?.width ?? 0) < 768;

async function enter(page: Page, person: TestUser, path = '/home'): Promise<void> {
  await storeSession(page, person);
  await page.goto(path);
  await expect(menuButton(page)).toBeVisible();
}

async function signOut(page: Page): Promise<void> {
  await menuButton(page).click();
  await page.getByRole('button', { name: '退出登录' }).click();
}

test('the header links to home and every category', async ({ page }) => {
  await page.goto('/home');
  await expect(mainNavigation(page).getByRole('link')).toHaveText(PLACES);
  await expect(mainNavigation(page).getByRole('link', { name: '首页' })).toHaveAttribute(
    'aria-current',
    'page',
  );
  await mainNavigation(page).getByRole('link', { name: '技术' }).click();
  await expect(page).toHaveURL(/\/essay\/tech\.html$/);
  await expect(mainNavigation(page).locator('[aria-current="page"]')).toHaveText('技术');
  await header(page).getByRole('link', { name: '墨栈首页' }).click();
  await expect(page).toHaveURL(/\/home$/);
});

test('the sign-in link of a visitor contains the current page', async ({ page }) => {
  await page.goto('/home');
  await expect(signInLink(page)).toHaveAttribute('href', '/login.html');
  await expect(menuButton(page)).toHaveCount(0);
  await expect(writeLink(page)).toBeHidden();

  await page.goto('/essay/tech.html?from=mail');
  const back = `/login.html?${new URLSearchParams({ redirect: '/essay/tech.html?from=mail' })}`;
  await expect(signInLink(page)).toHaveAttribute('href', back);
  await signInLink(page).click();
  await expect(page).toHaveURL(/\/login\.html\?redirect=/);
});

test('a reader has an account menu, but no link to write', async ({ page, newUser }) => {
  const person = await newUser({ displayName: '许知白' });
  await enter(page, person);
  await expect(signInLink(page)).toBeHidden();
  await expect(writeLink(page)).toBeHidden();
  await menuButton(page).click();
  const items = header(page).locator('ul').getByRole('listitem');
  const narrow = isPhone(page) ? [/^通知/] : [];
  await expect(items).toHaveText(['我的主页', '编辑主页', ...narrow, '退出登录']);

  await header(page).getByRole('link', { name: '我的主页' }).click();
  await expect(page).toHaveURL(/\/account\/center\.html$/);
  await menuButton(page).click();
  await header(page).getByRole('link', { name: '编辑主页' }).click();
  await expect(page).toHaveURL(/\/account\/settings\.html$/);
});

test('an administrator who is a writer has links to the editor and the back office', async ({
  page,
  admin,
}) => {
  await enter(page, admin);
  if (isPhone(page)) await expect(writeLink(page)).toBeHidden();
  else {
    await expect(writeLink(page)).toBeVisible();
    await expect(writeLink(page)).toHaveAttribute('href', '/essay/create.html');
    await expect(writeLink(page)).toHaveAttribute('target', '_blank');
  }
  await menuButton(page).click();
  const items = header(page).locator('ul').getByRole('listitem');
  const narrow = isPhone(page) ? [/^通知/, '写文章', '草稿'] : [];
  await expect(items).toHaveText(['我的主页', '编辑主页', ...narrow, '管理后台', '退出登录']);
  await expect(page.getByRole('link', { name: '管理后台' })).toHaveAttribute('href', '/admin/');
});

test('signing out redirects to the login page or to the given URL', { tag: '@long' }, async ({
  page,
  newUser,
}) => {
  for (const [from, to] of [
    ['/home', '/login.html'],
    ['/account/center.html', '/login.html'],
    ['/essay/app.html?redirect=/about.html', '/about.html'],
    ['/essay/app.html?redirect=https://other.site/', '/home'],
  ] as const) {
    await enter(page, await newUser(), from);
    await signOut(page);
    await expect.poll(() => page.url().replace(/^http:\/\/[^/]+/, ''), from).toBe(to);
    expect(await page.evaluate(() => localStorage.getItem('currentUser'))).toBeNull();
    await expect(page.locator('html')).not.toHaveAttribute('data-signed');
  }
});

test('hydration causes no flash and no layout shift', { tag: '@long' }, async ({ page, admin, newUser }) => {
  /** Positions of the visible parts of the header; a button may take the place of its placeholder. */
  const measure = () =>
    page.evaluate(() => {
      const boxes = [...document.querySelectorAll('header :is(a, button, [data-for])')]
        .filter((part) => !part.closest('[data-for="member"] > *'))
        .map((part) => part.getBoundingClientRect())
        .filter(({ width }) => width > 0)
        .map(({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(' '));
      return [...new Set(boxes)];
    });
  for (const person of [admin, await newUser({ displayName: '一个名字很长很长的读者' })]) {
    await storeSession(page, person);
    // Without scripts the page stays as the server and boot.ts rendered it.
    await page.route('**/assets/entry-client-*.js', () => {});
    await page.goto('/home', { waitUntil: 'commit' });
    await expect(header(page)).toBeVisible();
    await expect(signInLink(page)).toBeHidden();
    await expect(writeLink(page)).toBeVisible({ visible: person === admin && !isPhone(page) });
    const before = await measure();
    await page.unroute('**/assets/entry-client-*.js');
    await page.goto('/home');
    await expect(menuButton(page)).toBeVisible();
    expect(await measure()).toEqual(before);
  }
});

test('the footer links to the info pages', async ({ page }) => {
  await page.goto('/home');
  const links = footer(page).getByRole('link');
  const all = ['关于我们', '专家申请', '帮助中心', '服务协议', '隐私政策', '联系我们'];
  await expect(links).toHaveText(isPhone(page) ? ['关于我们', '服务协议', '隐私政策'] : all);
  await expect(footer(page)).toContainText(`© 2022–${new Date().getFullYear()} 墨栈`);
  await links.filter({ hasText: '隐私政策' }).click();
  await expect(page).toHaveURL(/\/privacy\.html$/);
});

test('navigation works during hydration', { tag: '@long' }, async ({ page }) => {
  // Delays React's scheduler, as on a busy machine.
  await page.addInitScript(() => {
    const { postMessage } = MessagePort.prototype;
    MessagePort.prototype.postMessage = function (...given: unknown[]) {
      const send = () => Reflect.apply(postMessage, this, given);
      if ('busy' in window) setTimeout(send, 150);
      else send();
    };
  });
  const next = Promise.withResolvers<void>();
  await page.route('**/assets/info-*.js', async (route) => {
    await next.promise;
    await route.continue();
  });
  const isHydrated = (selector: string) =>
    Object.keys(document.querySelector(selector) ?? {}).some((key) => key.startsWith('__react'));
  await page.goto('/home');
  await page.mouse.move(10, 10);
  await page.waitForFunction(isHydrated, 'footer');
  await page.evaluate(() => Object.assign(window, { busy: true }));
  await footer(page).getByRole('link', { name: '隐私政策' }).click();
  await page.waitForFunction(isHydrated, 'title');
  next.resolve();
  await expect(page).toHaveTitle(/^隐私政策/);
  await expect(page.locator('title')).toHaveCount(1);
});

test('touch targets have the minimum size', async ({ page, admin }) => {
  await page.setViewportSize({ width: 375, height: 812 });
  const small = () =>
    page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('header :is(a, button), footer a')]
        .filter((part) => part.checkVisibility())
        .filter((part) => part.offsetHeight < 44 || part.offsetWidth < 44)
        .map((part) => `${part.textContent} ${part.offsetWidth} × ${part.offsetHeight}`),
    );
  await page.goto('/home');
  expect(await small()).toEqual([]);
  await enter(page, admin);
  await menuButton(page).click();
  expect(await small()).toEqual([]);
  for (const width of [320, 375]) {
    await page.setViewportSize({ width, height: 812 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
});

test('stored preferences apply before the first paint and in other tabs', async ({ page, context }) => {
  await page.goto('/home');
  const root = page.locator('html');
  await expect(root).not.toHaveAttribute('data-weak', 'on');
  const other = await context.newPage();
  await other.goto('/home');
  await other.evaluate(() => {
    for (const [key, value] of Object.entries({ theme: 'dark', weak: 'on', reading: 'xl' }))
      localStorage.setItem(key, value);
  });
  await expect(root).toHaveAttribute('data-theme', 'dark');
  await expect(root).toHaveAttribute('data-weak', 'on');
  await expect(root).toHaveAttribute('data-reading', 'xl');
  expect(await root.evaluate((html) => getComputedStyle(html).getPropertyValue('--text-read'))).toBe('21px');

  await page.route('**/assets/entry-client-*.js', () => {});
  await page.goto('/home', { waitUntil: 'commit' });
  await expect(root).toHaveAttribute('data-theme', 'dark');
  await expect(root).toHaveAttribute('data-weak', 'on');
  await expect(root).toHaveAttribute('data-reading', 'xl');
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the menu of a writer has no accessibility violations, ${colorScheme}`, {
    tag: '@long',
  }, async ({ page, admin }) => {
    await page.emulateMedia({ colorScheme });
    await enter(page, admin);
    await menuButton(page).click();
    // What the menu covers is checked with the pages.
    await expectAccessible(page, 'header');
  });
}
