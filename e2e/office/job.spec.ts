import pg from 'pg';
import { expectAccessible } from '../support/accessibility.ts';
import { expect, test } from '../support/own-site.ts';
import { newStaff } from '../support/staff.ts';
import { storeSession } from '../support/users.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

test('lists, retries and removes a permanently failed job; lists the schedule', async ({
  page,
  admin,
  ownSite,
}) => {
  const client = new pg.Client({ connectionString: ownSite.databaseUrl });
  await client.connect();
  // Unknown job names, so that the server does not run them.
  await client.query(`
    select graphile_worker.permanently_fail_jobs(
      array[(graphile_worker.add_job('e2e-job', payload => '{"text": "不可外传"}')).id], '连不上邮件服务器')`);
  await client.end();

  await storeSession(page, admin);
  await page.goto('/admin/job?state=failed');
  const row = page.getByRole('row').filter({ hasText: 'e2e-job' });
  await expect(row).toContainText('连不上邮件服务器');
  await page.getByRole('button', { name: '展开行' }).first().click();
  await expect(page.getByText('4 个字符')).toBeVisible();
  await expect(page.getByText('不可外传')).toBeHidden();
  await expectAccessible(page);
  await page.getByRole('button', { name: '重试：e2e-job' }).click();
  await expect(page.getByText('没有符合条件的任务')).toBeVisible();
  await page.goto('/admin/job?state=waiting');
  await page.getByRole('button', { name: '删除：e2e-job' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '删除' }).click();
  await expect(row).toBeHidden();

  await page.getByRole('link', { name: '定时' }).click();
  await expect(page.getByRole('row').filter({ hasText: '更新热度' })).toContainText('每小时的第 41 分钟');
  await expectAccessible(page);

  await storeSession(page, await newStaff(admin, ownSite.url, 'operator'));
  await page.goto('/admin/job');
  await expect(page.getByRole('heading', { name: '没有打开这个页面的权限' })).toBeVisible();
});
