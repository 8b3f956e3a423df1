import { expectAccessible } from '../support/accessibility.ts';
import { button, expect, test, unique } from '../support/office.ts';

test.describe.configure({ mode: 'default' });
test.use({ contextOptions: { reducedMotion: 'reduce' } });

test('sets verification tags, a file and robots rules, which search engines see', async ({
  page,
  open,
  browserErrors,
}) => {
  browserErrors.allow(/status of 422/);
  const mark = unique();
  await open('/search-engine');
  await page.getByLabel('百度').fill(`<meta name="baidu-site-verification" content="codeva-${mark}" />`);
  await button(page, '添加文件').click();
  await page.getByLabel('文件名').last().fill(`google${mark}.html`);
  await page.getByLabel('内容', { exact: true }).last().fill(`google-site-verification: google${mark}.html`);
  const rules = page.getByLabel('另加的规则');
  await rules.fill('Disalow: /x');
  await button(page, '保存').click();
  await expect(page.getByText('第 1 行：不认识「disalow」')).toBeVisible();
  await rules.fill(`Disallow: /${mark}/`);
  await button(page, '预览').click();
  await expect(page.getByText(`Disallow: /${mark}/`).last()).toBeVisible();
  await button(page, '保存').click();
  await expect(page.getByText('已保存')).toBeVisible();
  await expect(page.getByLabel('百度')).toHaveValue(`codeva-${mark}`);
  await expectAccessible(page);

  const home = await (await page.request.get('/home')).text();
  expect(home).toContain(`<meta name="baidu-site-verification" content="codeva-${mark}"/>`);
  expect(home).toContain('rel="canonical"');
  expect(await (await page.request.get('/about.html')).text()).not.toContain('<meta name="baidu-site');
  expect(await (await page.request.get(`/google${mark}.html`)).text()).toContain(mark);
  expect(await (await page.request.get('/robots.txt')).text()).toContain(`Disallow: /${mark}/`);

  await page.getByLabel('不让搜索引擎收录本站').click();
  await button(page, '保存').click();
  await expect(page.getByLabel('robots.txt 的内容')).toHaveText(/^User-agent: \*\nDisallow: \/\n/);
  expect((await page.request.get('/home')).headers()['x-robots-tag']).toBe('noindex');
  await page.getByLabel('不让搜索引擎收录本站').click();
  await button(page, '保存').click();
  await expect(page.getByLabel('robots.txt 的内容')).toContainText('/admin');
});
