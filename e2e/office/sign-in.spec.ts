import { expectAccessible } from '../support/accessibility.ts';
import { expect, heading, LARGE_ONLY, row, test } from '../support/office.ts';
import { newStaff } from '../support/staff.ts';
import { createApiClient, register, storeSession } from '../support/users.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

test(
  'staff find failed and successful sign-ins of an account',
  LARGE_ONLY,
  async ({ page, open, url, admin }) => {
    const reader = await register(url);
    const failed = createApiClient(url)('POST core/account/login', {
      account: reader.account,
      password: 'not it',
    });
    await expect(failed).rejects.toThrow('WRONG_PASSWORD');
    await open('/sign-in');
    const search = page.getByLabel('完整的账号、邮箱、手机号或 IP 地址');
    await search.fill(reader.account);
    await search.press('Enter');
    await expect(row(page, reader.account)).toHaveCount(2);
    const wrong = row(page, reader.account).filter({ hasText: '密码不对' });
    await expect(wrong).toContainText('密码登录');
    await expectAccessible(page);
    await search.fill('nobody-ever-typed-this');
    await search.press('Enter');
    await expect(page.getByText('没有符合条件的登录记录')).toBeVisible();

    await storeSession(page, await newStaff(admin, url, 'operator'));
    await page.goto('/admin/sign-in');
    await expect(heading(page, '没有打开这个页面的权限')).toBeVisible();
  },
);

test('users see the attempts at their own account', async ({ page, url }) => {
  const reader = await register(url);
  const failed = createApiClient(url)('POST core/account/login', {
    account: reader.account,
    password: 'not it',
  });
  await expect(failed).rejects.toThrow('WRONG_PASSWORD');
  await storeSession(page, reader);
  await page.goto('/account/settings.html?tab=security');
  const list = page.getByRole('list', { name: '登录记录' }).getByRole('listitem');
  await expect(list).toHaveCount(2);
  await expect(list.first()).toContainText('没有成功：密码不对');
  await expect(list.nth(1)).toContainText('注册');
});
