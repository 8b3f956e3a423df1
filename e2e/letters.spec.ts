import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import { expect, test } from './support/test.ts';
import { dropSession, storeSession } from './support/users.ts';

const CENTRE = '/account/center.html';
const LETTERS = `${CENTRE}?tab=letter`;

const home = (id: string) => `/user/home/${id}.html`;
const dialog = (page: Page) => page.getByRole('dialog');
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const centreNavigation = (page: Page) => page.getByRole('navigation', { name: '个人中心' });
const thread = (page: Page) => page.getByRole('region', { name: '往来' });
const letters = (page: Page) => thread(page).getByRole('article');

test('sends a letter from a profile, receives the reply live, and deletes the thread for one user', async ({
  page,
  browser,
  baseURL,
  reader: _,
  newUser,
}) => {
  test.slow();
  const friend = await newUser({ displayName: '叶青禾' });
  await page.goto(home(friend.user.id));
  await button(page, '给叶青禾写私信').click();
  await button(page, '寄出').click();
  await expect(dialog(page).getByLabel('内容')).toHaveAccessibleDescription(/请写点什么/);
  await dialog(page).getByLabel('标题').fill('想请教归档的做法');
  await dialog(page).getByLabel('内容').fill('刚读完你的文章，**直接删**还是按天分区？');
  await expectAccessible(page);
  await button(page, '取消').click();
  await expect(dialog(page)).toBeHidden();
  await page.reload();
  await button(page, '给叶青禾写私信').click();
  await expect(dialog(page).getByLabel('标题'), 'what was typed is kept').toHaveValue('想请教归档的做法');
  await dialog(page).getByLabel('内容').press('Control+Enter');
  await expect(page.getByText('已寄出', { exact: true })).toBeVisible();
  await expect(dialog(page)).toBeHidden();

  const other = await (await browser.newContext({ baseURL })).newPage();
  await storeSession(other, friend);
  await other.goto(CENTRE);
  await expect(centreNavigation(other).getByRole('link', { name: /^私信/ })).toHaveAccessibleName(/1 条未读/);
  await other.goto(LETTERS);
  const row = other.getByRole('list', { name: '私信' }).getByRole('article');
  await expect(row).toContainText('想请教归档的做法');
  await expect(row).toContainText('1 封未读');
  await row.getByRole('link').click();
  await expect(thread(other).locator('strong')).toHaveText('直接删');
  await other.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(other);

  await page.goto(LETTERS);
  await page.getByRole('link', { name: '叶青禾', exact: true }).click();
  await expect(letters(page)).toContainText('对方已读');
  await other.getByLabel('回信').fill('按天分区，整块丢弃。');
  await button(other, '寄出').click();
  await expect(other.getByLabel('回信')).toHaveValue('');
  await expect(letters(page).nth(1), 'without asking again').toContainText('整块丢弃');
  await expect(letters(other).nth(1)).toContainText('对方已读');

  await thread(other).getByRole('button', { name: '更多', exact: true }).click();
  await expect(button(other, '屏蔽')).toBeVisible();
  await expect(button(other, '举报')).toBeVisible();
  await button(other, '删除往来').click();
  await other.getByRole('alertdialog').getByRole('button', { name: '删除' }).click();
  await expect(other.getByText('还没有私信')).toBeVisible();
  await page.getByLabel('回信').fill('明白了，谢谢！');
  await button(page, '寄出').click();
  await row.getByRole('link').click();
  await expect(letters(other), 'with the new letter alone').toHaveCount(1);
  await expect(letters(page)).toHaveCount(3);
  await other.context().close();
});

test('limits letters to strangers, rejects blocked users, and redirects visitors to sign in', {
  tag: '@long',
}, async ({ page, reader, newUser }) => {
  const friend = await newUser({ displayName: '沈舟' });
  const toUserId = friend.user.id;
  for (const content of ['第一封', '第二封', '第三封'])
    await reader.call('POST core/essay/pri/msg', { toUserId, content, subject: `关于${content}` });
  await page.goto(home(toUserId));
  await button(page, '给沈舟写私信').click();
  await dialog(page).getByLabel('内容').fill('第四封');
  await button(page, '寄出').click();
  await expect(dialog(page).getByRole('alert')).toContainText('没有寄出：对方还没有回复');
  await expect(dialog(page).getByLabel('内容')).toHaveValue('第四封');

  await page.goto(`${LETTERS}&q=第二`);
  await expect(page.getByRole('list', { name: '私信' }).getByRole('article')).toHaveCount(1);
  await page.getByRole('link', { name: '沈舟', exact: true }).click();
  await expect(thread(page)).toContainText('最多发 3 条');
  await expect(page.getByLabel('回信')).toBeHidden();
  await friend.call('POST core/user/block', { userId: reader.user.id });
  await page.reload();
  await expect(thread(page)).toContainText('对方不接受你的互动');

  await reader.call('POST core/user/block', { userId: toUserId });
  await page.goto(home(toUserId));
  await expect(button(page, '解除屏蔽').first()).toBeVisible();
  await expect(page.getByRole('link', { name: '私聊' })).toBeHidden();

  await dropSession(page);
  await page.goto(home(toUserId));
  await page.getByRole('link', { name: '私信', exact: true }).click();
  await expect(page).toHaveURL(/\/login\.html\?redirect=/);
});
