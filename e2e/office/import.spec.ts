import type { Locator, Page } from '@playwright/test';
import { strToU8, zipSync } from 'fflate';
import { expectAccessible } from '../support/accessibility.ts';
import { newWriter } from '../support/essays.ts';
import { button, expect, isPhone, row, test, unique } from '../support/office.ts';
import { storeSession } from '../support/users.ts';

test.describe.configure({ mode: 'default' });
test.use({ contextOptions: { reducedMotion: 'reduce' } });

const post = (head: string, text = '正文。') =>
  strToU8(`---\ndate: 2021-03-04 05:06:07\n${head}\n---\n\n${text}\n`);

const blog = (host: string, files: Record<string, Uint8Array>) => ({
  name: `${host}.zip`,
  mimeType: 'application/zip',
  buffer: Buffer.from(
    zipSync({ '_config.yml': strToU8(`title: 旧博客\nurl: https://${host}.test`), ...files }),
  ),
});

async function upload(page: Page, file: ReturnType<typeof blog>): Promise<void> {
  await page.goto('/admin/transfer');
  await button(page, '导入').click();
  await page.locator('input[type=file]').setInputFiles(file);
  await button(page, '上传并检查').click();
  await expect(page.getByRole('region', { name: '检查结果' })).toBeVisible();
}

/** Items of a report have a status too. */
const statusOf = (report: Locator) => report.getByRole('definition').first();

/** Chooses an option of a select, by keyboard and mouse as a user would. */
async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label, exact: true }).click();
  await page.locator('.ant-select-item-option:visible').filter({ hasText: option }).first().click();
}

async function choosePerson(page: Page, label: string, name: string): Promise<void> {
  await page.getByRole('combobox', { name: label, exact: true }).fill(name);
  await page.locator('.ant-select-item-option:visible').filter({ hasText: name }).first().click();
}

const files = {
  'source/_posts/one.md': post('title: 搬来的第一篇\nauthor: 老王\ncategories: [随笔]\ntags: [旧文]'),
  'source/_posts/two.md': post('title: 搬来的第二篇\nauthor: 小李\ncategories: [编程]\npassword: x'),
  'source/_posts/three.md': post('title: 搬来的第三篇\ncategories: [杂记]'),
  'source/_posts/four.md': post('title: 搬来的第四篇', '字'.repeat(200_001)),
  '../evil.md': strToU8('x'),
};

test('checks a blog without importing anything, and finds the check again', async ({
  page,
  ownSite: { admin },
}) => {
  const host = `check${unique()}`;
  const countEssays = async () => (await admin.call('GET core/essay/', {})).total;
  const before = await countEssays();
  await storeSession(page, admin);
  await page.goto('/admin/transfer?import=new');
  await button(page, '上传并检查').click();
  await expect(page.getByText('请选择文件')).toBeVisible();
  await expectAccessible(page);
  await upload(page, blog(host, files));
  const result = page.getByRole('region', { name: '检查结果' });
  await expect(result).toContainText('Hexo：旧博客');
  await expect(result).toContainText('文章3篇');
  await result.getByRole('button', { name: '会成为草稿 1 项' }).click();
  await expect(result).toContainText('原文有密码，作为草稿导入');
  await result.getByRole('button', { name: '不能导入 2 项' }).click();
  await expect(result).toContainText('最多 200000 个字');
  await expect(result).toContainText('文件名指向压缩包之外');
  await expectAccessible(page);
  expect(await countEssays()).toBe(before);
  await page.goto('/admin/transfer');
  await expect(row(page, `${host}.zip`)).toContainText('等待开始');
  await row(page, `${host}.zip`).getByRole('button', { name: /^继续/ }).click();
  await expect(result).toContainText('文章3篇');
  await button(page, '放弃').click();
  await page.getByRole('dialog').getByRole('button', { name: '放弃' }).click();
  await expect(page.getByText('已停止')).toBeVisible();
});

