import { IDENTITY } from '@mozhan/contract/enums.ts';
import type { Page, Route } from '@playwright/test';
import { TOTP } from 'otpauth';
import { expectAccessible } from './support/accessibility.ts';
import { goBack } from './support/history.ts';
import { pictureFile } from './support/pictures.ts';
import { expect, test } from './support/test.ts';
import { signIn, storeSession } from './support/users.ts';

const SETTINGS = '/account/settings.html';
const CENTRE = '/account/center.html';
const settingTabs = ['profile', 'security', 'notify', 'privacy', 'look'];
const centreTabs = [
  'essay',
  'collect',
  'trend',
  'like',
  'share',
  'following',
  'follower',
  'notice',
  'order',
  'wallet',
  'member',
  'invite',
  'farmer',
];

const saved = (page: Page) => page.getByText('已保存', { exact: true });
const save = (page: Page) => page.getByRole('button', { name: '保存', exact: true });
const heading = (page: Page) => page.getByRole('heading', { level: 1 });
const dialog = (page: Page, name: string) => page.getByRole('alertdialog', { name });

async function openSettings(page: Page, tab: string): Promise<void> {
  await page.goto(`${SETTINGS}?tab=${tab}`);
  await expect(heading(page)).toHaveText('设置');
}

test('saving a profile with a picture updates the header in every tab', async ({ page, context, reader }) => {
  const other = await context.newPage();
  await other.goto('/home');
  await expect(other.getByRole('button', { name: `${reader.user.displayName}，账户菜单` })).toBeVisible();

  await page.goto(SETTINGS);
  let release = () => {};
  const uploadAllowed = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/core/minio/upload*', async (route) => {
    await uploadAllowed;
    await route.continue();
  });
  await page
    .getByRole('group', { name: '头像' })
    .locator('input[type=file]')
    .setInputFiles(await pictureFile('me.png'));
  await page.getByRole('button', { name: '裁剪', exact: true }).click();
  await expect(page.getByRole('progressbar', { name: '上传进度' })).toBeVisible();
  release();
  await expect(page.getByRole('button', { name: '移除' })).toBeVisible();
  await expect(page.getByText('有修改还没有保存')).toBeVisible();

  await page.getByLabel('昵称').fill('  沈青梧 ');
  await page.getByLabel('简介').fill('写编译器，也修自行车。');
  await page.getByRole('radio', { name: '女' }).check();
  await page.getByLabel('城市').fill('成都');
  await page.getByLabel('公司').fill('青石数据');
  await page.getByLabel('职位').fill('工程师');
  await page.getByLabel('GitHub').fill('shen-qingwu');
  await page.getByLabel('个人网站').fill('https://example.com/me');
  await save(page).click();
  await expect(saved(page)).toBeVisible();
  await expect(page.getByText('有修改还没有保存')).toBeHidden();
  await expect(page.getByRole('button', { name: /沈青梧，账户菜单/ })).toBeVisible();
  await expect(other.getByRole('button', { name: /沈青梧，账户菜单/ })).toBeVisible();

  const user = await reader.call('GET core/user/');
  expect(user).toMatchObject({
    displayName: '沈青梧',
    bio: '写编译器，也修自行车。',
    gender: 'female',
    city: '成都',
    company: '青石数据',
    position: '工程师',
    homepage: 'https://example.com/me',
    github: 'shen-qingwu',
    headImg: expect.stringMatching(/^\/files\//),
  });
  await page.reload();
  await expect(page.getByLabel('昵称')).toHaveValue('沈青梧');
  await page.getByRole('button', { name: '移除' }).click();
  await save(page).click();
  await expect(saved(page)).toBeVisible();
  expect(await reader.call('GET core/user/')).toMatchObject({ headImg: '' });
});

