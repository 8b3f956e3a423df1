import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import { newWriter, publishEssay } from './support/essays.ts';
import { button, expect, panel, row, test, unique } from './support/office.ts';
import { storeSession } from './support/users.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

const entries = (page: Page) => page.locator('main article');

test('an author pins essays, which come first on the home page of the author', async ({
  page,
  url,
  browserErrors,
}) => {
  browserErrors.allow(/status of 4/);
  const writer = await newWriter(url, { displayName: '爱置顶的人' });
  const titles = [1, 2, 3, 4].map((at) => `第 ${at} 篇 ${unique()}`);
  for (const title of titles) await publishEssay(url, { writer, title });
  const [first = '', second = '', third = '', last = ''] = titles;
  await storeSession(page, writer);
  await page.goto('/account/center.html?tab=essay');
  const pinFromMenu = async (title: string, name: string) => {
    await button(page, `《${title}》的更多操作`).click();
    await page.getByRole('button', { name, exact: true }).filter({ visible: true }).click();
  };
  const entry = (title: string) => entries(page).filter({ hasText: title });
  for (const title of [first, second, third]) {
    await pinFromMenu(title, '置顶');
    // The word 置顶 is in the closed menu before.
    const unpin = entry(title).getByRole('button', { name: '取消置顶', includeHidden: true });
    await expect(unpin).toHaveCount(1);
    await expect(entry(title)).toContainText('置顶');
  }
  await pinFromMenu(last, '置顶');
  await expect(page.getByText('主页最多置顶 3 篇文章，请先取消一篇')).toBeVisible();
  await pinFromMenu(third, '取消置顶');
  await expect(page.getByText('已取消置顶')).toBeVisible();
  await expectAccessible(page);

  await page.goto(`/user/home/${writer.user.id}.html`);
  await expect(entries(page)).toHaveCount(4);
  await expect(entries(page).nth(0)).toContainText(second);
  await expect(entries(page).nth(0)).toContainText('置顶');
  await expect(entries(page).nth(1)).toContainText(first);
  await expect(entries(page).nth(2)).toContainText(last);
  await expect(entries(page).nth(2)).not.toContainText('置顶');
  await expectAccessible(page);
});

test('staff pin essays on the home page of the site, in an order', async ({ page, open, url }) => {
  const writer = await newWriter(url, { displayName: '上首页的人' });
  const [first, second] = [`首页一 ${unique()}`, `首页二 ${unique()}`];
  for (const title of [first, second]) await publishEssay(url, { writer, title });
  await publishEssay(url, { writer, title: `后来的 ${unique()}` });
  await open('/essay');
  for (const title of [first, second]) {
    await button(page, `更多操作：${title}`).click();
    await page.getByRole('menuitem', { name: '首页置顶', exact: true }).click();
    await button(panel(page), '置顶').click();
    await expect(row(page, title)).toContainText('第 1 位');
  }
  await expect(row(page, first)).toContainText('第 2 位');
  await expectAccessible(page);
  await page.goto('/home?feed=latest');
  await expect(entries(page).nth(0)).toContainText(second);
  await expect(entries(page).nth(0)).toContainText('置顶');
  await expect(entries(page).nth(1)).toContainText(first);
  await page.goto('/home');
  await expect(entries(page).nth(0)).toContainText(second);
  await expect(entries(page).filter({ hasText: second })).toHaveCount(1);

  await open('/essay?pinned=1');
  await button(page, `更多操作：${second}`).click();
  await page.getByRole('menuitem', { name: '取消首页置顶' }).click();
  await expect(row(page, second)).toHaveCount(0);
  await page.goto('/home?feed=latest');
  await expect(entries(page).nth(0)).toContainText(first);
});
