import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import type { Page } from '@playwright/test';
import { newWriter, publishEssay } from './support/essays.ts';
import { layoutShift } from './support/layout-shift.ts';
import { expect, test } from './support/test.ts';
import { storeSession, type TestUser } from './support/users.ts';

const SOURCE =
  'flowchart LR\n  A[滚动] --> B{见过这一行?}\n  B -->|是| C[用量过的高度]\n  B -->|否| D[猜一个高度] --> E[渲染后补偿]';
const DIAGRAM = `\`\`\`mermaid\n${SOURCE}\n\`\`\`\n`;
const PARAGRAPHS = '一段话，用来占地方。\n\n'.repeat(20);
const detail = (id: string) => `/essay/detail/${id}.html`;
const picture = (page: Page, theme: string) => page.locator(`[data-diagram] img.diagram-${theme}`);

/** Writes an essay in the browser and submits it there. */
async function submitInBrowser(page: Page, writer: TestUser, content: string): Promise<string> {
  const { categories } = await writer.call('GET core/site/', {});
  const fields = { title: '有图的文章', content, categoryId: categories[0]?.id ?? null };
  const { id } = await writer.call('POST core/essay/', fields);
  await storeSession(page, writer);
  await page.goto(`/essay/edit.html?id=${id}`);
  await page.getByRole('button', { name: '发布', exact: true }).click();
  await page.getByRole('dialog', { name: '发布文章' }).getByRole('button', { name: '提交审核' }).click();
  await expect(page.getByText('正在审核，期间不能修改。')).toBeVisible();
  return id;
}

test('a diagram is drawn at submission and stored for readers in both themes', async ({
  page,
  browser,
  baseURL,
  admin,
}) => {
  const writer = await newWriter(baseURL);
  const id = await submitInBrowser(page, writer, `开头。\n\n${DIAGRAM}\n${PARAGRAPHS}`);
  const { html } = await admin.call('GET core/sys/essay/audit', { id });
  expect(html).toContain('data-diagram="stored"');
  expect(html).toContain('alt="图：');
  for (const status of [ESSAY_STATUS.approved, ESSAY_STATUS.onShelf])
    await admin.call('PUT core/essay/status', { id, status });

  const visitor = await browser.newPage({ viewport: { width: 1440, height: 900 }, colorScheme: 'light' });
  const requests: string[] = [];
  visitor.on('request', (request) => requests.push(new URL(request.url()).pathname));
  await visitor.goto(`${baseURL}${detail(id)}`, { waitUntil: 'networkidle' });
  await expect(picture(visitor, 'light')).toBeVisible();
  await expect(picture(visitor, 'dark')).toBeHidden();
  await expect(visitor.locator('[data-diagram] pre')).toBeHidden();
  await expect(picture(visitor, 'light')).toHaveAttribute('alt', /见过这一行\?.*渲染后补偿/);
  await expect
    .poll(() => picture(visitor, 'light').evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(600);
  expect(await layoutShift(visitor)).toBeLessThan(0.02);
  expect(
    requests.filter((path) => /diagram|-dark\.svg/.test(path)),
    'neither the drawing program nor the other theme is loaded',
  ).toEqual([]);
  const shapes = await visitor.evaluate(
    (url) => fetch(url).then((response) => response.text()),
    (await picture(visitor, 'light').getAttribute('src')) ?? '',
  );
  expect(shapes, 'no shadows and no bevels').not.toMatch(/filter|shadow|Gradient/);
  expect(shapes).toContain('#f7f5f2');

  await visitor.evaluate(() => {
    document.documentElement.dataset.theme = 'dark';
  });
  await expect(picture(visitor, 'dark')).toBeVisible();
  await expect(picture(visitor, 'light')).toBeHidden();
  await visitor.close();
});

test('a diagram is drawn however long the program takes to load', async ({ page, baseURL }) => {
  const { id } = await publishEssay(baseURL, { content: DIAGRAM });
  await page.clock.install();
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const requested = page.waitForRequest(/\/assets\/diagram-[^/]*\.js$/);
  await page.route(/\/assets\/diagram-[^/]*\.js$/, async (route) => {
    await held;
    await route.fallback();
  });
  await page.goto(detail(id), { waitUntil: 'domcontentloaded' });
  await page.mouse.move(100, 100);
  await requested;
  await page.clock.fastForward(45_000);
  release();
  await expect(page.locator('[data-diagram="drawn"] img.diagram-light')).toBeVisible();
});

test('on a phone a wide diagram stays readable and a tap enlarges it', { tag: '@long' }, async ({
  page,
  browser,
  baseURL,
  admin,
}) => {
  const writer = await newWriter(baseURL);
  const id = await submitInBrowser(page, writer, DIAGRAM);
  for (const status of [ESSAY_STATUS.approved, ESSAY_STATUS.onShelf])
    await admin.call('PUT core/essay/status', { id, status });
  const phone = await browser.newPage({
    viewport: { width: 375, height: 812 },
    hasTouch: true,
    isMobile: true,
  });
  await phone.goto(`${baseURL}${detail(id)}`);
  const image = picture(phone, 'light');
  await expect(image).toBeVisible();
  const natural = Number(await image.getAttribute('width'));
  const { width = 0 } = (await image.boundingBox()) ?? {};
  expect(width / natural).toBeGreaterThan(0.79);
  expect(await phone.locator('.diagram-view').evaluate((view) => view.scrollWidth > view.clientWidth)).toBe(
    true,
  );
  expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBe(375);
  // The first touch loads the code of the page.
  await phone.getByRole('heading', { level: 1 }).tap();
  await expect(image).toHaveAttribute('role', 'button');
  await image.tap({ position: { x: 60, y: 60 } });
  const dialog = phone.getByRole('dialog');
  await expect(dialog.locator('img')).toBeVisible();
  expect((await dialog.locator('img').boundingBox())?.width).toBeGreaterThanOrEqual(natural);
  await dialog.getByRole('button', { name: '关闭' }).tap();
  await expect(dialog).toHaveCount(0);
  await phone.close();
});

test('a diagram without a stored drawing, or with a missing one, is drawn by the reader’s browser', {
  tag: '@long',
}, async ({ page, browser, baseURL, admin, browserErrors }) => {
  const unstored = await publishEssay(baseURL, { content: DIAGRAM });
  await page.goto(detail(unstored.id));
  await expect(page.locator('[data-diagram="drawn"]')).toBeVisible();
  await expect(picture(page, 'light')).toHaveAttribute('src', /^data:image\/svg\+xml,/);
  await expect(page.locator('iframe[sandbox="allow-scripts"]')).toHaveCount(1);

  const editor = await browser.newPage();
  const id = await submitInBrowser(editor, await newWriter(baseURL), DIAGRAM);
  await editor.close();
  for (const status of [ESSAY_STATUS.approved, ESSAY_STATUS.onShelf])
    await admin.call('PUT core/essay/status', { id, status });
  browserErrors.allow(/Failed to load resource/);
  await page.route('**/drawings/*', (route) => route.fulfill({ status: 404 }));
  await page.goto(detail(id));
  await expect(page.locator('[data-diagram="drawn"]')).toBeVisible();
  await expect(picture(page, 'light')).toHaveCount(1);
});
