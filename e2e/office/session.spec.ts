import { expectAccessible } from '../support/accessible.ts';
import { expect, test } from '../support/own-site.ts';
import { enterAs } from '../support/people.ts';
import { newStaff } from '../support/staff.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

test('a session is found and ended; its device is signed out at once', async ({
  page,
  admin,
  newPerson,
  baseURL,
}) => {
  const reader = await newPerson();
  await enterAs(page, admin);
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

  // Several at once.
  const others = [await newPerson(), await newPerson()];
  for (const { account } of others) {
    await page.goto(`/admin/session?keyword=${account}`);
    await expect(page.getByRole('row').filter({ hasText: account })).toHaveCount(1);
  }
  await page.getByRole('checkbox', { name: '选择本页全部' }).check();
  await page.getByRole('button', { name: '结束登录' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '结束' }).click();
  await expect(page.getByText('没有符合条件的登录设备')).toBeVisible();

  await enterAs(page, await newStaff(admin, baseURL ?? '', 'operator'));
  await page.goto('/admin/session');
  await expect(page.getByRole('heading', { name: '没有打开这个页面的权限' })).toBeVisible();
});
