import { publishEssay } from './support/essays.ts';
import { layoutShift } from './support/layout-shift.ts';
import { expect, test } from './support/test.ts';

const detail = (id: string) => `/essay/detail/${id}.html`;

const diagram = '## 图\n\n```mermaid\nflowchart LR\n  A[业务] --> B[数据库]\n```\n';

test('drawing a diagram causes no layout shift', async ({ page, baseURL }) => {
  const { id } = await publishEssay(baseURL, { content: `${diagram}\n${'下面还有一段话。\n\n'.repeat(20)}` });
  const plain = await publishEssay(baseURL);
  const scripts: string[] = [];
  page.on('request', (request) => scripts.push(request.url()));
  await page.goto(detail(plain.id), { waitUntil: 'networkidle' });
  expect(scripts.filter((url) => /diagram.*\.(js|html)$/.test(url))).toEqual([]);

  await page.goto(detail(id));
  await expect(page.locator('[data-diagram="drawn"] img.diagram-light')).toBeVisible();
  await expect(page.locator('[data-diagram] pre')).toBeHidden();
  const frame = page.locator('iframe');
  await expect(frame).toHaveAttribute('sandbox', 'allow-scripts');
  const drawing = page.frames().find((each) => each.url().endsWith('/diagram.html'));
  expect(await drawing?.evaluate(() => self.origin), 'no origin, so nothing of the reader’s').toBe('null');
  expect(await layoutShift(page)).toBeLessThan(0.01);
});

test('an invalid diagram displays its source', async ({ page, baseURL }) => {
  const { id } = await publishEssay(baseURL, { content: '```mermaid\nflowchart ??? nonsense [[[\n```\n' });
  await page.goto(detail(id));
  await expect(page.getByText('这张图没有画出来')).toBeVisible();
  await expect(page.locator('[data-diagram] pre')).toBeVisible();
});

test('printing waits for diagrams outside the viewport and uses a white background', async ({
  page,
  baseURL,
  isMobile,
}) => {
  const apart = '一段话。\n\n'.repeat(60);
  const { id } = await publishEssay(baseURL, { content: `${apart}${diagram}\n${apart}` });
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  await page.addInitScript(() => {
    window.print = () => {
      document.title = `打印：${document.querySelector<HTMLElement>('[data-diagram]')?.dataset.diagram}`;
    };
  });
  await page.route(/\/essay-after-[^/]*\.js$/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 500));
    await route.fallback();
  });
  await page.goto(detail(id));
  // Clicked before its code is loaded.
  const print = page.getByRole('button', { name: '打印 / PDF' });
  await print.click();
  await expect(page).toHaveTitle('打印：drawn');
  expect((await print.boundingBox())?.height).toBeGreaterThanOrEqual(isMobile ? 44 : 30);
  await page.emulateMedia({ media: 'print' });
  await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(255, 255, 255)');
  await expect(page.locator('body')).toHaveCSS('color', 'rgb(35, 32, 29)');
});
