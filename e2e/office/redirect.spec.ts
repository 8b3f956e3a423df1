import { readFile } from 'node:fs/promises';
import { expectAccessible } from '../support/accessibility.ts';
import { publishEssay } from '../support/essays.ts';
import { button, expect, panel, row, test, unique } from '../support/office.ts';

test.describe.configure({ mode: 'default' });
test.use({ contextOptions: { reducedMotion: 'reduce' } });

test('adds a redirect, which leads readers on, and counts them', async ({
  page,
  open,
  url,
  admin,
  browserErrors,
}) => {
  browserErrors.allow(/status of 422/);
  const mark = unique();
  const { id, title } = await publishEssay(url);
  await open('/redirect');
  await button(page, '添加跳转').click();
  const form = panel(page);
  await form.getByLabel('旧网址').fill('/home');
  await form.getByLabel('新网址').fill(`/essay/detail/${id}.html`);
  await button(form, '保存').click();
  await expect(form.getByText('这是本站自己的网址')).toBeVisible();
  await form.getByLabel('旧网址').fill(`/2019/${mark}/`);
  await button(form, '保存').click();
  await expect(row(page, `/2019/${mark}`)).toContainText(title);
  await expectAccessible(page);

  const response = await page.request.get(`/2019/${mark}/?from=old`, { maxRedirects: 0 });
  expect(response.status()).toBe(301);
  expect(response.headers().location).toBe(`/essay/detail/${id}.html?from=old`);
  await page.goto(`/2019/${mark}`);
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`/essay/detail/${id}\\.html`));
  const hits = async () =>
    (await admin.call('GET core/sys/redirect/', { keyword: `/2019/${mark}` })).list[0]?.hits;
  await expect.poll(hits).toBe(2);
});

test('lists addresses that were not found, and makes a redirect from one', async ({ page, open, admin }) => {
  const path = `/missing/${unique()}`;
  for (const _ of [1, 2]) expect((await page.request.get(path)).status()).toBe(404);
  // They are counted in memory and stored once a second.
  await expect
    .poll(async () => (await admin.call('GET core/sys/redirect/missing', { keyword: path })).list.length)
    .toBe(1);
  await open('/redirect?tab=missing');
  await expectAccessible(page);
  await row(page, path)
    .getByRole('button', { name: /^设置跳转/ })
    .click();
  await panel(page).getByLabel('新网址').fill('/help.html');
  await button(panel(page), '添加跳转').click();
  await expect(row(page, path)).toHaveCount(0);
  const response = await page.request.get(path, { maxRedirects: 0 });
  expect(response.headers().location).toBe('/help.html');
});

test('imports a CSV file with a report, and exports it again', async ({ page, open }) => {
  const mark = unique();
  await open('/redirect');
  await button(page, '导入').click();
  const csv = `旧网址,新网址\n/csv/${mark}/1,/help.html\n/home,/help.html\n`;
  await panel(page)
    .locator('input[type=file]')
    .setInputFiles({ name: 'old.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
  await button(panel(page), '导入').click();
  await expect(panel(page)).toContainText('新增 1 条，更新 0 条，1 行没有导入');
  await expect(panel(page)).toContainText(/第 3 行.*本站自己的网址/);
  await button(page, '知道了').click();
  await expect(row(page, `/csv/${mark}/1`)).toBeVisible();
  const saved = page.waitForEvent('download');
  await button(page, '导出全部').click();
  const file = await readFile(await (await saved).path(), 'utf8');
  expect(file).toContain(`/csv/${mark}/1,/help.html,0,`);
});
