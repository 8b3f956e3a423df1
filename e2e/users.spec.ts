import { FLAG } from '@mozhan/contract/enums.ts';
import { LIVE_PATH, MAX_LIVE_CONNECTIONS } from '@mozhan/contract/live.ts';
import type { Page, Route, WebSocket } from '@playwright/test';
import { io } from 'socket.io-client';
import { expectAccessible } from './support/accessibility.ts';
import { watchLiveConnection } from './support/live.ts';
import { expect, test } from './support/test.ts';
import { choosePassword, storeSession, type TestUser } from './support/users.ts';

const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 375, height: 812 };

const accountMenu = (page: Page, name: string) => page.getByRole('button', { name: `${name}，账户菜单` });
const guestLink = (page: Page) => page.getByRole('link', { name: '登录 / 注册' });
const passwordField = (page: Page) => page.getByLabel('密码', { exact: true });
const submit = (page: Page) => page.getByRole('button', { name: '登录', exact: true });

async function signIn(
  page: Page,
  { account, password }: Pick<TestUser, 'account' | 'password'>,
): Promise<void> {
  await page.getByLabel('账号').fill(account);
  await passwordField(page).fill(password);
  await submit(page).click();
}

async function openPasswordForm(page: Page, search = ''): Promise<void> {
  await page.goto(`/login.html${search}`);
  await choosePassword(page);
}

async function signOut(page: Page, name: string): Promise<void> {
  await accountMenu(page, name).click();
  await page.getByRole('button', { name: '退出登录' }).click();
}

test('register, stay signed in, sign out and in again', async ({ page }) => {
  const account = `u${Date.now().toString(36)}${Math.random().toString(36).slice(2, 6)}`;
  const password = 'three quiet mountains';
  const name = '许知白';
  await page.goto('/login.html?mode=register');
  await page.getByLabel('账号').fill(account);
  await page.getByLabel('昵称').fill(name);
  await passwordField(page).fill(password);
  await page.getByRole('button', { name: '注册' }).click();
  await expect(page).toHaveURL(/\/home$/);
  await expect(page.getByText(`欢迎你，${name}`)).toBeVisible();
  await expect(accountMenu(page, name)).toBeVisible();
  await expect(guestLink(page)).toBeHidden();

  await page.reload();
  await expect(accountMenu(page, name)).toBeVisible();
  const stored = await page.evaluate(() => JSON.parse(localStorage.getItem('currentUser') ?? '{}'));
  expect(Object.keys(stored).sort()).toEqual(['access', 'curIdentity', 'displayName', 'headImg', 'id']);

  await signOut(page, name);
  await expect(page).toHaveURL(/\/login\.html$/);
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull();

  await choosePassword(page);
  await signIn(page, { account, password });
  await expect(page).toHaveURL(/\/home$/);
  await expect(accountMenu(page, name)).toBeVisible();
});

test('a call under way when the reader signs out is not refused', async ({ page, reader }) => {
  const isUnread = (url: URL) => url.pathname === '/api/core/user/notice/unread';
  const isSignOut = (url: URL) => url.pathname === '/api/core/account/login';
  const held = new Promise<Route>((resolve) => void page.route(isUnread, resolve, { times: 1 }));
  // The held call reaches the server after the session has ended, before the page knows.
  await page.route(isSignOut, async (route) => {
    const response = await route.fetch();
    const call = await held;
    await call.continue().catch(() => {});
    await call.request().response();
    await route.fulfill({ response });
  });
  await page.goto('/home');
  await held;
  await signOut(page, reader.user.displayName);
  await expect(page).toHaveURL(/\/login\.html$/);
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull();
});

test('renders the signed-in state before any script of the page runs', async ({
  page,
  reader,
  browserErrors,
}) => {
  expect(reader.token).not.toBe('');
  browserErrors.allow(/ERR_FAILED/);
  await page.route('**/assets/entry-client-*.js', (route) => route.abort());
  await page.goto('/home');
  await expect(page.locator('html')).toHaveAttribute('data-signed', '');
  await expect(guestLink(page)).toBeHidden();
});

