import { newWriter, publishEssay } from './support/essays.ts';
import { layoutShift } from './support/layout-shift.ts';
import { uploadPicture } from './support/pictures.ts';
import { expect, test } from './support/test.ts';

const LATE_MS = 1500;

test('nothing moves while a reader goes to the end of an essay, with pictures that come late', async ({
  page,
  baseURL,
}) => {
  const writer = await newWriter(baseURL);
  const picture = await uploadPicture(writer, baseURL ?? '', { width: 900, height: 600 });
  const column = await writer.call('POST core/essay/column', { name: '一组文章' });
  const fields = { writer, columnId: column.id, cover: picture, tags: ['排版'] };
  await publishEssay(baseURL, { ...fields, title: '前一篇' });
  const { id } = await publishEssay(baseURL, {
    ...fields,
    title: '中间这一篇',
    summary: '一句导语。',
    content: `${'一段话。'.repeat(80)}\n\n![图](${picture})\n\n## 一节\n\n公式 $x^2$。\n\n${'一段话。\n\n'.repeat(40)}`,
  });
  await publishEssay(baseURL, { ...fields, title: '后一篇' });
  // Essays of the same column are not recommended after it.
  await publishEssay(baseURL, { title: '别人的一篇', tags: ['排版'] });
  await page.route('**/files/**', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, LATE_MS));
    await route.continue();
  });
  await page.goto(`/essay/detail/${id}.html`);
  await page.mouse.move(300, 400);
  const atEnd = () => page.evaluate(() => innerHeight + scrollY >= document.documentElement.scrollHeight - 2);
  while (!(await atEnd())) {
    await page.evaluate(() => scrollBy({ top: innerHeight / 2, behavior: 'instant' }));
    await page.waitForTimeout(150);
  }
  await page.waitForLoadState('networkidle');
  await expect(page.getByRole('heading', { name: '接着读' })).toBeVisible();
  expect(await layoutShift(page)).toBeLessThanOrEqual(0.02);
});

test('nothing moves when a reader jumps to the end of an essay before its comments are there', async ({
  page,
  baseURL,
}) => {
  const writer = await newWriter(baseURL);
  const { id } = await publishEssay(baseURL, { writer, content: '一段话。\n\n'.repeat(60) });
  await publishEssay(baseURL, { writer, title: '另一篇' });
  const say = (content: string) => writer.call('POST core/essay/cmt', { essayId: id, content });
  for (const count of [2, 4]) await say(`${'说得很长的一条评论。'.repeat(30 * count)}`);
  await page.route('**/core/essay/cmt?**', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, LATE_MS));
    await route.continue();
  });
  for (const width of [375, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`/essay/detail/${id}.html`);
    await page.mouse.move(300, 400);
    // Chromium drops keys before the first paint.
    await expect(async () => {
      await page.keyboard.press('End');
      expect(await page.evaluate(() => scrollY)).toBeGreaterThan(0);
    }).toPass();
    await expect(page.getByText('说得很长的一条评论').first()).toBeAttached();
    await expect(page.getByRole('heading', { name: '接着读' })).toBeVisible();
    expect(await layoutShift(page), `at ${width}`).toBeLessThanOrEqual(0.02);
  }
});

test('nothing moves while the account centre is loading', async ({ page, reader }) => {
  expect(reader.user.displayName).not.toBe('');
  for (const width of [1440, 375]) {
    await page.setViewportSize({ width, height: 900 });
    for (const tab of ['history', 'collect', 'highlight', 'column', 'tag']) {
      await page.goto(`/account/center.html?tab=${tab}`);
      await page.waitForLoadState('networkidle');
      expect(await layoutShift(page), `${tab} at ${width}`).toBeLessThanOrEqual(0.02);
    }
  }
});