test('displays server errors at their fields and keeps the input', async ({
  page,
  reader,
  browserErrors,
}) => {
  browserErrors.allow(/status of 422/);
  await page.goto(SETTINGS);
  await page.getByLabel('昵称').fill(' ');
  await save(page).click();
  await expect(page.getByLabel('昵称')).toHaveAccessibleDescription(/请填写昵称/);
  await page.getByLabel('昵称').fill(reader.user.displayName);
  await page.getByLabel('个人网站').fill('我的网站');
  await page.getByLabel('GitHub').fill('不是 用户名');
  await save(page).click();
  await expect(page.getByLabel('个人网站')).toHaveAccessibleDescription(/以 http 或 https 开头的网址/);
  await expect(page.getByLabel('GitHub')).toHaveAccessibleDescription(/GitHub 用户名/);
  await expect(page.getByLabel('GitHub')).toBeFocused();
  await expect(page.getByLabel('个人网站')).toHaveValue('我的网站');
  await expectAccessible(page);
});

test('asks before leaving with unsaved changes', { tag: '@long' }, async ({ page, reader }) => {
  await page.goto(CENTRE);
  await page.getByRole('link', { name: '编辑主页' }).click();
  const bio = page.getByLabel('简介');
  await bio.click();
  await bio.fill(`${reader.user.displayName}还没写完的一句话`);

  await page.getByRole('link', { name: '隐私', exact: true }).click();
  await dialog(page, '离开这一页？').getByRole('button', { name: '取消' }).click();
  await expect(dialog(page, '离开这一页？')).toBeHidden();
  await goBack(page);
  await expect(page).toHaveURL(/settings\.html$/);
  await dialog(page, '离开这一页？').getByRole('button', { name: '取消' }).click();
  await expect(bio).toHaveValue(/还没写完的一句话/);

  const unloadDialog = page.waitForEvent('dialog');
  const closed = page.evaluate(() => location.reload());
  const question = await unloadDialog;
  expect(question.type()).toBe('beforeunload');
  await question.dismiss();
  await closed.catch(() => {});
  await expect(bio).toHaveValue(/还没写完的一句话/);

  await goBack(page);
  await dialog(page, '离开这一页？').getByRole('button', { name: '确定' }).click();
  await expect(page).toHaveURL(/center\.html$/);
  await expect(page.getByRole('link', { name: '编辑主页' })).toBeVisible();

  await page.getByRole('link', { name: '编辑主页' }).click();
  await page.getByLabel('简介').fill('这次存下来');
  await save(page).click();
  await expect(saved(page)).toBeVisible();
  await page.getByRole('link', { name: '隐私', exact: true }).click();
  await expect(page).toHaveURL(/tab=privacy$/);
});

test('changing the password ends all other sessions', async ({
  page,
  browser,
  baseURL,
  reader,
  browserErrors,
}) => {
  // Two devices, an accessibility scan and three forms take longer than the default timeout on a busy machine.
  test.slow();
  browserErrors.allow(/status of 401/);
  const context = await browser.newContext({ baseURL });
  const otherDevice = await context.newPage();
  await storeSession(otherDevice, await signIn(baseURL ?? '', reader));
  await otherDevice.goto(CENTRE);
  await expect(heading(otherDevice)).toContainText(reader.user.displayName);

  await openSettings(page, 'security');
  await page.getByRole('button', { name: '修改密码' }).click();
  const form = page.getByRole('dialog', { name: '修改密码' });
  await expectAccessible(page);
  await form.getByLabel('当前密码').fill('not the password');
  await form.getByLabel('新密码').fill('four quiet mountains');
  await form.getByRole('button', { name: '修改密码' }).click();
  await expect(form.getByLabel('当前密码')).toHaveAccessibleDescription(/原密码不对/);
  await form.getByLabel('当前密码').fill(reader.password);
  await form.getByRole('button', { name: '修改密码' }).click();
  await expect(page.getByText('密码已更新，其他设备需要重新登录')).toBeVisible();
  await expect(form).toBeHidden();

  await otherDevice.reload();
  await expect(otherDevice).toHaveURL(/\/login\.html\?redirect=/);
  await context.close();
  await page.reload();
  await expect(heading(page)).toHaveText('设置');
  await signIn(baseURL ?? '', { account: reader.account, password: 'four quiet mountains' });
});

