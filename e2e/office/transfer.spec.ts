import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { strToU8, unzipSync, zipSync } from 'fflate';
import { expectAccessible } from '../support/accessibility.ts';
import { newWriter, publishEssay } from '../support/essays.ts';
import { button, expect, row, test } from '../support/office.ts';
import { newStaff } from '../support/staff.ts';
import { storeSession } from '../support/users.ts';

test.describe.configure({ mode: 'default' });
test.use({ contextOptions: { reducedMotion: 'reduce' } });

const RUN = { timeout: 30_000 };

/** Selects a user by name in a form field. */
async function choose(page: Page, name: string): Promise<void> {
  await page.getByRole('combobox', { name: '作者' }).fill(name);
  await page.locator('.ant-select-item-option').filter({ hasText: name }).first().click();
}

test('exports one author as a file', async ({ page, ownSite: { admin, url } }) => {
  const writer = await newWriter(url, { displayName: '带走文章的人' });
  const { id, title } = await publishEssay(url, { writer });
  await storeSession(page, admin);
  await page.goto('/admin/transfer');
  await button(page, '导出').click();
  await page.getByRole('radio', { name: '一位作者' }).check();
  await button(page, '开始导出').click();
  await expect(page.getByText('请选择作者')).toBeVisible();
  await choose(page, '带走文章的人');
  await button(page, '开始导出').click();
  const run = row(page, '导出「带走文章的人」');
  await expect(run).toContainText('文章 1 篇', RUN);
  const saved = page.waitForEvent('download');
  await run.getByRole('button', { name: /^下载/ }).click();
  const files = unzipSync(await readFile(await (await saved).path()));
  expect(Buffer.from(files[`essays/${id}.md`] ?? []).toString()).toContain(`title: ${title}`);
  await expectAccessible(page);

  await run.getByRole('button', { name: /^删除/ }).click();
  await button(page, '删除').click();
  await expect(run).toHaveCount(0);
});

test('imports a blog, reports skipped items, and undoes the import', async ({
  page,
  ownSite: { admin, url },
}) => {
  const writer = await newWriter(url, { displayName: '搬家的人' });
  const post = (title: string, text: string) =>
    strToU8(`---\ntitle: ${title}\ndate: 2021-03-04 05:06:07\ntags: [旧文]\n---\n\n${text}\n`);
  const zip = zipSync({
    '_config.yml': strToU8('title: 旧博客'),
    'source/_posts/one.md': post('搬来的第一篇', '正文。'),
    'source/_posts/two.md': post('搬来的第二篇', '字'.repeat(200_001)),
    '../evil.md': strToU8('x'),
  });
  await storeSession(page, admin);
  await page.goto('/admin/transfer');
  await button(page, '导入').click();
  await button(page, '开始导入').click();
  await expect(page.getByText('请选择文件')).toBeVisible();
  const file = { name: 'blog.zip', mimeType: 'application/zip', buffer: Buffer.from(zip) };
  await page.locator('input[type=file]').setInputFiles(file);
  await choose(page, '搬家的人');
  await expectAccessible(page);
  await button(page, '开始导入').click();
  const run = row(page, 'blog.zip');
  await expect(run).toContainText('文章已导入 1，跳过 1', RUN);
  const { list } = await admin.call('GET core/essay/', { authorId: writer.user.id });
  expect(list.map(({ title, publishedAt }) => [title, publishedAt?.slice(0, 4)])).toEqual([
    ['搬来的第一篇', '2021'],
  ]);

  await run.getByRole('button', { name: /^报告/ }).click();
  const report = page.getByRole('dialog');
  await expect(report.getByRole('listitem')).toHaveCount(4);
  await report.getByRole('checkbox', { name: '只看有说明的' }).check();
  await expect(report).toContainText('最多 200000 个字');
  await expect(report).toContainText('文件名指向压缩包之外');
  await expectAccessible(page);
  await report.getByRole('button', { name: '关闭' }).click();

  await run.getByRole('button', { name: /^撤销/ }).click();
  await button(page, '撤销').click();
  await expect(run).toContainText('已撤销', RUN);
  expect((await admin.call('GET core/essay/', { authorId: writer.user.id })).list).toEqual([]);
});

test('denies access without the permission', async ({ page, ownSite: { admin, url } }) => {
  await storeSession(page, await newStaff(admin, url, 'auditor'));
  await page.goto('/admin/transfer');
  await expect(page.getByRole('heading', { level: 1, name: '没有打开这个页面的权限' })).toBeVisible();
  await expect(page.getByRole('link', { name: '导入导出' })).toHaveCount(0);
});
