import { expectAccessible } from '../support/accessibility.ts';
import { publishEssay } from '../support/essays.ts';
import { button, expect, LARGE_ONLY, panel, test } from '../support/office.ts';
import { register, storeSession } from '../support/users.ts';

// Serial, because the tests share the site's switches.
test.describe.configure({ mode: 'default' });
test.use({ contextOptions: { reducedMotion: 'reduce' } });

test.afterEach(async ({ ownSite: { admin } }) => {
  await admin.call('PUT core/sys/switch/', {
    registration: 'open',
    comments: 'open',
    rewards: true,
    letters: true,
    chats: true,
    maintenance: false,
  });
});

test(
  'closing registration takes one choice and hides it from visitors',
  LARGE_ONLY,
  async ({ page, open, browser, url }) => {
    const visitor = await browser.newPage({ baseURL: url });
    await visitor.goto('/login.html');
    await expect(visitor.getByRole('link', { name: '现在注册' })).toBeVisible();

    await open('/');
    await page.getByRole('navigation', { name: '后台菜单' }).getByRole('link', { name: '开关' }).click();
    await expect(page.getByText('现在全部开放')).toBeVisible();
    await expectAccessible(page);
    const registration = page.getByRole('radiogroup', { name: '注册' });
    await registration.getByText('关闭').click();
    await button(page, '保存').click();
    await expect(page.getByText('现在：注册已关闭')).toBeVisible();

    await visitor.goto('/login.html');
    await expect(visitor.getByRole('heading', { name: '欢迎回来' })).toBeVisible();
    await expect(visitor.getByRole('link', { name: '现在注册' })).toHaveCount(0);
    await visitor.goto('/login.html?mode=register');
    await expect(visitor.getByRole('heading', { name: '现在不开放注册' })).toBeVisible();

    await registration.getByText('凭邀请码').click();
    await page.getByLabel(/本站邀请码/).fill('welcome-2026');
    await button(page, '保存').click();
    await expect(page.getByText('现在：凭邀请码注册')).toBeVisible();
    await visitor.goto('/login.html?mode=register');
    await expect(visitor.getByText('本站凭邀请码注册，可以向已经注册的朋友要一个')).toBeVisible();
    await visitor.close();
  },
);

test('entry points of features that are off vanish from pages', async ({ page, url, ownSite: { admin } }) => {
  const { id, writer } = await publishEssay(url);
  const reader = await register(url);
  await storeSession(page, reader);
  await page.goto(`/essay/detail/${id}.html`);
  await expect(page.getByRole('link', { name: '群聊' }).filter({ visible: true })).toBeVisible();
  await admin.call('PUT core/sys/switch/', {
    rewards: false,
    letters: false,
    chats: false,
    comments: 'off',
  });
  await page.reload();
  await expect(page.getByRole('button', { name: '打赏' })).toHaveCount(0);
  await expect(page.getByRole('link', { name: '群聊' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: /写私信/ })).toHaveCount(0);
  await page.locator('#comments').scrollIntoViewIfNeeded();
  await expect(page.getByText('本站暂停了评论。')).toBeVisible();
  await page.goto(`/user/home/${writer.user.id}.html`);
  await expect(page.getByRole('button', { name: /关注/ }).first()).toBeVisible();
  await expect(page.getByRole('link', { name: '私聊' })).toHaveCount(0);
  await page.goto('/account/center.html');
  const nav = page.getByRole('navigation', { name: '个人中心' });
  await expect(nav.getByRole('link', { name: '通知' })).toBeVisible();
  await expect(nav.getByRole('link', { name: '私信' })).toHaveCount(0);
  await expect(nav.getByRole('link', { name: '聊天' })).toHaveCount(0);
});

test('maintenance asks first, shows readers a page of its own and lets staff in', async ({
  page,
  open,
  browser,
  url,
}) => {
  await open('/switch');
  await page.getByLabel(/维护页面上的话/).fill('升级数据库，大约 20:00 恢复。');
  await page.getByRole('switch', { name: '维护模式' }).click();
  await button(page, '保存').click();
  await button(panel(page), '打开').click();
  await expect(page.getByText('网站正在维护，读者看不到页面。')).toBeVisible();

  const context = await browser.newContext({ baseURL: url });
  const visitor = await context.newPage();
  const response = await visitor.goto('/home');
  expect(response?.status()).toBe(503);
  await expect(visitor.getByRole('heading', { name: '网站正在维护' })).toBeVisible();
  await expect(visitor.getByText('升级数据库，大约 20:00 恢复。')).toBeVisible();
  await expectAccessible(visitor);
  await context.close();

  // The back office set the cookie with which staff see the site.
  await page.goto('/home');
  await expect(page.getByRole('navigation', { name: '主导航' })).toBeVisible();
  await page.goto('/admin/switch');
  await page.getByRole('switch', { name: '维护模式' }).click();
  await button(page, '保存').click();
  await expect(page.getByText('现在全部开放')).toBeVisible();
  await expect(page.getByText('网站正在维护，读者看不到页面。')).toHaveCount(0);
});
