import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import { createNotices } from './support/notices.ts';
import { expect, test } from './support/test.ts';
import type { TestUser } from './support/users.ts';

const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 375, height: 812 };
/** Including the welcome notice. */
const MANY = 26;

/** Not by role, because an open drawer hides it from the accessibility tree. */
const bell = (page: Page) => page.locator('header a[aria-label^="通知"]');
const expectBell = (page: Page, label: string) => expect(bell(page)).toHaveAttribute('aria-label', label);
const drawer = (page: Page) => page.getByRole('dialog', { name: '通知' });
const items = (page: Page) => page.getByRole('article');
const unreadItems = (page: Page) => items(page).filter({ hasText: '未读：' });

const unreadOf = async ({ call }: TestUser) => (await call('GET core/user/notice/unread', {})).total;

/** Records the requested page numbers. */
const countPages = (page: Page) => {
  const requestedPages: string[] = [];
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname === '/api/core/user/notice' && request.method() === 'GET')
      requestedPages.push(searchParams.get('page') ?? '');
  });
  return requestedPages;
};

/** Scrolls until `within` pixels are left, and waits for the observers. */
const scrollToEnd = (page: Page, within: number) =>
  drawer(page).evaluate(async (popup, within) => {
    const box = [...popup.querySelectorAll('*')].find((each) => getComputedStyle(each).overflowY === 'auto');
    if (box) box.scrollTop = box.scrollHeight - box.clientHeight - within;
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    for (let i = 0; i < 3; i += 1) await frame();
  }, within);

async function openDrawer(page: Page, count: number): Promise<void> {
  await bell(page).click();
  await expect(drawer(page)).toBeVisible();
  await expect(items(page)).toHaveCount(count);
}

// The bell exists from 768 px; phones have the list in the account centre.
test.use({ viewport: DESKTOP });

test('the bell displays the unread count, and its drawer loads more pages on scroll', async ({
  page,
  reader,
  baseURL,
}) => {
  await createNotices(baseURL ?? '', reader, MANY - 1);
  const requestedPages = countPages(page);
  await page.goto('/home');
  await expectBell(page, `通知，${MANY} 条未读`);

  await openDrawer(page, 10);
  await expect(items(page).first()).toContainText('你的账号在新设备');
  await expect(items(page).first().getByText('系统')).toBeVisible();
  expect(requestedPages).toEqual(['1']);

  await scrollToEnd(page, 120);
  expect(requestedPages).toEqual(['1']);
  await scrollToEnd(page, 90);
  await expect(items(page)).toHaveCount(20);
  await scrollToEnd(page, 0);
  await expect(items(page)).toHaveCount(MANY);
  await expect(drawer(page).getByText('没有更多了')).toBeVisible();
  expect(requestedPages).toEqual(['1', '2', '3']);
  await expect(items(page).last()).toContainText('欢迎来到');
});

test('marks visible notices as read, but not those outside the viewport', { tag: '@long' }, async ({
  page,
  reader,
  baseURL,
}) => {
  await createNotices(baseURL ?? '', reader, 10);
  await page.goto('/home');
  await openDrawer(page, 10);
  await expect(unreadItems(page).first()).toBeVisible();
  await expect(items(page).first()).not.toContainText('未读：');
  await expect.poll(() => unreadOf(reader)).toBeLessThan(11);
  const left = await unreadOf(reader);
  expect(left).toBeGreaterThan(0);
  await expectBell(page, `通知，${left} 条未读`);
});

test('marks all as read, also in another tab', async ({ page, context, reader, baseURL }) => {
  await createNotices(baseURL ?? '', reader, 2);
  const other = await context.newPage();
  await other.goto('/home');
  await expectBell(other, '通知，3 条未读');
  await page.goto('/home');
  await page.bringToFront();
  await openDrawer(page, 3);
  await drawer(page).getByRole('button', { name: '全部已读' }).click();
  await expect(unreadItems(page)).toHaveCount(0);
  await expectBell(page, '通知');
  await expectBell(other, '通知');
  expect(await unreadOf(reader)).toBe(0);
});

test('restores unread marks when the server fails', { tag: '@long' }, async ({
  page,
  reader,
  baseURL,
  browserErrors,
}) => {
  browserErrors.allow(/status of 500/);
  await createNotices(baseURL ?? '', reader, 2);
  await page.route('**/api/core/user/notice?*', (route) =>
    route.request().method() === 'PUT'
      ? route.fulfill({
          status: 500,
          json: { success: false, errorCode: 'INTERNAL', errorMessage: '服务器出错了，请稍后再试' },
        })
      : route.fallback(),
  );
  await page.goto('/home');
  await openDrawer(page, 3);
  await drawer(page).getByRole('button', { name: '全部已读' }).click();
  await expect(page.getByRole('status').getByText('服务器出错了，请稍后再试')).toBeVisible();
  await expectBell(page, '通知，3 条未读');
  await expect(unreadItems(page)).toHaveCount(3);
});

test('a new notice appears in the open list', async ({ page, reader, baseURL }) => {
  await page.goto('/home');
  await bell(page).click();
  await expect(items(page)).toHaveCount(1);
  await createNotices(baseURL ?? '', reader, 1);
  await expect(items(page)).toHaveCount(2);
  await expect(items(page).first()).toContainText('你的账号在新设备');
});

