import { devices, type Page } from '@playwright/test';
import { newWriter } from './support/essays.ts';
import { pictureFile } from './support/pictures.ts';
import { expect, test } from './support/test.ts';
import { storeSession } from './support/users.ts';

const textOf = (page: Page) => page.getByRole('textbox', { name: '正文，Markdown' });
const saved = (page: Page) =>
  expect(page.locator('header [data-state]')).toHaveAttribute('data-state', 'saved');

/** The current minute as the value of a time field, in the site's time zone. */
const thisMinute = () => new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 16);

async function write(page: Page, text: string): Promise<void> {
  await expect(textOf(page)).toBeVisible();
  await textOf(page).click();
  await page.keyboard.press('Control+End');
  await page.keyboard.insertText(text);
}

async function submitForAudit(
  page: Page,
  fill: (drawer: ReturnType<Page['getByRole']>) => Promise<void>,
): Promise<void> {
  await page.getByRole('button', { name: /^(发布|提交修订)$/ }).click();
  const drawer = page.getByRole('dialog');
  await fill(drawer);
  await drawer.getByRole('button', { name: /^提交/ }).click();
  await expect(page.getByText(/等待审核|待审核|正在审核/).first()).toBeVisible();
}

test('the life of an essay from draft to published revision', { tag: '@large' }, async ({
  page,
  browser,
  baseURL,
  admin,
}) => {
  test.slow();
  const title = `从第一个字到第二版 ${Date.now().toString(36)}`;
  const writer = await newWriter(baseURL);
  const desk = await (await browser.newContext({ baseURL, reducedMotion: 'reduce' })).newPage();
  await storeSession(desk, admin);

  // Write with a picture and submit, scheduled for this minute.
  await storeSession(page, writer);
  await page.goto('/essay/create.html');
  await write(page, '## 起因\n\n独角鲸调度器的来历。\n\n');
  await page.getByRole('textbox', { name: '标题', exact: true }).fill(title);
  await page.getByLabel('插入图片').setInputFiles(await pictureFile('图.png'));
  await expect(textOf(page)).toContainText(/!\[图\]\(\/files\/.+\)/);
  await saved(page);
  await submitForAudit(page, async (drawer) => {
    await drawer.getByRole('radio', { name: '技术' }).check();
    await drawer.getByLabel('上架时间').fill(thisMinute());
  });
  const id = new URL(page.url()).searchParams.get('id') ?? '';

  // Pass the audit.
  await desk.goto(`/admin/audit?id=${id}`);
  await expect(desk.getByRole('article', { name: title })).toContainText('独角鲸调度器的来历。');
  await desk
    .getByRole('region', { name: '审核结论' })
    .getByRole('button', { name: '通过', exact: true })
    .click();
  await expect(desk.getByText(`已通过「${title}」`)).toBeVisible();

  // Shelved on schedule, readable on a phone, found by search.
  const reader = await (
    await browser.newContext({ ...devices['Pixel 7'], baseURL, locale: 'zh-CN' })
  ).newPage();
  await expect.poll(async () => (await reader.request.get(`/essay/mdetail/${id}.html`)).status()).toBe(200);
  await reader.goto(`/essay/mdetail/${id}.html`);
  await expect(reader.getByRole('heading', { level: 1, name: title })).toBeVisible();
  await expect(reader.getByRole('article').locator('img[src^="/files/"]').first()).toBeVisible();
  await reader.goto(`/home?keyword=${encodeURIComponent('独角鲸调度器')}`);
  const results = reader.getByRole('list', { name: '搜索结果' });
  await expect(results.getByRole('link', { name: title })).toBeVisible();

  // Edit: readers see the audited version until the revision passes.
  await page.goto(`/essay/edit.html?id=${id}`);
  await write(page, '\n\n第二版多出来的一段。');
  await saved(page);
  await submitForAudit(page, async () => {});
  await reader.goto(`/essay/detail/${id}.html`);
  await expect(reader.getByText('独角鲸调度器的来历。')).toBeVisible();
  await expect(reader.getByText('第二版多出来的一段。')).toBeHidden();
  await desk.goto(`/admin/audit?id=${id}`);
  await expect(desk.getByRole('article', { name: title })).toContainText('第二版多出来的一段。');
  await desk
    .getByRole('region', { name: '审核结论' })
    .getByRole('button', { name: '通过', exact: true })
    .click();
  await expect(desk.getByText(`已通过「${title}」`)).toBeVisible();
  await reader.reload();
  await expect(reader.getByText('第二版多出来的一段。')).toBeVisible();
  await Promise.all([desk.context().close(), reader.context().close()]);
});