test('hydration causes no layout shift in the header', async ({ page, reader }) => {
  await page.setViewportSize(DESKTOP);
  await page.addInitScript(() => {
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value } = entry as PerformanceEntry & { value: number };
        document.documentElement.dataset.shift = String(
          value + Number(document.documentElement.dataset.shift ?? 0),
        );
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await page.goto('/home');
  await expect(accountMenu(page, reader.user.displayName)).toBeVisible();
  expect(Number((await page.locator('html').getAttribute('data-shift')) ?? 0)).toBeLessThan(0.001);
});

test('displays a wrong password at the field and keeps the input', async ({ page, browserErrors }) => {
  browserErrors.allow(/status of 401/);
  await openPasswordForm(page);
  await submit(page).click();
  await expect(page.getByLabel('账号')).toBeFocused();
  await expect(page.getByText('请填写账号')).toBeVisible();

  await signIn(page, { account: 'nobody-here', password: 'not the password' });
  await expect(passwordField(page)).toHaveAccessibleDescription(/账号或密码不对/);
  await expect(passwordField(page)).toHaveValue('not the password');
  await expect(page.getByLabel('账号')).toHaveValue('nobody-here');
  await expectAccessible(page);

  await page.getByRole('button', { name: '显示密码' }).click();
  await expect(passwordField(page)).toHaveAttribute('type', 'text');
});

test('displays server errors at their fields', async ({ page, browserErrors }) => {
  browserErrors.allow(/status of 422/);
  await page.goto('/login.html?mode=register&invite=FRIEND');
  await expect(page.getByLabel('邀请码')).toHaveValue('FRIEND');
  await page.getByLabel('账号').fill('不行');
  await passwordField(page).fill('short');
  await page.getByRole('button', { name: '注册' }).click();
  await expect(page.getByLabel('账号')).toHaveAccessibleDescription(/小写字母/);
  await expect(page.getByLabel('账号')).toHaveAttribute('aria-invalid', 'true');
  await expect(passwordField(page)).toHaveAccessibleDescription(/密码至少 8 个字符/);
  await expect(page.getByLabel('账号')).toHaveValue('不行');
});

test('displays at the field that an account name is in use', async ({ page, newUser }) => {
  const { account } = await newUser();
  await page.goto('/login.html?mode=register');
  await page.getByLabel('账号').fill(account);
  await passwordField(page).fill('three quiet mountains');
  await page.getByRole('button', { name: '注册' }).click();
  await expect(page.getByLabel('账号')).toHaveAccessibleDescription(/已被使用/);
});

test('signing in redirects back, but only within this site', async ({ page, newUser, browserErrors }) => {
  // A request that is pending while the user signs out may fail with 401.
  browserErrors.allow(/status of 401/);
  const person = await newUser();
  await openPasswordForm(page, '?redirect=/home%3Ffrom%3Dtest');
  await signIn(page, person);
  await expect(page).toHaveURL(/\/home\?from=test$/);

  await page.goto('/login.html?redirect=//example.com/');
  await expect(page.getByRole('heading', { name: `你已登录为 ${person.user.displayName}` })).toBeVisible();
  await page.getByRole('button', { name: '继续' }).click();
  await expect(page).toHaveURL(/\/home$/);

  await page.goto('/login.html');
  await page.getByRole('button', { name: '退出并换个账号' }).click();
  await expect(page.getByRole('heading', { name: '欢迎回来' })).toBeVisible();
});

test('other tabs follow signing out', async ({ page, context, reader, browserErrors }) => {
  // A pending request may fail with 401.
  browserErrors.allow(/status of 401/);
  const name = reader.user.displayName;
  await page.goto('/home');
  const other = await context.newPage();
  await other.goto('/home');
  await expect(accountMenu(other, name)).toBeVisible();
  await signOut(page, name);
  await expect(guestLink(other)).toBeVisible();
});

test('clears a session that was ended elsewhere', async ({ page, reader, browserErrors }) => {
  browserErrors.allow(/status of 401/);
  await reader.call('DELETE core/account/login', { all: FLAG.on });
  await page.goto('/home');
  await expect(guestLink(page)).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('currentUser'))).toBeNull();
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull();
});

