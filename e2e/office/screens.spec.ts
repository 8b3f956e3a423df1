import { gzipSync } from 'node:zlib';
import { pathOf, screenNames } from '@mozhan/admin/screens.ts';
import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/accessibility.ts';
import { button, checkScreens, expect, heading, isPhone, LARGE_ONLY, test } from '../support/office.ts';
import { newStaff } from '../support/staff.ts';
import { storeSession } from '../support/users.ts';

/** Checks for every screen of the back office, including new ones. */
test.describe.configure({ mode: 'default' });
// Without animations, so that colours are final.
test.use({ contextOptions: { reducedMotion: 'reduce' } });

const PATHS = screenNames.map(pathOf);
const SCREENS = [...PATHS, '/finance?tab=reconciliation', '/member?tab=plan'];
const SCREENS_PER_TEST = 3;
const groups = Array.from({ length: Math.ceil(SCREENS.length / SCREENS_PER_TEST) }, (_, i) =>
  SCREENS.slice(i * SCREENS_PER_TEST, (i + 1) * SCREENS_PER_TEST),
);

/** Navigates without loading the document again, like the Back button. */
const openWithin = (page: Page, path: string) =>
  page.evaluate((path) => {
    history.pushState(null, '', path);
    dispatchEvent(new PopStateEvent('popstate'));
  }, path);

for (const paths of groups)
  test(`${paths.join(' ')} are accessible and fit the window`, { tag: '@long' }, async ({
    page,
    ownSite: { admin },
  }) => {
    test.slow();
    await storeSession(page, admin);
    await checkScreens(page, paths);
  });

test('denies every screen, and links to none, without permissions', async ({
  page,
  ownSite: { admin, url },
}) => {
  test.slow();
  const code = `bare-${Date.now().toString(36)}`;
  await admin.call('POST core/sys/role/', { name: '什么都没有', code });
  await storeSession(page, await newStaff(admin, url, code));
  await page.goto('/admin/');
  await expect(heading(page, /./)).toBeVisible();
  for (const path of PATHS.filter((each) => each !== '/')) {
    await openWithin(page, `/admin${path}`);
    await expect(heading(page, '没有打开这个页面的权限'), path).toBeVisible();
    await openWithin(page, '/admin/');
    await expect(heading(page, '没有打开这个页面的权限')).toBeHidden();
  }
  await page.goto('/admin/account');
  await expect(heading(page, '没有打开这个页面的权限'), 'also when it is the first page').toBeVisible();
  await page.goto('/admin/');
  const menu = page.getByRole('navigation', { name: '后台菜单' });
  if (isPhone(page)) await page.getByRole('button', { name: '打开菜单' }).click();
  await expect(menu.getByRole('link')).toHaveText(['工作台']);
});

test(
  'the side menu shows the current screen in its group, also when it is narrow',
  LARGE_ONLY,
  async ({ page, open }) => {
    await open('/webhook');
    const menu = page.getByRole('navigation', { name: '后台菜单' });
    const current = menu.getByRole('link', { name: '外部通知' });
    await expect(current).toHaveAttribute('aria-current', 'page');
    await expect(current).toBeInViewport();
    await menu.getByText('系统', { exact: true }).click();
    await expect(current).toBeHidden();
    await menu.getByRole('link', { name: '工作台' }).click();
    await expect(heading(page, /./)).not.toHaveText('外部通知');
    await openWithin(page, '/admin/webhook');
    await expect(current).toBeVisible();

    await button(page, '收起菜单').click();
    await expect(menu.getByRole('link', { name: '工作台' })).toHaveText('');
    await button(menu, '系统').click();
    await page.getByRole('menuitem', { name: '邮件' }).click();
    await expect(heading(page, '邮件')).toBeVisible();
    await expectAccessible(page);
  },
);

test(
  'on a tablet, a group of the narrow menu opens by a tap',
  LARGE_ONLY,
  async ({ browser, baseURL, admin }) => {
    const tablet = await browser.newContext({
      baseURL: baseURL ?? '',
      viewport: { width: 800, height: 560 },
      hasTouch: true,
      reducedMotion: 'reduce',
    });
    const page = await tablet.newPage();
    await storeSession(page, admin);
    await page.goto('/admin/');
    await button(page.getByRole('navigation', { name: '后台菜单' }), '系统').tap();
    await page.getByRole('menuitem', { name: '邮件' }).tap();
    await expect(heading(page, '邮件')).toBeVisible();
    await tablet.close();
  },
);

test('the first load stays within the size budget', async ({ page, ownSite: { admin } }) => {
  let bytes = 0;
  const measured: Promise<void>[] = [];
  page.on('response', (response) => {
    if (!['script', 'stylesheet'].includes(response.request().resourceType())) return;
    measured.push(
      response.body().then((body) => {
        bytes += gzipSync(body, { level: 9 }).length;
      }),
    );
  });
  await storeSession(page, admin);
  bytes = 0;
  await page.goto('/admin/', { waitUntil: 'networkidle' });
  await Promise.all(measured);
  expect(bytes).toBeGreaterThan(0);
  expect(bytes / 1024).toBeLessThanOrEqual(600);
});
