import { expectAccessible } from '../support/accessibility.ts';
import { publishEssay } from '../support/essays.ts';
import { button, expect, panel, row, test } from '../support/office.ts';
import { newStaff } from '../support/staff.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

test('staff add words to the search dictionary and rebuild the index', async ({
  page,
  open,
  url,
  admin,
  browserErrors,
}) => {
  // Errors are displayed at the field.
  browserErrors.allow(/422/);
  await publishEssay(url, { title: '飞鹤传书的用法' });
  await open('/search');
  await expectAccessible(page);
  await button(page, '添加词语').click();
  await panel(page).getByLabel('词，每行一个').fill('飞鹤传书\nEnglish');
  await button(panel(page), '添加').click();
  await expect(panel(page).getByText('「English」不能添加')).toBeVisible();
  await panel(page).getByLabel('词，每行一个').fill('飞鹤传书\n云中锦书');
  await expectAccessible(page);
  await button(panel(page), '添加').click();
  await expect(page.getByText('新增 2 个')).toBeVisible();
  await expect(row(page, '飞鹤传书')).toBeVisible();
  const index = page.getByRole('region', { name: '索引' });
  await expect(index).toContainText('词典改过');

  await button(index, '重建索引').click();
  await button(panel(page), '重建').click();
  await expect(index).toContainText(/上次重建：.* 完成，共 \d+ 篇/);
  await expect(index).not.toContainText('词典改过');

  await button(row(page, '云中锦书'), /^删除/).click();
  await button(panel(page), '删除').click();
  await expect(row(page, '云中锦书')).toBeHidden();

  await open('/search', await newStaff(admin, url, 'auditor'));
  await expect(page.getByRole('heading', { name: '没有打开这个页面的权限' })).toBeVisible();
});
