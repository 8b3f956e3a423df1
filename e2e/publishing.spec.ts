import { newWriter } from './support/essays.ts';
import { expect, test } from './support/test.ts';
import { storeSession } from './support/users.ts';

test('chooses who reads, sees the essay as readers will, and follows the hints', { tag: '@large' }, async ({
  page,
  baseURL,
  browserErrors,
}) => {
  // The picture of the essay does not exist.
  browserErrors.allow(/404/);
  const writer = await newWriter(baseURL, { displayName: '林砚' });
  await storeSession(page, writer);
  const content =
    '开头的一段，列表里会看到它。\n\n![](/files/a.png)\n\n见[旧的页面](http://127.0.0.1/old)。\n';
  const { id } = await writer.call('POST core/essay/', { title: '归档的三个办法', content });
  await page.goto(`/essay/edit.html?id=${id}`);
  await page.getByRole('button', { name: '发布', exact: true }).click();
  const drawer = page.getByRole('dialog', { name: '发布文章' });

  // One choice instead of several switches.
  const access = drawer.getByRole('radiogroup', { name: '谁能读全文' });
  await expect(access.getByRole('radio', { name: '免费' })).toBeChecked();
  await expect(drawer.getByLabel('试读')).toBeHidden();
  await access.getByRole('radio', { name: '会员' }).check();
  await drawer.getByLabel('试读').selectOption('20');
  await expect(drawer.getByLabel('价格（元）')).toBeHidden();
  await access.getByRole('radio', { name: '付费' }).check();
  await drawer.getByLabel('价格（元）').fill('6');
  await expect
    .poll(() => writer.call('GET core/essay/{id}/source', { id }))
    .toMatchObject({ price: 600, memberFree: false, previewPercent: 20 });

  // What readers will see.
  const view = drawer.getByRole('region', { name: '读者将看到' });
  await expect(view).toContainText('开头的一段，列表里会看到它。');
  await expect(view).toContainText(/付费 ¥\s?6/);
  await view.getByRole('tab', { name: '分享出去' }).click();
  await expect(view.getByText('归档的三个办法')).toHaveCount(2);
  await view.getByRole('tab', { name: '文章开头' }).click();
  await expect(view).toContainText('林砚');

  // Each hint leads to the place to mend it, and none prevents the submission.
  const hints = drawer.getByRole('region', { name: '提交之前' });
  await expect(hints.getByRole('listitem')).toHaveCount(5);
  await expect(hints).toContainText('地址在本机或内网，读者打不开');
  await hints.getByRole('button', { name: '加标签' }).click();
  await expect(drawer.getByLabel('标签', { exact: false }).first()).toBeFocused();
  await page.keyboard.insertText('数据库');
  await page.keyboard.press('Enter');
  await expect(hints.getByRole('listitem')).toHaveCount(4);
  await hints.getByRole('button', { name: '去补上' }).click();
  await expect(drawer).toBeHidden();
  await expect(page.getByText('第 3 行，第 1 列')).toBeVisible();
  await page.getByRole('button', { name: '发布', exact: true }).click();
  await drawer.getByRole('radio', { name: '技术' }).check();
  await drawer.getByRole('button', { name: '提交审核' }).click();
  await expect(page.getByText('已提交审核')).toBeVisible();
});
