import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { unzipSync } from 'fflate';
import { expectAccessible } from '../support/accessibility.ts';
import { newWriter, publishEssay } from '../support/essays.ts';
import { button, expect, row, test } from '../support/office.ts';
import { newStaff } from '../support/staff.ts';
import { storeSession } from '../support/users.ts';

test.describe.configure({ mode: 'default' });
test.use({ contextOptions: { reducedMotion: 'reduce' } });

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
  await expect(run).toContainText('文章 1 篇');
  const saved = page.waitForEvent('download');
  await run.getByRole('button', { name: /^下载/ }).click();
  const files = unzipSync(await readFile(await (await saved).path()));
  expect(Buffer.from(files[`essays/${id}.md`] ?? []).toString()).toContain(`title: ${title}`);
  await expectAccessible(page);

  await run.getByRole('button', { name: /^删除/ }).click();
  await button(page, '删除').click();
  await expect(run).toHaveCount(0);
});

test('a run that the list shows as unfinished is fetched until it has ended', async ({
  page,
  ownSite: { admin, url },
}) => {
  const writer = await newWriter(url, { displayName: '很快导出的人' });
  await publishEssay(url, { writer });
  const { id } = await admin.call('POST core/sys/transfer/export', {
    scope: 'author',
    authorId: writer.user.id,
  });
  const isDone = async () =>
    (await admin.call('GET core/sys/transfer/', { id })).list.every(({ status }) => status === 'done');
  await expect.poll(isDone).toBe(true);
  // As if the displayed list had been answered before the end of the run, and the newest runs after it.
  const isDisplayedList = ({ pathname, searchParams }: URL) =>
    pathname === '/api/core/sys/transfer/' && searchParams.get('pageSize') !== '10';
  await page.route(
    isDisplayedList,
    async (route) => {
      const response = await route.fetch();
      const answer = await response.json();
      for (const run of answer.data.list) Object.assign(run, { status: 'running', endedAt: null });
      await route.fulfill({ response, json: answer });
    },
    { times: 1 },
  );
  await storeSession(page, admin);
  await page.goto('/admin/transfer');
  const run = row(page, '导出「很快导出的人」');
  await expect(run).toContainText('进行中');
  await expect(run).toContainText('文章 1 篇');
  await expect(run.getByRole('button', { name: /^下载/ })).toBeVisible();
});

test('denies access without the permission', async ({ page, ownSite: { admin, url } }) => {
  await storeSession(page, await newStaff(admin, url, 'auditor'));
  await page.goto('/admin/transfer');
  await expect(page.getByRole('heading', { level: 1, name: '没有打开这个页面的权限' })).toBeVisible();
  await expect(page.getByRole('link', { name: '导入导出' })).toHaveCount(0);
});
