import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from './support/accessible.ts';
import { expect, test } from './support/own-site.ts';
import { enterAs } from './support/people.ts';
import { uploadPicture } from './support/pictures.ts';

// One after another: they share the site's settings.
test.describe.configure({ mode: 'default' });

const header = (page: Page) => page.getByRole('banner');
const places = (page: Page) => page.getByRole('navigation', { name: '主导航' });
const isPhone = (page: Page) => (page.viewportSize()?.width ?? 0) < 1024;

async function boxOf(part: Locator) {
  const box = await part.boundingBox();
  if (box === null) throw new Error(`not seen: ${part}`);
  return box;
}

/** How far down the page can be scrolled is up to the test, not to what there is to read. */
async function scrollDown(page: Page): Promise<void> {
  await page.setViewportSize({ width: page.viewportSize()?.width ?? 0, height: 450 });
  await page.evaluate(() => scrollTo({ top: 150, behavior: 'instant' }));
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(150);
}

const colourOf = (part: Locator, name: string) =>
  part.evaluate((element, property) => getComputedStyle(element).getPropertyValue(property), name);

test('layout side: places and account in a column at the left of a large screen', async ({
  page,
  settle,
  ownSite,
}) => {
  await settle({ layout: 'side' });
  await enterAs(page, ownSite.admin);
  await page.goto('/home');
  const menu = page.getByRole('button', { name: /账户菜单/ });
  await expect(menu).toBeVisible();
  const bar = await boxOf(header(page));
  const main = await boxOf(page.getByRole('main'));
  if (isPhone(page)) {
    expect(bar.width).toBe(page.viewportSize()?.width);
    expect(main.y).toBeGreaterThanOrEqual(bar.y + bar.height);
    return;
  }
  expect(bar.width).toBeLessThan(300);
  expect(main.x).toBeGreaterThanOrEqual(bar.width);
  expect(main.y).toBe(0);
  const [home, program] = await Promise.all(
    ['首页', '编程'].map((name) => boxOf(places(page).getByRole('link', { name }))),
  );
  expect(program?.y).toBeGreaterThan(home?.y ?? 0);
  await menu.click();
  // Upwards, and inside the window.
  const item = await boxOf(page.getByRole('link', { name: '我的主页' }));
  expect(item.y).toBeLessThan((await boxOf(menu)).y);
  expect(item.y).toBeGreaterThan(0);
});

test('layout mix: the header on top, places in a column below it', async ({ page, settle }) => {
  await settle({ layout: 'mix' });
  await page.goto('/home');
  await expect(places(page)).toHaveCount(1);
  const bar = await boxOf(header(page));
  const list = await boxOf(places(page));
  expect(bar.width).toBe(page.viewportSize()?.width);
  if (isPhone(page)) {
    expect(list.y).toBeLessThan(bar.height);
    return;
  }
  expect(list.y).toBeGreaterThanOrEqual(bar.height);
  expect((await boxOf(page.getByRole('main'))).x).toBeGreaterThanOrEqual(list.x + list.width);
  await places(page).getByRole('link', { name: '应用' }).click();
  await expect(page).toHaveURL(/\/essay\/app\.html$/);
});

test('fixedHeader: the header stays in sight, or scrolls away', async ({ page, settle }) => {
  await settle({});
  await page.goto('/about.html');
  await scrollDown(page);
  expect((await boxOf(header(page))).y).toBe(0);
  await settle({ fixedHeader: false });
  await page.goto('/about.html');
  await scrollDown(page);
  expect((await boxOf(header(page))).y).toBe(-150);
});

test('fixSiderbar: the sidebar stays in sight, or scrolls away', async ({ page, settle }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  for (const layout of ['side', 'mix'] as const) {
    await settle({ layout });
    await page.goto('/about.html');
    const home = places(page).getByRole('link', { name: '首页' });
    const { y } = await boxOf(home);
    await scrollDown(page);
    expect((await boxOf(home)).y, layout).toBe(y);
    await settle({ layout, fixSiderbar: false });
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto('/about.html');
    await scrollDown(page);
    expect((await boxOf(home)).y, layout).toBe(y - 150);
  }
});