test('a notice that arrives between the list and the first counts appears too', async ({
  page,
  reader,
  baseURL,
}) => {
  // A live connection that opens too late to report it.
  await page.routeWebSocket(/\/api\/live/, () => {});
  const { promise: arrived, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/core/user/notice/unread*', async (route) => {
    await arrived;
    await route.fallback();
  });
  await page.goto('/account/center.html?tab=notice');
  await expect(items(page)).toHaveCount(1);
  await createNotices(baseURL ?? '', reader, 1);
  release();
  await expect(items(page)).toHaveCount(2);
});

test('displays an error when the list fails to load, and retries', { tag: '@long' }, async ({
  page,
  reader,
  browserErrors,
}) => {
  browserErrors.allow(/ERR_FAILED/);
  let broken = true;
  await page.route('**/api/core/user/notice?*', (route) => (broken ? route.abort() : route.fallback()));
  await page.goto('/home');
  await bell(page).click();
  await expect(drawer(page).getByRole('heading', { name: '没能载入' })).toBeVisible();
  await expectAccessible(page);
  broken = false;
  await drawer(page).getByRole('button', { name: '再试一次' }).click();
  await expect(items(page)).toHaveCount(reader.user.unread);
});

test('offers a button when a further page fails to load', { tag: '@long' }, async ({
  page,
  reader,
  baseURL,
  browserErrors,
}) => {
  browserErrors.allow(/ERR_FAILED/);
  await createNotices(baseURL ?? '', reader, 10);
  // Marking as read would refetch the list, so it is disabled here.
  await reader.call('PUT core/user/notice', { all: true });
  await page.goto('/home');
  await openDrawer(page, 10);
  let broken = true;
  await page.route('**/api/core/user/notice?*', (route) => (broken ? route.abort() : route.fallback()));
  await scrollToEnd(page, 0);
  const more = drawer(page).getByRole('button', { name: '显示更多' });
  await expect(more).toBeVisible();
  await expect(drawer(page).getByText('网络没有连上')).toBeVisible();
  broken = false;
  await more.click();
  await expect(items(page)).toHaveCount(11);
});

test('the drawer traps the keyboard focus and returns it to the bell', async ({ page, reader }) => {
  await page.goto('/home');
  await expectBell(page, '通知，1 条未读');
  await bell(page).focus();
  await page.keyboard.press('Enter');
  await expect(drawer(page)).toBeVisible();
  const hasFocus = () => drawer(page).evaluate((popup) => popup.contains(document.activeElement));
  // The drawer takes the focus a frame after it appears, and hands it on a frame after its last element.
  await expect.poll(hasFocus).toBe(true);
  for (let i = 0; i < 6; i += 1) {
    await page.keyboard.press('Tab');
    await expect.poll(hasFocus).toBe(true);
  }
  await page.keyboard.press('Escape');
  await expect(drawer(page)).toBeHidden();
  await expect(bell(page)).toBeFocused();
  expect(reader.user.unread).toBe(1);
});

test('the account centre lists all notices by kind', async ({ page, reader, baseURL }) => {
  await createNotices(baseURL ?? '', reader, 2);
  await page.goto('/home');
  await bell(page).click();
  await drawer(page).getByRole('link', { name: '查看全部' }).click();
  await expect(page).toHaveURL(/\/account\/center\.html\?tab=notice$/);
  await expect(drawer(page)).toBeHidden();
  await expect(items(page)).toHaveCount(3);

  await page.getByRole('tab', { name: '点赞' }).click();
  await expect(page.getByRole('heading', { name: '没有「点赞」通知' })).toBeVisible();
  await page.getByRole('tab', { name: /^系统/ }).click();
  await expect(items(page)).toHaveCount(3);
  await expect.poll(() => unreadOf(reader)).toBe(0);
  await expect(page.getByRole('button', { name: '全部已读' })).toBeDisabled();
});

test('on a phone the account centre offers the kinds as a select', { tag: '@long' }, async ({
  page,
  reader,
}) => {
  await page.setViewportSize(PHONE);
  await page.goto('/account/center.html?tab=notice');
  await expect(items(page)).toHaveCount(1);
  await page.getByLabel('类型', { exact: true }).selectOption('关注');
  await expect(page.getByRole('heading', { name: '没有「关注」通知' })).toBeVisible();
  await page.getByLabel('类型', { exact: true }).selectOption({ value: 'system' });
  await expect(items(page)).toContainText(['欢迎来到']);
  expect(reader.user.unread).toBe(1);
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the drawer has no accessibility violations, ${colorScheme}`, {
    tag: '@long',
  }, async ({ page, reader, baseURL }) => {
    await createNotices(baseURL ?? '', reader, 2);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.goto('/home');
    await openDrawer(page, 3);
    await expectAccessible(page);
    await page.setViewportSize(PHONE);
    await expect(drawer(page)).toHaveCSS('width', `${PHONE.width}px`);
    await expectAccessible(page);
  });

  test(`the list has no accessibility violations, ${colorScheme}`, {
    tag: '@long',
  }, async ({ page, reader, baseURL }) => {
    await createNotices(baseURL ?? '', reader, 2);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.goto('/account/center.html?tab=notice');
    await expect(items(page)).toHaveCount(3);
    await expectAccessible(page);
    await page.setViewportSize(PHONE);
    await expectAccessible(page);
  });
}
