import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import { expect, test } from './support/own-site.ts';
import { uploadPicture } from './support/pictures.ts';
import { storeSession } from './support/users.ts';

// Serial, because the tests share the site's settings.
test.describe.configure({ mode: 'default' });

const header = (page: Page) => page.getByRole('banner');
const mainNavigation = (page: Page) => page.getByRole('navigation', { name: '主导航' });
const isPhone = (page: Page) => (page.viewportSize()?.width ?? 0) < 1024;

async function boxOf(part: Locator) {
  const box = await part.boundingBox();
  if (box === null) throw new Error(`not seen: ${part}`);
  return box;
}

/** Makes the page scrollable independent of its content. */
async function scrollDown(page: Page): Promise<void> {
  await page.setViewportSize({ width: page.viewportSize()?.width ?? 0, height: 450 });
  await page.evaluate(() => scrollTo({ top: 150, behavior: 'instant' }));
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(150);
}

const colourOf = (part: Locator, name: string) =>
  part.evaluate((element, property) => getComputedStyle(element).getPropertyValue(property), name);

test('layout side: navigation and account in a left column on large screens', async ({
  page,
  applySettings,
  ownSite,
}) => {
  await applySettings({ layout: 'side' });
  await storeSession(page, ownSite.admin);
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
    ['首页', '编程'].map((name) => boxOf(mainNavigation(page).getByRole('link', { name }))),
  );
  expect(program?.y).toBeGreaterThan(home?.y ?? 0);
  await menu.click();
  // Opens upwards and stays inside the window.
  const item = await boxOf(page.getByRole('link', { name: '我的主页' }));
  expect(item.y).toBeLessThan((await boxOf(menu)).y);
  expect(item.y).toBeGreaterThan(0);
});

test('layout mix: header on top, navigation in a column below it', async ({ page, applySettings }) => {
  await applySettings({ layout: 'mix' });
  await page.goto('/home');
  await expect(mainNavigation(page)).toHaveCount(1);
  const bar = await boxOf(header(page));
  const list = await boxOf(mainNavigation(page));
  expect(bar.width).toBe(page.viewportSize()?.width);
  if (isPhone(page)) {
    expect(list.y).toBeLessThan(bar.height);
    return;
  }
  expect(list.y).toBeGreaterThanOrEqual(bar.height);
  expect((await boxOf(page.getByRole('main'))).x).toBeGreaterThanOrEqual(list.x + list.width);
  await mainNavigation(page).getByRole('link', { name: '应用' }).click();
  await expect(page).toHaveURL(/\/essay\/app\.html$/);
});

test('fixedHeader: the header stays visible or scrolls away', { tag: '@long' }, async ({
  page,
  applySettings,
}) => {
  await applySettings({});
  await page.goto('/about.html');
  await scrollDown(page);
  expect((await boxOf(header(page))).y).toBe(0);
  await applySettings({ fixedHeader: false });
  await page.goto('/about.html');
  await scrollDown(page);
  expect((await boxOf(header(page))).y).toBe(-150);
});

test('fixSiderbar: the sidebar stays visible or scrolls away', { tag: '@long' }, async ({
  page,
  applySettings,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  for (const layout of ['side', 'mix'] as const) {
    await applySettings({ layout });
    await page.goto('/about.html');
    const home = mainNavigation(page).getByRole('link', { name: '首页' });
    const { y } = await boxOf(home);
    await scrollDown(page);
    expect((await boxOf(home)).y, layout).toBe(y);
    await applySettings({ layout, fixSiderbar: false });
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto('/about.html');
    await scrollDown(page);
    expect((await boxOf(home)).y, layout).toBe(y - 150);
  }
});

test('contentWidth: a fixed column or the full width', { tag: '@long' }, async ({ page, applySettings }) => {
  await page.setViewportSize({ width: 1800, height: 900 });
  const width = async () => (await boxOf(page.getByRole('main'))).width;
  await applySettings({});
  await page.goto('/home');
  expect(await width()).toBeLessThan(1300);
  await applySettings({ contentWidth: 'Fluid' });
  await page.goto('/home');
  expect(await width()).toBe(1800);
});

test('navTheme: a dark header over a light page', { tag: '@long' }, async ({ page, applySettings }) => {
  await applySettings({ navTheme: 'dark' });
  await page.goto('/home');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
  expect(await colourOf(header(page), 'background-color')).toBe('rgb(23, 21, 19)');
  expect(await colourOf(page.locator('body'), 'background-color')).toBe('rgb(252, 251, 249)');
  for (const meta of await page.locator('meta[name="theme-color"]').all())
    await expect(meta).toHaveAttribute('content', '#171513');
});

test('colorPrimary: derives tones, also for a header with its own theme', async ({ page, applySettings }) => {
  const brands = async () => [
    await colourOf(page.locator('html'), '--brand-fill'),
    await colourOf(header(page), '--brand-fill'),
  ];
  await applySettings({ navTheme: 'dark' });
  await page.goto('/home');
  const usual = await brands();
  await applySettings({ navTheme: 'dark', colorPrimary: '#1677ff' });
  await page.goto('/home');
  await expect(page.locator('link[rel="stylesheet"]').last()).toHaveAttribute('href', '/brand.css?c=1677ff');
  const other = await brands();
  expect(other[0]).not.toBe(other[1]);
  for (const tone of other) expect(usual).not.toContain(tone);
});

test('colorWeak: stronger contrast and underlined links unless the reader chose otherwise', {
  tag: '@long',
}, async ({ page, applySettings }) => {
  await applySettings({ colorWeak: true });
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

test('title, logo and registration numbers', async ({ page, applySettings, ownSite }) => {
  const logo = await uploadPicture(ownSite.admin, ownSite.url, { width: 64, height: 64 });
  await applySettings({ title: '砚边', logo, icp: '京ICP备00000001号', psb: '京公网安备00000000000001号' });
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

  await applySettings({});
  expect(await (await page.request.get(`${ownSite.url}/about.html`)).text()).not.toContain('beian');
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`no accessibility violations in any layout, ${colorScheme}`, {
    tag: '@long',
  }, async ({ page, applySettings, ownSite }) => {
    await page.emulateMedia({ colorScheme });
    await storeSession(page, ownSite.admin);
    for (const settings of [
      { navTheme: 'dark', layout: 'side' },
      { navTheme: 'dark', layout: 'mix', colorPrimary: '#1677ff' },
      { navTheme: 'dark', colorWeak: true },
      { layout: 'side', colorWeak: true },
    ] as const) {
      await applySettings(settings);
      await page.goto('/home');
      const menu = page.getByRole('button', { name: /账户菜单/ });
      await expect(menu).toBeVisible();
      await expectAccessible(page);
      await menu.click();
      // The open menu covers parts of the page.
      await expectAccessible(page, 'header');
    }
  });
}
