import { expectAccessible } from '../support/accessibility.ts';
import { expect, test } from '../support/own-site.ts';
import { newStaff } from '../support/staff.ts';
import { storeSession } from '../support/users.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

test('displays the system health to permitted staff', async ({ page, admin, baseURL }) => {
  await storeSession(page, admin);
  await page.goto('/admin/health');
  await expect(page.getByRole('list', { name: '检查' })).toContainText(/数据库(正常|响应较慢)/);
  await expect(page.getByText('PostgreSQL 18', { exact: false })).toBeVisible();
  await expectAccessible(page);
  const [answer] = await Promise.all([
    page.waitForResponse(/core\/sys\/health/),
    page.getByRole('button', { name: '刷新' }).click(),
  ]);
  expect(answer.status()).toBe(200);
  await page.getByRole('link', { name: '查看任务' }).click();
  await expect(page).toHaveURL(/\/admin\/job$/);

  await storeSession(page, await newStaff(admin, baseURL ?? '', 'auditor'));
  await page.goto('/admin/health');
  await expect(page.getByRole('heading', { name: '没有打开这个页面的权限' })).toBeVisible();
  await expect(page.getByRole('link', { name: '系统状态' })).toBeHidden();
});
