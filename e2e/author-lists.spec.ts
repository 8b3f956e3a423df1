import { expectAccessible } from './support/accessibility.ts';
import { newWriter, publishEssay } from './support/essays.ts';
import { expect, test } from './support/test.ts';
import { storeSession } from './support/users.ts';

test('lists own essays by status with their actions', async ({ page, baseURL }) => {
  const { title, writer } = await publishEssay(baseURL);
  await writer.call('POST core/essay/', { title: '一篇草稿', content: '刚开头' });
  await storeSession(page, writer);
  await page.goto('/account/center.html');
  const list = page.getByRole('list', { name: '我的文章' });
  await expect(list.getByRole('article')).toHaveCount(2);
  await expect(list.getByRole('link', { name: '编辑《一篇草稿》' })).toHaveAttribute(
    'href',
    /edit\.html\?id=/,
  );
  await expectAccessible(page);

  await page.getByRole('link', { name: '已上架', exact: true }).click();
  await expect(list.getByRole('article')).toHaveCount(1);
  await page.getByRole('button', { name: `下架《${title}》` }).click();
  await page.getByRole('button', { name: '下架', exact: true }).click();
  await expect(page.getByText('没有已上架的文章')).toBeVisible();

  await page.getByRole('link', { name: '草稿', exact: true }).click();
  await page.getByRole('button', { name: '删除《一篇草稿》' }).click();
  await page.getByRole('button', { name: '删除', exact: true }).click();
  await expect(page.getByText('没有草稿的文章')).toBeVisible();
});

test('an author’s home page lists essays and columns', async ({ page, baseURL }) => {
  const writer = await newWriter(baseURL);
  const column = await writer.call('POST core/essay/column', {
    name: '睡得着觉的后端',
    summary: '夜里的安静',
  });
  const { title } = await publishEssay(baseURL, { writer, columnId: column.id, title: '专栏里的一篇' });
  await publishEssay(baseURL, { writer, title: '不在专栏里的一篇' });
  await publishEssay(baseURL, { writer, columnId: column.id });
  await page.goto(`/user/home/${writer.user.id}.html`);
  await expect(page.getByRole('article')).toHaveCount(3);
  await page.getByRole('link', { name: '专栏', exact: true }).click();
  await page.getByRole('link', { name: '睡得着觉的后端' }).click();
  await expect(page.getByRole('heading', { name: '睡得着觉的后端' })).toBeVisible();
  await expect(page.getByRole('article')).toHaveCount(2);
  await expect(page.getByRole('article').first()).toContainText(title);
  await expect(page).toHaveTitle(/^睡得着觉的后端 · /);
});
