import { expectAccessible } from '../support/accessibility.ts';
import { waitForRouter } from '../support/history.ts';
import { expect, test } from '../support/own-site.ts';
import { newStaff } from '../support/staff.ts';
import { storeSession, type TestUser } from '../support/users.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

async function removeAnnouncements(admin: TestUser): Promise<void> {
  for (const { id } of await admin.call('GET core/sys/announcement/', {}))
    await admin.call('DELETE core/sys/announcement/', { id });
}

test('publishes, disables and removes an announcement', async ({ page, browserErrors, admin, baseURL }) => {
  // Errors are displayed at the field.
  browserErrors.allow(/422/);
  await removeAnnouncements(admin);
  await storeSession(page, admin);
  await page.goto('/admin/announcement');
  await page.getByRole('button', { name: '发布公告' }).click();
  const panel = page.getByRole('dialog');
  await panel.getByLabel('链接').fill('help');
  await panel.getByRole('button', { name: '保存' }).click();
  await expect(panel.getByText('请填写标题')).toBeVisible();
  await panel.getByLabel('标题').fill('周六停机维护');
  await panel.getByRole('button', { name: '保存' }).click();
  await expect(panel.getByText('请填本站的路径', { exact: false })).toBeVisible();
  await panel.getByLabel('链接').fill('/help.html');
  await panel.getByText('重要').click();
  await panel.getByRole('button', { name: '保存' }).click();
  const row = page.getByRole('row').filter({ hasText: '周六停机维护' });
  await expect(row).toContainText('展示中');
  await expectAccessible(page);

  await page.getByRole('switch', { name: '启用：周六停机维护' }).click();
  await expect(row).toContainText('停用');
  await page.goto(`/admin/announcement?state=${encodeURIComponent('停用')}`);
  await page.getByRole('button', { name: '删除：周六停机维护' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '删除' }).click();
  await expect(page.getByText('没有符合条件的公告')).toBeVisible();

  await storeSession(page, await newStaff(admin, baseURL ?? '', 'auditor'));
  await page.goto('/admin/announcement');
  await expect(page.getByRole('heading', { name: '没有打开这个页面的权限' })).toBeVisible();
});

test('readers see an announcement above lists and can dismiss it permanently', async ({
  page,
  browserErrors,
  admin,
}) => {
  browserErrors.allow(/ERR_FAILED/);
  await removeAnnouncements(admin);
  await admin.call('POST core/sys/announcement/', {
    title: '周六停机维护',
    content: '期间**不能登录**。',
    level: 'important',
    link: '/help.html',
  });
  await admin.call('POST core/sys/announcement/', { title: '另一条' });
  const bar = page.getByRole('list', { name: '公告' });
  await page.goto('/about.html');
  await expect(bar).toBeHidden();
  await page.goto('/essay/tech.html');
  await expect(bar.getByRole('listitem')).toHaveCount(2);
  await page.goto('/home');
  await bar.getByText('周六停机维护').click();
  await expect(bar.getByText('不能登录')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: '不再显示：周六停机维护' }).click();
  await expect(bar.getByText('周六停机维护')).toBeHidden();
  await expect(bar.getByText('另一条')).toBeVisible();
  // Hidden before the first paint, without the page's scripts.
  await page.route(/\/assets\/(?!boot).*\.js/, (route) => route.abort());
  await page.reload();
  await expect(bar.getByText('另一条')).toBeVisible();
  await expect(bar.getByText('周六停机维护')).toBeHidden();
  await removeAnnouncements(admin);
});

test('a list works when the code of its announcements fails to load', async ({
  page,
  browserErrors,
  admin,
}) => {
  browserErrors.allow(/ERR_FAILED|announcement-bar/);
  await removeAnnouncements(admin);
  await admin.call('POST core/sys/announcement/', { title: '周六停机维护' });
  await page.route(/\/assets\/announcement-bar.*\.js/, (route) => route.abort());
  await page.goto('/about.html');
  await waitForRouter(page);
  await page.evaluate(() => Object.assign(window, { isSame: true }));
  await page.getByRole('navigation', { name: '主导航' }).getByRole('link', { name: '编程' }).click();
  await expect(page.getByRole('heading', { level: 1, name: '编程' })).toBeVisible();
  expect(await page.evaluate(() => 'isSame' in window), 'without loading another document').toBe(true);
  await removeAnnouncements(admin);
});

test('announcements can be moved only in the complete list in its order', async ({ page, admin }) => {
  await removeAnnouncements(admin);
  for (const title of ['甲', '乙', '丙']) await admin.call('POST core/sys/announcement/', { title });
  await storeSession(page, admin);
  const up = page.getByRole('button', { name: '上移：乙' });
  await page.goto('/admin/announcement');
  await expect(up).toBeEnabled();
  for (const search of ['sort=title&order=0', `keyword=${encodeURIComponent('乙')}`]) {
    await page.goto(`/admin/announcement?${search}`);
    await expect(up).toBeDisabled();
    await expect(up).toHaveAttribute('title', /清除排序/);
  }
  await removeAnnouncements(admin);
});
