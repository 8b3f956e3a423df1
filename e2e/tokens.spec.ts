import { expectAccessible } from './support/accessibility.ts';
import { newWriter, submitEssay } from './support/essays.ts';
import { expect, test } from './support/test.ts';
import { storeSession } from './support/users.ts';

test('a writer creates an API token that is displayed once and works until removed', async ({
  page,
  baseURL,
  browserErrors,
}) => {
  browserErrors.allow(/status of 401/);
  const writer = await newWriter(baseURL);
  await storeSession(page, writer);
  await page.goto('/account/settings.html?tab=security');
  await page.getByRole('button', { name: '新建令牌' }).click();
  const dialog = page.getByRole('dialog', { name: '新建 API 令牌' });
  await dialog.getByLabel('名称').fill('持续集成');
  await dialog.getByRole('button', { name: '新建令牌' }).click();
  await expect(dialog.getByText('请至少选择一项权限')).toBeVisible();
  await dialog.getByLabel('读文章').check();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: '新建令牌' }).click();
  const token = await dialog.getByLabel('令牌', { exact: true }).inputValue();
  expect(token).toMatch(/^mzt_/);
  await expectAccessible(page);

  const ask = async () =>
    (await fetch(`${baseURL}/api/core/essay/?mine=1`, { headers: { authorization: `Bearer ${token}` } }))
      .status;
  expect(await ask()).toBe(200);
  await dialog.getByRole('button', { name: '我已收好' }).click();
  await page.reload();
  const list = page.getByRole('list', { name: 'API 令牌' });
  await expect(list).toContainText('持续集成');
  await expect(list).toContainText('用过，来自');
  await expect(page.getByText(token)).toHaveCount(0);
  await page.getByRole('button', { name: '删除令牌持续集成' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: '删除' }).click();
  await expect(page.getByText('还没有令牌。')).toBeVisible();
  expect(await ask()).toBe(401);
});

test('a writer exports all essays, at most once an hour', { tag: '@long' }, async ({ page, baseURL }) => {
  const { writer } = await submitEssay(baseURL);
  await storeSession(page, writer);
  await page.goto('/account/settings.html?tab=security');
  const part = page.getByRole('region', { name: '导出我的文章' });
  await part.getByRole('button', { name: '开始导出' }).click();
  const link = part.getByRole('button', { name: '下载 ZIP' });
  await expect(link).toBeVisible();
  await expectAccessible(page);
  const [file] = await Promise.all([page.waitForEvent('download'), link.click()]);
  expect(file.suggestedFilename()).toMatch(/\.zip$/);
  await part.getByRole('button', { name: '开始导出' }).click();
  await expect(page.getByText('一小时只能导出一次，请稍后再试')).toBeVisible();
});
