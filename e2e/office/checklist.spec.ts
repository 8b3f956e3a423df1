import pg from 'pg';
import { expectAccessible } from '../support/accessibility.ts';
import { publishEssay } from '../support/essays.ts';
import { button, expect, panel, test } from '../support/office.ts';
import { newStaff } from '../support/staff.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

test('leads a new operator through the checklist, which can be dismissed and shown again', async ({
  page,
  admin,
  open,
  url,
  applySettings,
}) => {
  await applySettings({ email: '' });
  await admin.call('PUT core/sys/checklist/', { dismissed: false, skipped: { secretKey: false } });
  await open('/');
  const list = page.getByRole('region', { name: '开站清单' });
  const entry = (name: string) =>
    list.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) });
  await expect(list).toContainText(/已完成 \d+ \/ 9/);
  await expect(entry('备份')).toContainText(/每天 \d\d:\d\d 自动备份到/);
  await expect(entry('密钥')).toContainText('secret.key');
  await expectAccessible(page);

  await entry('联系邮箱').getByRole('link', { name: '去设置' }).click();
  await expect(page).toHaveURL(/\/admin\/setting$/);
  await applySettings({ email: 'hi@example.com' });
  await open('/');
  await expect(entry('联系邮箱')).toContainText('页脚的联系邮箱是 hi@example.com');
  await applySettings({});
  await button(list, '我已另存：密钥').click();
  await expect(button(list, '恢复：密钥')).toBeVisible();

  await button(list, '收起').click();
  await button(panel(page), '收起').click();
  await expect(list).toBeHidden();
  await open('/health');
  await page.getByRole('link', { name: '开站清单' }).click();
  await button(list, '重新显示').click();
  await expect(button(list, '收起')).toBeVisible();

  await open('/', await newStaff(admin, url, 'operator'));
  await expect(page.getByRole('region', { name: '系统状态' })).toBeVisible();
  await expect(list).toBeHidden();
});

test('removes the demo content after a confirmation; the button disappears', async ({
  page,
  ownSite,
  open,
  url,
}) => {
  const { id, title } = await publishEssay(url);
  const db = new pg.Client({ connectionString: ownSite.databaseUrl });
  await db.connect();
  await db.query('update users set demo = true where id = (select author_id from essays where id = $1)', [
    id,
  ]);
  await db.end();
  await open('/');
  const region = page.getByRole('region', { name: '示例内容' });
  await expect(region).toContainText('1 位示例用户和他们的 1 篇文章');
  await expectAccessible(page);
  await button(region, '移除示例内容').click();
  await expect(panel(page)).toContainText('不能撤销');
  await expect(panel(page)).toContainText('不受影响');
  await button(panel(page), '取消').click();
  await button(region, '移除示例内容').click();
  await button(panel(page), '移除').click();
  await expect(region).toBeHidden();
  await page.goto('/home');
  await expect(page.getByRole('link', { name: title })).toBeHidden();
  await page.goto('/admin/log');
  await expect(page.getByRole('row').filter({ hasText: '移除示例内容' }).first()).toBeVisible();
});
