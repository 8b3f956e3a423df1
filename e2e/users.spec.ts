import { accountMenu, choosePassword, expect, newAccount, register, signIn, test, watch } from './fixtures.ts';

test('register, stay signed in, sign out and in again', async ({ page }) => {
  const me = newAccount();
  await register(page, me);
  await expect(accountMenu(page, me)).toBeVisible();
  await expect(page.getByRole('link', { name: '登录 / 注册' })).toBeHidden();

  await page.reload();
  await expect(accountMenu(page, me)).toBeVisible();
  expect(await page.evaluate(() => Object.keys(JSON.parse(localStorage.currentUser)).sort())).toEqual([
    'curIdentity',
    'displayName',
    'headImg',
    'id',
  ]);

  await accountMenu(page, me).click();
  await page.getByRole('button', { name: '退出登录' }).click();
  await expect(page).toHaveURL(/\/login\.html$/);
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull();

  await choosePassword(page);
  await signIn(page, me);
  await expect(page).toHaveURL(/\/home$/);
  await expect(accountMenu(page, me)).toBeVisible();
});

test('the signed-in state is there before any script of the page has run', async ({ page }) => {
  const me = newAccount();
  await register(page, me);
  await page.route('**/assets/entry-client-*.js', (route) => route.abort());
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-signed', '');
  await expect(page.getByRole('link', { name: '登录 / 注册' })).toBeHidden();
});

test('a wrong password is said at the field, and what was typed stays', async ({ page }) => {
  await page.goto('login.html');
  await choosePassword(page);
  await page.getByRole('button', { name: '登录', exact: true }).click();
  await expect(page.getByLabel('账号')).toBeFocused();
  await expect(page.getByText('请填写账号')).toBeVisible();

  await signIn(page, { ...newAccount(), account: 'nobody-here', password: 'not the password' });
  const field = page.getByLabel('密码', { exact: true });
  await expect(field).toHaveAccessibleDescription(/账号或密码不对/);
  await expect(field).toHaveValue('not the password');
  await expect(page.getByLabel('账号')).toHaveValue('nobody-here');

  await page.getByRole('button', { name: '显示密码' }).click();
  await expect(field).toHaveAttribute('type', 'text');
});

test('the server’s word on a field stands at that field', async ({ page }) => {
  await page.goto('login.html?mode=register&invite=FRIEND');
  await expect(page.getByLabel('邀请码')).toHaveValue('FRIEND');
  await page.getByLabel('账号').fill('不行');
  await page.getByLabel('密码', { exact: true }).fill('short');
  await page.getByRole('button', { name: '注册' }).click();
  await expect(page.getByLabel('账号')).toHaveAccessibleDescription(/4–32/);
  await expect(page.getByLabel('密码', { exact: true })).toHaveAccessibleDescription(/密码至少 8 个字符/);
  await expect(page.getByLabel('账号')).toHaveValue('不行');
});

test('an account that is taken is said at the field', async ({ page, browser }) => {
  const me = newAccount();
  await register(page, me);
  const other = await (await browser.newContext()).newPage();
  await other.goto(new URL('login.html?mode=register', page.url()).href);
  await other.getByLabel('账号').fill(me.account);
  await other.getByLabel('密码', { exact: true }).fill(me.password);
  await other.getByRole('button', { name: '注册' }).click();
  await expect(other.getByLabel('账号')).toHaveAccessibleDescription(/已被使用/);
  await other.context().close();
});

test('signing in leads back to where it was asked for, on this site only', async ({ page }) => {
  const me = newAccount();
  await register(page, me);
  await page.goto('login.html?redirect=/home%3Ffrom%3Dtest');
  await expect(page.getByRole('heading', { name: `你已登录为 ${me.displayName}` })).toBeVisible();
  await page.getByRole('button', { name: '继续' }).click();
  await expect(page).toHaveURL(/\/home\?from=test$/);

  await page.goto('login.html?redirect=//example.com/');
  await page.getByRole('button', { name: '继续' }).click();
  await expect(page).toHaveURL(/\/home$/);

  await page.goto('login.html');
  await page.getByRole('button', { name: '退出换号' }).click();
  await expect(page.getByRole('heading', { name: '欢迎回来' })).toBeVisible();
});