test('a page disconnected because of too many connections reconnects only when it becomes visible', {
  tag: '@long',
}, async ({ page, baseURL, reader }) => {
  const opened: WebSocket[] = [];
  page.on('websocket', (socket) => opened.push(socket));
  const isLive = watchLiveConnection(page);
  await page.goto('/home');
  // The oldest connection is closed, so that of the page must be complete before the others begin.
  await expect.poll(isLive).toBe(true);
  expect(opened).toHaveLength(1);
  const others = Array.from({ length: MAX_LIVE_CONNECTIONS }, () =>
    io(baseURL ?? '', {
      path: LIVE_PATH,
      transports: ['websocket'],
      auth: { token: reader.token },
      forceNew: true,
    }),
  );
  await expect.poll(() => opened[0]?.isClosed()).toBe(true);
  await expect.poll(() => others.filter(({ connected }) => connected).length).toBe(MAX_LIVE_CONNECTIONS);
  expect(opened).toHaveLength(1);
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await expect.poll(() => opened.length).toBe(2);
  await expect.poll(() => others.filter(({ connected }) => connected).length).toBe(MAX_LIVE_CONNECTIONS - 1);
  for (const other of others) other.disconnect();
});

test('arrow keys switch tabs', async ({ page }) => {
  await page.setViewportSize(DESKTOP);
  await page.goto('/login.html');
  const code = page.getByRole('tab', { name: '扫码登录' });
  const password = page.getByRole('tab', { name: '密码登录' });
  await expect(page.getByRole('img', { name: '登录二维码' })).toBeVisible();
  await expect(code).toHaveAttribute('aria-selected', 'true');
  await code.focus();
  await page.keyboard.press('ArrowRight');
  await expect(password).toBeFocused();
  await expect(password).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByLabel('账号')).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await expect(code).toBeFocused();
});

test('phones start with the password form', async ({ page }) => {
  await page.setViewportSize(PHONE);
  await page.goto('/login.html');
  await expect(page.getByRole('tab', { name: '密码登录' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByLabel('账号')).toBeVisible();
});

test.describe('a code scanned by a phone', () => {
  /** Opens the QR code on the desktop and returns its URL. */
  async function showCode(page: Page): Promise<string> {
    await page.setViewportSize(DESKTOP);
    const answer = page.waitForResponse((response) => response.url().includes('/qrcode/login'));
    await page.goto('/login.html');
    await expect(page.getByRole('img', { name: '登录二维码' })).toBeVisible();
    return (await (await answer).json()).data.url;
  }

  test('signs the desktop in once the phone has confirmed', async ({ page, browser, baseURL, newUser }) => {
    const person = await newUser();
    const context = await browser.newContext({ viewport: PHONE, baseURL });
    const phone = await context.newPage();
    const url = await showCode(page);

    await phone.goto(url);
    await expect(phone.getByRole('heading', { name: '先在手机上登录' })).toBeVisible();
    await signIn(phone, person);
    await expect(phone.getByRole('heading', { name: '确认登录这台设备？' })).toBeVisible();
    await expect(phone.getByText('如果不是你本人操作，请点取消')).toBeVisible();
    await expectAccessible(phone);
    await expect(page.getByText('手机已扫描，请在手机上确认')).toBeVisible();

    await phone.getByRole('button', { name: '确认登录' }).click();
    await expect(phone.getByRole('heading', { name: '已确认登录' })).toBeVisible();
    await expect(page).toHaveURL(/\/home$/);
    await expect(accountMenu(page, person.user.displayName)).toBeVisible();

    await phone.goto(url);
    await expect(phone.getByRole('heading', { name: '二维码已经用过' })).toBeVisible();
    await context.close();
  });

  test('expires when the phone cancels', { tag: '@long' }, async ({ page, browser, baseURL, newUser }) => {
    const context = await browser.newContext({ viewport: PHONE, baseURL });
    const phone = await context.newPage();
    await storeSession(phone, await newUser());
    await phone.goto(await showCode(page));
    await phone.getByRole('button', { name: '取消' }).click();
    await expect(phone.getByRole('heading', { name: '已取消' })).toBeVisible();
    await expect(page.getByText('手机上取消了这次登录')).toBeVisible();
    await page.getByRole('button', { name: '刷新' }).click();
    await expect(page.getByText('用已登录的手机扫一扫')).toBeVisible();
    await context.close();
  });
});
