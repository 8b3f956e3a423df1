import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import { newWriter } from './support/essays.ts';
import { goBack } from './support/history.ts';
import { layoutShift } from './support/layout-shift.ts';
import { expect, test } from './support/test.ts';
import { storeSession } from './support/users.ts';

const CENTRE = '/account/center.html';

const hub = (page: Page) => page.getByRole('navigation', { name: '个人中心' });
const back = (page: Page) => page.getByRole('main').getByRole('link', { name: '个人中心' });
const panel = (page: Page, name: string) => page.getByRole('heading', { level: 2, name });
const scrollTop = (page: Page) => page.evaluate(() => Math.round(scrollY));

test('on a wide screen the navigation hides no entry in a scroll area', async ({ page, reader }) => {
  expect(reader.user.id).not.toBe('');
  for (const height of [700, 900, 1100]) {
    await page.setViewportSize({ width: 1440, height });
    await page.goto(`${CENTRE}?tab=farmer`);
    const last = page.getByRole('link', { name: '码农名片' });
    await expect(last).toHaveAttribute('aria-current', 'page');
    const hidden = await last.evaluate((link) => {
      const nav = link.closest('nav');
      return nav === null ? Number.NaN : nav.scrollHeight - nav.clientHeight;
    });
    expect(hidden, `at a height of ${height}`).toBeLessThanOrEqual(0);
  }
});

test('on a phone the account centre is a hub whose entries open screens of their own', {
  tag: '@long',
}, async ({ page, reader }) => {
  await page.setViewportSize({ width: 375, height: 640 });
  await page.goto(CENTRE);
  await expect(page.getByRole('heading', { level: 1 })).toContainText(reader.user.displayName);
  await expect(hub(page).getByRole('link').first()).toHaveAccessibleName(/^通知\s*1\s*条未读$/);
  await expect(hub(page).getByRole('link', { name: '数据' }), 'for writers').toHaveCount(0);
  await page.waitForLoadState('networkidle');
  expect(await layoutShift(page)).toBeLessThanOrEqual(0.02);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  await expectAccessible(page);

  await page.evaluate(() => scrollTo({ top: 200, behavior: 'instant' }));
  const [top, length] = [await scrollTop(page), await page.evaluate(() => history.length)];
  expect(top).toBeGreaterThan(0);
  // Not a click of Playwright, which may scroll first.
  await hub(page)
    .getByRole('link', { name: '邀请' })
    .evaluate((link: HTMLElement) => link.click());
  await expect(page).toHaveURL(/tab=invite$/);
  await expect(panel(page, '邀请朋友来墨栈')).toBeVisible();
  await expect(hub(page)).toHaveCount(0);
  await expect.poll(() => scrollTop(page)).toBe(0);
  await back(page).click();
  await expect(hub(page)).toBeVisible();
  await expect.poll(() => scrollTop(page)).toBe(top);
  await hub(page).getByRole('link', { name: '足迹' }).click();
  await expect(panel(page, '足迹')).toBeVisible();
  expect(await page.evaluate(() => history.length), 'the way back adds no entry').toBe(length + 1);
  await goBack(page);
  await expect(hub(page)).toBeVisible();

  // A link from elsewhere has no hub behind it.
  await page.goto('/home');
  await page.goto(`${CENTRE}?tab=notice`);
  await expect(page.getByText('欢迎来到墨栈')).toBeVisible();
  await page.waitForLoadState('networkidle');
  expect(await layoutShift(page)).toBeLessThanOrEqual(0.02);
  await back(page).click();
  await expect(page).toHaveURL(/center\.html$/);
  await expect(hub(page)).toBeVisible();

  await page.setViewportSize({ width: 1440, height: 900 });
  await expect(panel(page, '足迹'), 'a reader has written nothing').toBeVisible();
  await expect(hub(page).getByRole('link', { name: '足迹' })).toHaveAttribute('aria-current', 'page');
  await expect(back(page)).toHaveCount(0);
});

test('a writer lands on the reading history until there is a draft', { tag: '@large' }, async ({
  page,
  baseURL,
}) => {
  const writer = await newWriter(baseURL);
  await storeSession(page, writer);
  await page.goto(CENTRE);
  await expect(panel(page, '足迹')).toBeVisible();
  await writer.call('POST core/essay/', { title: '一篇草稿', content: '刚开头' });
  await page.goto(CENTRE);
  await expect(page.getByRole('link', { name: '编辑《一篇草稿》' })).toBeVisible();
  await page.getByRole('navigation', { name: '按状态看' }).getByRole('link', { name: '草稿' }).click();
  await expect(hub(page).getByRole('link', { name: '文章', exact: true })).toHaveAttribute(
    'aria-current',
    'page',
  );
});
