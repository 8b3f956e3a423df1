import { newWriter, publishEssay } from './support/essays.ts';
import { layoutShift } from './support/layout-shift.ts';
import { expect, test } from './support/test.ts';

const detail = (id: string) => `/essay/detail/${id}.html`;

test('formulas have a font of the site, which pages without formulas do not load', async ({
  page,
  baseURL,
}) => {
  const fonts: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'font') fonts.push(new URL(request.url()).pathname);
  });
  const plain = await publishEssay(baseURL, { content: '没有公式。' });
  await page.goto(detail(plain.id), { waitUntil: 'networkidle' });
  await page.goto('/home', { waitUntil: 'networkidle' });
  expect(fonts).toEqual([]);

  const formulas =
    '误差 $\\delta \\le u$ 满足\n\n$$\n|E_n| \\le (n-1)\\,u \\sum_{i=1}^{n} |x_i| + O(u^2)\n$$\n\n';
  const { id } = await publishEssay(baseURL, { content: formulas + '后面的一段话。\n\n'.repeat(20) });
  await page.goto(detail(id), { waitUntil: 'networkidle' });
  await expect.poll(() => page.evaluate(() => document.fonts.check('16px "Mozhan Math"', '∑δ'))).toBe(true);
  expect(fonts).toHaveLength(1);
  expect(fonts[0]).toMatch(/^\/assets\/math-[^/]*\.woff2$/);
  expect(await layoutShift(page)).toBeLessThan(0.02);

  const rare = await publishEssay(baseURL, { content: '$\\mathcal{F}$ 与 $\\mathfrak{g}$' });
  await page.goto(detail(rare.id), { waitUntil: 'networkidle' });
  await expect.poll(() => fonts.at(-1)).toMatch(/math-more/);
});

test('a font that arrives late moves the text little', { tag: '@long' }, async ({ page, baseURL }) => {
  const line = '其中 $|\\delta| \\le u$，单精度 $u = 2^{-24}$，逐个累加 $n$ 个数，误差满足上面的界。\n\n';
  const { id } = await publishEssay(baseURL, {
    content: `${line.repeat(8)}$$\n\\sum_{i=1}^{n} x_i\n$$\n\n${line.repeat(8)}`,
  });
  await page.route('**/*.woff2', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await route.continue();
  });
  await page.goto(detail(id), { waitUntil: 'networkidle' });
  await expect.poll(() => page.evaluate(() => document.fonts.check('16px "Mozhan Math"', 'x'))).toBe(true);
  expect(await layoutShift(page)).toBeLessThan(0.02);
});

test('generated covers of neighbours differ, are visible in dark mode, and every third entry has none', async ({
  page,
  baseURL,
}) => {
  const writer = await newWriter(baseURL);
  for (let index = 0; index < 9; index += 1)
    await publishEssay(baseURL, { writer, title: `封面第 ${index} 篇` });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto(`/user/home/${writer.user.id}.html`);
  const entries = page.locator('article').filter({ hasText: '封面第' });
  await expect(entries).toHaveCount(9);
  const covers = await entries.evaluateAll((articles) =>
    articles.map((article) => {
      const art = article.querySelector('svg[data-hue][viewBox="0 0 320 200"]');
      return art && `${art.getAttribute('data-kind') ?? 'hills'} ${art.getAttribute('data-hue')}`;
    }),
  );
  expect(covers.map((cover) => cover !== null)).toEqual([
    ...[true, false, true, true, false, true, true, false, true],
  ]);
  const shown = covers.filter((cover) => cover !== null);
  for (const [index, cover] of shown.entries()) {
    const [kind, hue] = cover.split(' ');
    for (const before of shown.slice(Math.max(0, index - 2), index)) {
      expect(before.split(' ')[0]).not.toBe(kind);
      expect(before.split(' ')[1]).not.toBe(hue);
    }
  }
  const tones = await entries.evaluateAll((articles) =>
    articles.flatMap((article) => {
      const [ground, ...shapes] = article.querySelectorAll('svg[data-kind] > *');
      const fillOf = (shape: Element) => getComputedStyle(shape).fill;
      return ground === undefined ? [] : shapes.map((shape) => fillOf(shape) !== fillOf(ground));
    }),
  );
  expect(tones.length).toBeGreaterThan(10);
  expect(tones).not.toContain(false);
});
