import { stat } from 'node:fs/promises';
import { expectAccessible } from '../support/accessibility.ts';
import { expect, test } from '../support/own-site.ts';
import { newStaff } from '../support/staff.ts';
import { storeSession } from '../support/users.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

test('creates, finds, downloads and removes a backup; changes the schedule', async ({
  page,
  admin,
  baseURL,
}) => {
  await storeSession(page, admin);
  await page.goto('/admin/backup');
  await expect(page.getByText('npm run restore --', { exact: false })).toBeVisible();
  await page.getByRole('button', { name: '立即备份' }).click();
  const row = page.getByRole('row').filter({ hasText: '手动' });
  await expect(row).toContainText('完成');
  await expect(row).toContainText('个文件');
  await expect(page.getByRole('button', { name: '立即备份' })).toBeEnabled();
  await expectAccessible(page);

  await row.getByRole('button', { name: /^下载/ }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('dialog').getByRole('button', { name: '下载' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^mozhan-\d{8}-\d{6}\.tar$/);
  expect((await stat(await download.path())).size).toBeGreaterThan(100_000);

  // Not `scheduled`: at 04:00 Beijing time the site makes its nightly backup.
  await page.goto('/admin/backup?madeBy=command');
  await expect(page.getByText('没有符合条件的备份')).toBeVisible();
  await page.getByRole('button', { name: '修改' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('几点').fill('3');
  await form.getByLabel('保留每周备份').fill('0');
  await form.getByRole('button', { name: '保存' }).click();
  await expect(page.getByText('每天 03:00（北京时间）')).toBeVisible();
  await expect(page.getByText('最近 7 天每天一份')).toBeVisible();

  await page.goto('/admin/backup');
  await row.getByRole('button', { name: /^删除/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: '删除' }).click();
  await expect(row).toBeHidden();

  await storeSession(page, await newStaff(admin, baseURL ?? '', 'operator'));
  await page.goto('/admin/backup');
  await expect(page.getByRole('heading', { name: '没有打开这个页面的权限' })).toBeVisible();
  await expect(page.getByRole('link', { name: '备份', exact: true })).toBeHidden();
});