test('signs out all devices after a confirmation', async ({ page, baseURL, reader }) => {
  const otherDevice = await signIn(baseURL ?? '', reader);
  await openSettings(page, 'security');
  await expect(page.getByText('邮箱', { exact: true }), 'this server sends no mail').toBeHidden();
  await expect(page.getByText('两步验证'), 'for staff only').toBeHidden();
  await page.getByRole('button', { name: '全部退出' }).click();
  await dialog(page, '退出所有设备？').getByRole('button', { name: '取消' }).click();
  await expect(dialog(page, '退出所有设备？')).toBeHidden();
  await expect(heading(page)).toHaveText('设置');
  await page.getByRole('button', { name: '全部退出' }).click();
  await dialog(page, '退出所有设备？').getByRole('button', { name: '全部退出' }).click();
  await expect(page).toHaveURL(/\/login\.html/);
  await expect(otherDevice.call('GET core/user/')).rejects.toThrow('SIGN_IN_REQUIRED');
});

test('lists devices and signs out one or all others', async ({ page, baseURL, reader }) => {
  const [lost, tablet, desk] = await Promise.all([1, 2, 3].map(() => signIn(baseURL ?? '', reader)));
  await openSettings(page, 'security');
  const part = page.getByRole('region', { name: '登录的设备' });
  const devices = part.getByRole('list', { name: '登录的设备' }).getByRole('listitem');
  await expect(devices).toHaveCount(4);
  const ownDevice = devices.filter({ hasText: '这台设备' });
  await expect(ownDevice).toHaveCount(1);
  await expect(ownDevice).toContainText('正在使用');
  await expect(ownDevice.getByRole('button'), 'the own device has no button').toHaveCount(0);
  await expectAccessible(page);

  await part.getByRole('button', { name: '退出 未知设备' }).first().click();
  await page.getByRole('alertdialog').getByRole('button', { name: '取消' }).click();
  await expect(devices).toHaveCount(4);
  await part.getByRole('button', { name: '退出 未知设备' }).first().click();
  await page.getByRole('alertdialog').getByRole('button', { name: '退出', exact: true }).click();
  await expect(devices).toHaveCount(3);
  const isSignedIn = (person: typeof lost) =>
    person?.call('GET core/user/').then(
      () => true,
      () => false,
    );
  const left = await Promise.all([lost, tablet, desk].map(isSignedIn));
  expect(left.filter(Boolean)).toHaveLength(2);

  await part.getByRole('button', { name: '退出其他设备' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: '退出其他设备' }).click();
  await expect(devices).toHaveCount(1);
  await expect(part.getByText('除了这台设备，你没有在别处登录。')).toBeVisible();
  expect(await Promise.all([lost, tablet, desk].map(isSignedIn))).toEqual([false, false, false]);
  await page.reload();
  await expect(devices).toHaveCount(1);
});

test('displays an error when the device list fails to load, and retries', { tag: '@long' }, async ({
  page,
  reader,
  browserErrors,
}) => {
  expect(reader.token).not.toBe('');
  browserErrors.allow(/status of 503/);
  const refuse = (route: Route) => route.fulfill({ status: 503, json: { success: false } });
  await page.route('**/api/core/account/session/*', refuse);
  await openSettings(page, 'security');
  const part = page.getByRole('region', { name: '登录的设备' });
  await expect(part.getByText('没能载入')).toBeVisible();
  await page.unroute('**/api/core/account/session/*', refuse);
  await part.getByRole('button', { name: '再试一次' }).click();
  await expect(part.getByText('这台设备', { exact: true })).toBeVisible();
});