test('maps categories and authors, imports the blog and reports it', async ({
  page,
  ownSite: { admin, url },
}) => {
  await newWriter(url, { displayName: '搬家的人' });
  await newWriter(url, { displayName: '老王本人' });
  await storeSession(page, admin);
  await upload(page, blog(`map${unique()}`, files));
  await choose(page, '分类「随笔」成为', '技术');
  await choose(page, '分类「杂记」成为', '新建分类');
  const newName = page.getByRole('textbox', { name: '分类「杂记」的新名称' });
  await newName.fill('');
  await choose(page, '作者「老王」成为', '本站的作者');
  await button(page, '开始导入').click();
  await expect(page.getByText('请填写分类「杂记」的新名称')).toBeVisible();
  await newName.fill('旧杂记');
  await choosePerson(page, '作者「老王」对应的人', '老王本人');
  await choosePerson(page, '没有署名的文章归到', '搬家的人');
  await expectAccessible(page);
  await button(page, '开始导入').click();

  const report = page.getByRole('region', { name: '导入报告' });
  await expect(report).toContainText('完成');
  await expect(report).toContainText('文章已导入 3');
  await expect(report).toContainText('旧杂记');
  await expect(page.getByRole('region', { name: '使用的对应关系' })).toContainText('随笔 → 技术');
  await expectAccessible(page);
  // Other tests import essays to the same site.
  const listImported = async () =>
    (await admin.call('GET core/essay/', { keyword: '搬来' })).list
      .filter(({ title }) => title.startsWith('搬来的第'))
      .map(({ title, author, publishedAt }) => [title, author.displayName, publishedAt?.slice(0, 4)])
      .toSorted();
  expect(await listImported()).toEqual([
    ['搬来的第一篇', '老王本人', '2021'],
    ['搬来的第三篇', '搬家的人', '2021'],
  ]);
  await button(page, '撤销').click();
  await page.getByRole('dialog').getByRole('button', { name: '撤销' }).click();
  await expect(statusOf(report)).toHaveText('已撤销');
  await expect(report.getByText('已导入', { exact: true })).toHaveCount(0);
  expect(await listImported()).toEqual([]);
});

test('the next check of a site proposes the same mapping, and an undo takes the import back', async ({
  page,
  ownSite: { admin },
}) => {
  const host = `again${unique()}`;
  const category = `类${unique()}`;
  const files = { 'source/_posts/one.md': post(`title: 再来${host}\ncategories: [${category}]`) };
  await storeSession(page, admin);
  await upload(page, blog(host, files));
  await choose(page, `分类「${category}」成为`, '新建分类');
  await button(page, '开始导入').click();
  await expect(page.getByRole('region', { name: '导入报告' })).toContainText('完成');

  await upload(page, blog(host, { ...files, 'source/_posts/two.md': post('title: 又一篇') }));
  await expect(page.getByText('下面是上一次用的对应')).toBeVisible();
  await expect(page.getByRole('region', { name: '检查结果' })).toContainText('其中 1 项以前导入过');
  await expect(page.getByRole('list', { name: '分类的对应' }).getByTitle(category)).toBeVisible();
  await button(page, '放弃').click();
  await page.getByRole('dialog').getByRole('button', { name: '放弃' }).click();
  await expect(page.getByText('已停止')).toBeVisible();

  await page.goto('/admin/transfer');
  const run = row(page, `${host}.zip`).filter({ hasText: '文章已导入 1' });
  await run.getByRole('button', { name: /^撤销/ }).click();
  await button(page, '撤销').click();
  await expect(row(page, `${host}.zip`).getByText('已撤销', { exact: true })).toHaveCount(1);
  const { categories } = await admin.call('GET core/site/', {});
  expect(categories.map(({ name }) => name)).not.toContain(category);
});

test('the defaults are enough: a check is followed by the import at once', async ({
  page,
  ownSite: { admin },
}) => {
  const host = `easy${unique()}`;
  await storeSession(page, admin);
  await upload(
    page,
    blog(host, { 'source/_posts/a.md': post(`title: 直接导入${host}\ncategories: [随便]`) }),
  );
  await button(page, '开始导入').focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: '导入报告' })).toContainText('完成');
  await button(page, '撤销').click();
  await page.getByRole('dialog').getByRole('button', { name: '撤销' }).click();
  await expect(statusOf(page.getByRole('region', { name: '导入报告' }))).toHaveText('已撤销');
});

test('a file that cannot be recognized fails in the check, and another can be uploaded', async ({
  page,
  ownSite: { admin },
}) => {
  await storeSession(page, admin);
  await page.goto('/admin/transfer?import=new');
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'notes.zip', mimeType: 'application/zip', buffer: Buffer.from('hello') });
  await button(page, '上传并检查').click();
  const report = page.getByRole('region', { name: '导入报告' });
  await expect(report).toContainText('认不出这是什么格式');
  await expect(report).toContainText('没有导入任何内容');
  const step = isPhone(page) ? page.getByText('第 2 步，共') : page.locator('.ant-steps-item-error');
  await expect(step).toContainText('检查与对应');
  await button(page, '重新上传').click();
  await expect(button(page, '上传并检查')).toBeVisible();
});
