import { expectAccessible } from '../support/accessibility.ts';
import { expect, test } from '../support/own-site.ts';
import { newStaff } from '../support/staff.ts';
import { storeSession } from '../support/users.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

test('finds and ends a session, which signs out its device immediately', async ({
  page,
  admin,
  newUser,
  baseURL,
}) => {
  const reader = await newUser();
  await storeSession(page, admin);
  await page.goto('/admin/session?staff=1');
  await expect(page.getByRole('row').filter({ hasText: 'admin' }).first()).toBeVisible();
  await expect(page.getByText('当前')).toBeVisible();
  await expectAccessible(page);

  await page.goto('/admin/session');
  await page.getByLabel('昵称、账号或邮箱的开头').fill(reader.account);
  await page.getByLabel('昵称、账号或邮箱的开头').press('Enter');
  const row = page.getByRole('row').filter({ hasText: reader.account });
  await expect(row).toHaveCount(1);
  await row.getByRole('button', { name: /^结束/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: '结束' }).click();
  await expect(page.getByText('没有符合条件的登录设备')).toBeVisible();
  await expect(reader.call('GET core/user/', {})).rejects.toThrow('SIGN_IN_REQUIRED');

  // Bulk action.
  const others = [await newUser(), await newUser()];
  for (const { account } of others) {
    await page.goto(`/admin/session?keyword=${account}`);
    await expect(page.getByRole('row').filter({ hasText: account })).toHaveCount(1);
  }
  await page.getByRole('checkbox', { name: '选择本页全部' }).check();
  await page.getByRole('button', { name: '结束登录' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '结束' }).click();
  await expect(page.getByText('没有符合条件的登录设备')).toBeVisible();

  await storeSession(page, await newStaff(admin, baseURL ?? '', 'operator'));
  await page.goto('/admin/session');
  await expect(page.getByRole('heading', { name: '没有打开这个页面的权限' })).toBeVisible();
});