test('staff switch two-factor sign-in on and off', async ({ page, reader, admin, browserErrors }) => {
  browserErrors.allow(/status of 401/);
  const roles = await admin.call('GET core/sys/role/', { keyword: '审核员' });
  const roleIds = 'list' in roles ? roles.list.map(({ id }) => id) : [];
  await admin.call('PUT core/sys/account/', { id: reader.user.id, roleIds });

  await openSettings(page, 'security');
  await page.getByRole('button', { name: '开启验证' }).click();
  const on = page.getByRole('dialog', { name: '开启两步验证' });
  await expect(on.getByRole('img', { name: '两步验证二维码' })).toBeVisible();
  await expectAccessible(page);
  const totp = new TOTP({ secret: await on.getByLabel('密钥').inputValue() });
  await on.getByRole('button', { name: '开启' }).click();
  await expect(on.getByLabel('动态验证码')).toHaveAccessibleDescription(/请填写/);
  await on.getByLabel('动态验证码').fill('000000');
  await on.getByRole('button', { name: '开启' }).click();
  await expect(on.getByLabel('动态验证码')).toHaveAccessibleDescription(/动态验证码不对/);
  await on.getByLabel('动态验证码').fill(totp.generate());
  await on.getByRole('button', { name: '开启' }).click();
  await expect(page.getByText('两步验证已开启', { exact: true })).toBeVisible();
  expect(await reader.call('GET core/user/')).toMatchObject({ totpOn: true });

  await page.reload();
  await page.getByRole('button', { name: '关闭验证' }).click();
  const off = page.getByRole('dialog', { name: '关闭两步验证' });
  // Each code works once; the next one is already valid.
  await off.getByLabel('动态验证码').fill(totp.generate({ timestamp: Date.now() + 30_000 }));
  await off.getByRole('button', { name: '关闭', exact: true }).last().click();
  await expect(page.getByText('两步验证已关闭', { exact: true })).toBeVisible();
  expect(await reader.call('GET core/user/')).toMatchObject({ totpOn: false });
});

for (const [tab, name, expected] of [
  ['notify', '点赞', { notify: { like: false, comment: true } }],
  ['privacy', '公开动态', { privacy: { trend: false, like: true } }],
] as const) {
  test(`${tab}: saves a switch immediately and reverts it on failure`, async ({
    page,
    reader,
    browserErrors,
  }) => {
    browserErrors.allow(/ERR_FAILED/);
    await openSettings(page, tab);
    const toggle = page.getByRole('switch', { name, exact: true });
    await expect(toggle).toBeChecked();
    const answer = page.waitForResponse(
      (response) => response.request().method() === 'PUT' && response.url().includes('/core/user/'),
    );
    await toggle.click();
    await expect(toggle).not.toBeChecked();
    await answer;
    expect(await reader.call('GET core/user/')).toMatchObject(expected);
    await page.reload();
    await expect(toggle).not.toBeChecked();

    await page.route('**/core/user/?*', (route) =>
      route.request().method() === 'PUT' ? route.abort() : route.continue(),
    );
    await toggle.click();
    await expect(page.getByText(`「${name}」没能修改：网络没有连上，请检查后再试`)).toBeVisible();
    await expect(toggle).not.toBeChecked();
  });
}

test('appearance settings apply immediately, and on the next page before any script runs', {
  tag: '@long',
}, async ({ page, reader, browserErrors }) => {
  browserErrors.allow(/ERR_FAILED/);
  await page.emulateMedia({ colorScheme: 'light' });
  await openSettings(page, 'look');
  const html = page.locator('html');
  const sample = page.getByRole('figure').locator('p');
  await expect(html).toHaveAttribute('data-theme', 'light');
  await expect(sample).toHaveCSS('font-size', '17px');
  await page.getByRole('radio', { name: '深色' }).check();
  await expect(html).toHaveAttribute('data-theme', 'dark');
  await page.getByRole('radio', { name: '特大' }).check();
  await expect(sample).toHaveCSS('font-size', '21px');
  await page.getByRole('switch', { name: '色弱模式' }).click();
  await expect(html).toHaveAttribute('data-weak', 'on');
  await expectAccessible(page);
  await page.reload();
  await expect(page.getByRole('radio', { name: '深色' })).toBeChecked();
  await expect(page.getByRole('radio', { name: '特大' })).toBeChecked();
  await expect(page.getByRole('switch', { name: '色弱模式' })).toBeChecked();

  await page.route('**/assets/entry-client-*.js', (route) => route.abort());
  await page.goto(`/user/home/${reader.user.id}.html`);
  await expect(html).toHaveAttribute('data-theme', 'dark');
  await expect(html).toHaveAttribute('data-reading', 'xl');
  await expect(html).toHaveAttribute('data-weak', 'on');
});