test('contentWidth: a fixed column, or the whole width', async ({ page, settle }) => {
  await page.setViewportSize({ width: 1800, height: 900 });
  const width = async () => (await boxOf(page.getByRole('main'))).width;
  await settle({});
  await page.goto('/home');
  expect(await width()).toBeLessThan(1300);
  await settle({ contentWidth: 'Fluid' });
  await page.goto('/home');
  expect(await width()).toBe(1800);
});

test('navTheme: a dark header over a light page', async ({ page, settle }) => {
  await settle({ navTheme: 'dark' });
  await page.goto('/home');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
  expect(await colourOf(header(page), 'background-color')).toBe('rgb(23, 21, 19)');
  expect(await colourOf(page.locator('body'), 'background-color')).toBe('rgb(252, 251, 249)');
  for (const meta of await page.locator('meta[name="theme-color"]').all())
    await expect(meta).toHaveAttribute('content', '#171513');
});

test('colorPrimary: the tones of another colour, in a header with a theme of its own too', async ({
  page,
  settle,
}) => {
  const brands = async () => [
    await colourOf(page.locator('html'), '--brand-fill'),
    await colourOf(header(page), '--brand-fill'),
  ];
  await settle({ navTheme: 'dark' });
  await page.goto('/home');
  const usual = await brands();
  await settle({ navTheme: 'dark', colorPrimary: '#1677ff' });
  await page.goto('/home');
  await expect(page.locator('link[rel="stylesheet"]').last()).toHaveAttribute('href', '/brand.css?c=1677ff');
  const other = await brands();
  expect(other[0]).not.toBe(other[1]);
  for (const tone of other) expect(usual).not.toContain(tone);
});

test('colorWeak: stronger contrast and links with a line, unless the reader wants it otherwise', async ({
  page,
  settle,
}) => {
  await settle({ colorWeak: true });
  await page.goto('/home');
  const root = page.locator('html');
  await expect(root).toHaveAttribute('data-weak', 'on');
  const link = page.getByRole('contentinfo').getByRole('link', { name: '关于我们' });
  expect(await colourOf(link, 'text-decoration-line')).toBe('underline');
  expect(await colourOf(root, '--brand-ink')).toBe(await colourOf(root, '--ink'));

  await page.evaluate(() => localStorage.setItem('weak', 'off'));
  await page.reload();
  await expect(root).toHaveAttribute('data-weak', 'off');
  expect(await colourOf(link, 'text-decoration-line')).toBe('none');
});

test('title, logo and registration numbers', async ({ page, settle, ownSite }) => {
  const logo = await uploadPicture(ownSite.admin, ownSite.url, { width: 64, height: 64 });
  await settle({ title: '砚边', logo, icp: '京ICP备00000001号', psb: '京公网安备00000000000001号' });
  await page.goto('/about.html');
  await expect(page).toHaveTitle(/· 砚边$/);
  await expect(header(page).locator('img')).toHaveAttribute('src', logo);
  const isLoaded = (image: HTMLImageElement) => image.naturalWidth > 0;
  await expect.poll(() => header(page).locator('img').evaluate(isLoaded)).toBe(true);
  const footer = page.getByRole('contentinfo');
  await expect(footer).toContainText('砚边');
  const icp = footer.getByRole('link', { name: '京ICP备00000001号' });
  await expect(icp).toHaveAttribute('href', 'https://beian.miit.gov.cn/');
  const psb = footer.getByRole('link', { name: '京公网安备00000000000001号' });
  await expect(psb).toBeVisible({ visible: (page.viewportSize()?.width ?? 0) >= 768 });

  await settle({});
  expect(await (await page.request.get(`${ownSite.url}/about.html`)).text()).not.toContain('beian');
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe finds nothing in any layout, ${colorScheme}`, {
    tag: '@long',
  }, async ({ page, settle, ownSite }) => {
    await page.emulateMedia({ colorScheme });
    await enterAs(page, ownSite.admin);
    for (const settings of [
      { navTheme: 'dark', layout: 'side' },
      { navTheme: 'dark', layout: 'mix', colorPrimary: '#1677ff' },
      { navTheme: 'dark', colorWeak: true },
      { layout: 'side', colorWeak: true },
    ] as const) {
      await settle(settings);
      await page.goto('/home');
      const menu = page.getByRole('button', { name: /账户菜单/ });
      await menu.click();
      await expectAccessible(page);
    }
  });
}