test('another tab follows signing out', async ({ page, context }) => {
  const me = newAccount();
  await register(page, me);
  const other = await context.newPage();
  await other.goto(page.url());
  await expect(accountMenu(other, me)).toBeVisible();
  await accountMenu(page, me).click();
  await page.getByRole('button', { name: '退出登录' }).click();
  await expect(other.getByRole('link', { name: '登录 / 注册' })).toBeVisible();
});

test('a session ended elsewhere is forgotten', async ({ page }) => {
  const me = newAccount();
  await register(page, me);
  await page.evaluate(() => localStorage.setItem('token', 'not-a-token-of-this-server'));
  await page.reload();
  await expect(page.getByRole('link', { name: '登录 / 注册' })).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('currentUser'))).toBeNull();
});

test('tabs are worked by the arrow keys', async ({ page }) => {
  await page.goto('login.html');
  const code = page.getByRole('tab', { name: '扫码登录' });
  const password = page.getByRole('tab', { name: '密码登录' });
  await expect(code).toHaveAttribute('aria-selected', 'true');
  await code.focus();
  await page.keyboard.press('ArrowRight');
  await expect(password).toBeFocused();
  await expect(password).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByLabel('账号')).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await expect(code).toBeFocused();
});

test('a phone starts with the password', async ({ page }) => {
  await page.setViewportSize({ width: 375, height: 800 });
  await page.goto('login.html');
  await expect(page.getByRole('tab', { name: '密码登录' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByLabel('账号')).toBeVisible();
});

test.describe('a code scanned by a phone', () => {
  /** The desktop, and what its code says. */
  async function showCode(page: import('@playwright/test').Page): Promise<string> {
    const answer = page.waitForResponse((response) => response.url().includes('/qrcode/login'));
    await page.goto('login.html');
    await expect(page.getByRole('img', { name: '登录二维码' })).toBeVisible();
    return (await (await answer).json()).data.url;
  }

  test('signs the desktop in once the phone has confirmed', async ({ page, browser, complaints }) => {
    const me = newAccount();
    const phone = await (await browser.newContext({ viewport: { width: 375, height: 800 } })).newPage();
    watch(phone, complaints);
    const url = await showCode(page);

    // A phone that is not signed in does that first, and comes back to the code by itself.
    await phone.goto(new URL('login.html?mode=register', page.url()).href);
    await phone.getByLabel('账号').fill(me.account);
    await phone.getByLabel('昵称').fill(me.displayName);
    await phone.getByLabel('密码', { exact: true }).fill(me.password);
    await phone.getByRole('button', { name: '注册' }).click();
    await expect(phone).toHaveURL(/\/home$/);
    await phone.evaluate(() => localStorage.clear());
    await phone.goto(url);
    await expect(phone.getByRole('heading', { name: '先在手机上登录' })).toBeVisible();
    await signIn(phone, me);

    await expect(phone.getByRole('heading', { name: '确认在电脑上登录？' })).toBeVisible();
    await expect(phone.getByText('如果不是你本人操作，请点取消')).toBeVisible();
    await expect(page.getByText('手机已扫描，请在手机上确认')).toBeVisible();
    await phone.getByRole('button', { name: '确认登录' }).click();
    await expect(phone.getByRole('heading', { name: '已确认登录' })).toBeVisible();
    await expect(page).toHaveURL(/\/home$/);
    await expect(accountMenu(page, me)).toBeVisible();

    await phone.goto(url);
    await expect(phone.getByRole('heading', { name: '二维码已经用过' })).toBeVisible();
    await phone.context().close();
  });

  test('is let go when the phone cancels', async ({ page, browser }) => {
    const me = newAccount();
    const url = await showCode(page);
    const phone = await (await browser.newContext({ baseURL: new URL('.', page.url()).href })).newPage();
    await register(phone, me);
    await phone.goto(url);
    await phone.getByRole('button', { name: '取消' }).click();
    await expect(phone.getByRole('heading', { name: '已取消' })).toBeVisible();
    await expect(page.getByText('手机上取消了这次登录')).toBeVisible();
    await page.getByRole('button', { name: '刷新' }).click();
    await expect(page.getByText('用已登录的手机扫一扫')).toBeVisible();
    await phone.context().close();
  });
});