test('the account centre lists own essays, trends and notices', async ({ page, reader, admin }) => {
  await page.goto(`${CENTRE}?tab=nonsense`);
  await expect(heading(page)).toContainText(reader.user.displayName);
  await page
    .getByRole('navigation', { name: '个人中心' })
    .getByRole('link', { name: '文章', exact: true })
    .click();
  await expect(page.getByRole('link', { name: '如何成为作者' })).toHaveAttribute('href', '/apply.html');
  await page.goto(`${CENTRE}?tab=trend`);
  await expect(page.getByRole('list', { name: '动态' })).toContainText('加入了墨栈');
  await page.goto(`${CENTRE}?tab=notice`);
  await expect(page.getByText('欢迎来到墨栈')).toBeVisible();

  await admin.call('PUT core/sys/user/', { id: reader.user.id, curIdentity: IDENTITY.writer });
  await page.goto(CENTRE);
  await expect(heading(page)).toContainText('作者');
  await page.goto(`${CENTRE}?tab=essay`);
  const write = page.getByRole('main').getByRole('link', { name: '写文章' });
  await expect(write).toHaveAttribute('href', '/essay/create.html');
  await expect(write).toHaveAttribute('target', '_blank');
});

test('an invite link fills in the invite code', { tag: '@long' }, async ({
  page,
  browser,
  baseURL,
  reader,
}) => {
  await page.goto(`${CENTRE}?tab=invite`);
  await expect(page.getByRole('img', { name: '邀请二维码' })).toBeVisible();
  await expect(page.getByText('你们各得 7 天会员')).toBeVisible();
  const link = await page.getByLabel('邀请链接').inputValue();
  expect(link).toBe(`${baseURL}/login.html?mode=register&invite=${reader.user.inviteCode}`);
  await page.getByRole('button', { name: '复制' }).first().click();
  await expect(page.getByText('已复制')).toBeVisible();

  const context = await browser.newContext({ baseURL });
  const friend = await context.newPage();
  await friend.goto(link);
  await expect(friend.getByLabel('邀请码')).toHaveValue(reader.user.inviteCode);
  await friend
    .getByLabel('账号')
    .fill(`friend-${Date.now().toString(36)}${Math.random().toString(36).slice(2, 6)}`);
  await friend.getByLabel('密码', { exact: true }).fill('three quiet mountains');
  const sent = friend.waitForRequest(
    (request) => request.method() === 'POST' && request.url().includes('/core/user/?'),
  );
  await friend.getByRole('button', { name: '注册' }).click();
  expect((await sent).postDataJSON()).toMatchObject({ inviteCode: reader.user.inviteCode });
  await expect(friend).toHaveURL(/\/home$/);
  await context.close();
  await page.reload();
  await expect(page.getByRole('list', { name: '我邀请的人' }).getByRole('listitem')).toHaveCount(1);
});

