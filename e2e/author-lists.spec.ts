import { expectAccessible } from './support/accessibility.ts';
import { newWriter, publishEssay } from './support/essays.ts';
import { expect, test } from './support/test.ts';
import { storeSession } from './support/users.ts';

test('lists own essays by status with their actions', async ({ page, baseURL }) => {
  const { title, writer } = await publishEssay(baseURL);
  await writer.call('POST core/essay/', { title: '一篇草稿', content: '刚开头' });
  await storeSession(page, writer);
  await page.goto('/account/center.html?tab=essay');
  const list = page.getByRole('list', { name: '我的文章' });
  await expect(list.getByRole('article')).toHaveCount(2);
  await expect(list.getByRole('link', { name: '编辑《一篇草稿》' })).toHaveAttribute(
    'href',
    /edit\.html\?id=/,
  );
  await expectAccessible(page);

  const tab = (name: string) => page.getByRole('link', { name: new RegExp(`^${name}`) });
  await expect(tab('草稿')).toHaveText('草稿1');
  await tab('已上架').click();
  await expect(list.getByRole('article')).toHaveCount(1);
  await page.getByRole('button', { name: `《${title}》的更多操作` }).click();
  await page.getByRole('button', { name: '下架', exact: true }).click();
  await page
    .getByRole('dialog')
    .or(page.getByRole('alertdialog'))
    .getByRole('button', { name: '下架' })
    .click();
  await expect(page.getByText('没有已上架的文章')).toBeVisible();

  // A deletion can be undone.
  await tab('草稿').click();
  await page.getByRole('button', { name: '《一篇草稿》的更多操作' }).click();
  await page.getByRole('button', { name: '删除', exact: true }).click();
  await expect(page.getByText('没有草稿的文章')).toBeVisible();
  await page.getByRole('button', { name: '撤销' }).click();
  await expect(list.getByRole('article')).toHaveCount(1);
});

test('searches own essays and changes several at once', { tag: '@large' }, async ({ page, baseURL }) => {
  const writer = await newWriter(baseURL);
  const column = await writer.call('POST core/essay/column', { name: '睡得着觉的后端' });
  const { id } = await publishEssay(baseURL, { writer, title: '归档的办法' });
  for (const title of ['半夜的告警', '白天的设计'])
    await writer.call('POST core/essay/', { title, content: '写' });
  await storeSession(page, writer);
  await page.goto('/home');
  await page.getByRole('button', { name: '草稿', exact: true }).click();
  await expect(page.getByRole('link', { name: /半夜的告警/ })).toHaveAttribute('href', /edit\.html\?id=/);
  await page.getByRole('link', { name: '全部草稿' }).click();
  const list = page.getByRole('list', { name: '我的文章' });
  await expect(list.getByRole('article')).toHaveCount(2);

  await page.getByRole('link', { name: /^全部/ }).click();
  const search = page.getByRole('searchbox', { name: '搜索我的文章' });
  await search.fill('告警');
  await expect(list.getByRole('article')).toHaveCount(1);
  await search.fill('');
  await expect(list.getByRole('article')).toHaveCount(3);
  await expect(list.getByRole('img', { name: /^近 30 天的阅读/ })).toHaveCount(1);

  await page.getByRole('button', { name: '批量操作' }).click();
  for (const box of await list.getByRole('checkbox').all()) await box.check();
  const bar = page.getByRole('group', { name: '批量操作' });
  await expect(bar).toContainText('已选 3 篇');
  await bar.getByRole('button', { name: '移到专栏' }).click();
  await page.getByRole('radio', { name: '睡得着觉的后端' }).check();
  await page.getByRole('button', { name: '移动', exact: true }).click();
  await expect(page.getByText('已移动 3 篇文章')).toBeVisible();
  const columnOf = async () => (await writer.call('GET core/essay/{id}/source', { id })).columnId;
  expect(await columnOf()).toBe(column.id);
  await page.getByRole('button', { name: '撤销' }).click();
  await expect(page.getByText('已撤销')).toBeVisible();
  expect(await columnOf()).toBeNull();

  await writer.call('PUT core/essay/pin', { id, pinned: true });
  await page.getByRole('button', { name: '批量操作' }).click();
  await list.getByRole('article').filter({ hasText: '归档的办法' }).getByRole('checkbox').check();
  await bar.getByRole('button', { name: '下架' }).click();
  await expect(page.getByText('已下架《归档的办法》')).toBeVisible();
  await page.getByRole('button', { name: '撤销' }).click();
  const listShelved = async () =>
    (await writer.call('GET core/essay/', { authorId: writer.user.id })).list.map(({ pinned }) => pinned);
  await expect.poll(listShelved, 'the essay is pinned as before').toEqual([true]);
});

test('a new writer starts from an example and deletes it', { tag: '@large' }, async ({ page, baseURL }) => {
  const writer = await newWriter(baseURL);
  await storeSession(page, writer);
  await page.goto('/essay/create.html');
  await page.getByRole('button', { name: '从示例开始' }).click();
  const text = page.getByRole('textbox', { name: '正文，Markdown' });
  await expect(text, 'the next key must not press the button that deletes the example').toBeFocused();
  const preview = page.getByRole('region', { name: '预览' });
  await expect(preview.locator('table')).toBeVisible();
  await expect(preview.locator('math').first()).toBeAttached();
  await expect(page).toHaveURL(/edit\.html\?id=/);
  await page.getByRole('button', { name: '删除示例，从头写' }).click();
  await expect(page.getByText('示例已删除，从头写吧')).toBeVisible();
  await expect(page).toHaveURL(/create\.html$/);
  await expect.poll(() => writer.call('GET core/essay/own', {})).toMatchObject({ total: 0 });
  await expect(text).toBeFocused();
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
