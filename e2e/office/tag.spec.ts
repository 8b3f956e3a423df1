import { expectAccessible } from '../support/accessibility.ts';
import { publishEssay } from '../support/essays.ts';
import { expect, test } from '../support/own-site.ts';
import { newStaff } from '../support/staff.ts';
import { storeSession } from '../support/users.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

test('merges, renames and removes tags; the old name redirects to the new one', async ({
  page,
  browserErrors,
  admin,
  baseURL,
}) => {
  // Errors are displayed at the field.
  browserErrors.allow(/422/);
  const { title, writer } = await publishEssay(baseURL, { tags: ['测试甲', '测试丁'] });
  await publishEssay(baseURL, { tags: ['测试乙'], writer });
  await storeSession(page, admin);
  await page.goto(`/admin/tag?keyword=${encodeURIComponent('测试')}`);
  const row = (name: string) =>
    page.getByRole('row').filter({ has: page.getByRole('checkbox', { name: `选择${name}`, exact: true }) });
  await page.getByRole('checkbox', { name: '选择测试甲' }).check();
  await page.getByRole('checkbox', { name: '选择测试乙' }).check();
  await page.getByRole('button', { name: '合并', exact: true }).click();
  await page.getByLabel('合并为').fill('测试丙');
  await expectAccessible(page);
  await page.getByRole('dialog').getByRole('button', { name: '合并' }).click();
  await expect(row('测试丙')).toContainText('测试乙、测试甲');
  await expect(row('测试丙').getByRole('link', { name: '2 篇：测试丙' })).toBeVisible();
  await expect(page.getByRole('checkbox', { name: '选择测试甲' })).toBeHidden();

  await page.getByRole('button', { name: '改名：测试丙' }).click();
  await page.getByLabel('新的名字').fill('测试丙 <');
  await page.getByRole('dialog').getByRole('button', { name: '改名' }).click();
  await expect(page.getByText('标签里不能有标点符号')).toBeVisible();
  await page.getByLabel('新的名字').fill('测试戊');
  await page.getByRole('dialog').getByRole('button', { name: '改名' }).click();
  await expect(row('测试戊')).toContainText('测试丙、测试乙、测试甲');

  await page.getByRole('button', { name: '删除：测试丁' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '删除' }).click();
  await expect(row('测试丁')).toBeHidden();

  await page.goto(`/home?tag=${encodeURIComponent('测试甲')}`);
  await expect(page).toHaveURL(new RegExp(encodeURIComponent('测试戊')));
  await expect(page.getByRole('list', { name: '文章' }).getByRole('link', { name: title })).toBeVisible();

  await storeSession(page, await newStaff(admin, baseURL ?? '', 'auditor'));
  await page.goto('/admin/tag');
  await expect(page.getByRole('heading', { name: '没有打开这个页面的权限' })).toBeVisible();
});