test('a user’s home page is server-rendered', async ({ page, request, newUser }) => {
  const person = await newUser({ displayName: '顾长风' });
  const { id } = person.user;
  await person.call('PUT core/user/', {
    bio: '山高水长。',
    homepage: 'https://example.com/gu',
    github: 'gu',
  });
  const html = await (await request.get(`/user/home/${id}.html?tab=trend`)).text();
  expect(html).toContain('<title>顾长风的主页 · 墨栈</title>');
  expect(html).toContain('content="山高水长。"');
  expect(html).toContain('"@type":"ProfilePage"');
  expect(html).toContain('"mainEntity":{"@type":"Person","name":"顾长风"');
  expect(html).toContain(`/user/home/${id}.html?tab=trend"`);
  expect(html).toContain('加入了');
  for (const path of [
    `/user/home/${id}.html?tab=trend&page=2`,
    `/user/home/${'0'.repeat(32)}.html`,
    '/user/mhome/me.html',
  ])
    expect((await request.get(path)).status(), path).toBe(404);

  await page.goto(`/user/home/${id}.html`);
  await expect(heading(page)).toHaveText('顾长风');
  await expect(page.getByText('顾长风写成第一篇以后，会出现在这里。')).toBeVisible();
  await expect(page.getByRole('link', { name: 'GitHub @gu' })).toHaveAttribute('rel', /nofollow/);
  await expect(page.getByRole('link', { name: '编辑主页' })).toBeHidden();
  await page.getByRole('link', { name: '动态', exact: true }).click();
  await expect(page.getByRole('list', { name: '动态' })).toContainText('加入了墨栈');

  await person.call('PUT core/user/', { privacy: { trend: false } });
  await page.reload();
  await expect(page.getByRole('heading', { name: '没有公开的动态' })).toBeVisible();

  await storeSession(page, person);
  await page.goto(`/user/home/${id}.html`);
  await expect(page.getByRole('link', { name: '编辑主页' })).toHaveAttribute('href', SETTINGS);
});

test('the page for in-app browsers has no header and footer, but a back link', { tag: '@long' }, async ({
  page,
  newUser,
}) => {
  const { user } = await newUser();
  await page.goto('/mhome.html');
  await page.goto(`/user/mhome/${user.id}.html?tab=trend`);
  await expect(heading(page)).toHaveText(user.displayName);
  await expect(page.getByRole('contentinfo')).toBeHidden();
  const back = page.getByRole('link', { name: '返回' });
  const box = await back.boundingBox();
  expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44);
  await back.click();
  await expect(page).toHaveURL(/\/mhome\.html$/);
});

const longestProfile = {
  bio: '写了十五年的代码，从单片机写到分布式数据库，从凌晨三点的告警写到清晨六点的复盘。'.repeat(4),
  company: '一家名字相当长的有限责任信息技术服务公司',
  homepage: `https://${'very-long-'.repeat(12)}domain.example.com/`,
  github: 'a-very-long-github-user-name-indeed',
};

for (const [name, paths] of [
  ['settings', settingTabs.map((tab) => `${SETTINGS}?tab=${tab}`)],
  ['centre', centreTabs.map((tab) => `${CENTRE}?tab=${tab}`)],
  [
    'home',
    ['', '?tab=collect', '?tab=follower']
      .map((search) => `/user/home/:id.html${search}`)
      .concat('/user/mhome/:id.html?tab=trend'),
  ],
] as const) {
  test(`${name}: no accessibility violations in light and dark, and no horizontal overflow`, {
    tag: '@long',
  }, async ({ page, newUser }) => {
    test.slow();
    const person = await newUser({ displayName: '在很长很长的夜里写很长很长的代码也不觉得累的那一个人啊' });
    await person.call('PUT core/user/', longestProfile);
    await storeSession(page, person);
    for (const [i, path] of paths.entries()) {
      await page.goto(path.replace(':id', person.user.id));
      await expect(page.getByRole('main').locator('[class*=skeleton]')).toHaveCount(0);
      await expect(heading(page)).toBeVisible();
      // Colours are the same on all pages, so a sample is enough for the dark scheme.
      for (const colorScheme of i % 3 === 0 ? (['light', 'dark'] as const) : (['light'] as const)) {
        await page.emulateMedia({ colorScheme });
        await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme);
        await expectAccessible(page);
      }
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(overflow, path).toBeLessThanOrEqual(0);
    }
  });
}
