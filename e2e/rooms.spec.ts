import type { Browser, Locator, Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import { publishEssay } from './support/essays.ts';
import { expect, test } from './support/test.ts';
import { dropSession, storeSession, type TestUser } from './support/users.ts';

const detail = (id: string, hash = '') => `/essay/detail/${id}.html${hash}`;
const room = (page: Page) => page.getByRole('region', { name: '文章群聊' });
const log = (page: Page) => room(page).getByRole('log', { name: '群聊消息' });
const messageBox = (page: Page) => room(page).getByRole('textbox', { name: '群聊消息' });
const message = (page: Page, text: string) => log(page).locator('[data-seq]').filter({ hasText: text });
/** The visible button: in the side rail or in the bottom bar. */
const openRoomButton = (page: Page) =>
  page.getByRole('link', { name: '群聊', exact: true }).filter({ visible: true });

async function choose(item: Locator, name: string): Promise<void> {
  await item.hover();
  await item.getByRole('button', { name: '更多' }).click();
  await item.getByRole('button', { name, exact: true }).click();
}

async function openAs(browser: Browser, baseURL: string | undefined, person: TestUser): Promise<Page> {
  const page = await (await browser.newContext({ baseURL })).newPage();
  await storeSession(page, person);
  return page;
}

async function sendMessage(page: Page, text: string): Promise<void> {
  await messageBox(page).fill(text);
  await room(page).getByRole('button', { name: '发送', exact: true }).click();
  await expect(message(page, text)).toBeVisible();
}

test('readers and the author chat in the room; the author removes a message and mutes a user', async ({
  page,
  browser,
  baseURL,
  reader,
}) => {
  test.slow();
  const { id, writer } = await publishEssay(baseURL);
  await page.goto(detail(id));
  await openRoomButton(page).click();
  await expect(log(page)).toContainText('还没有人说话');
  await expect(page).toHaveURL(/#chat$/);
  await sendMessage(page, '图 1 的虚线我盯了很久');

  const author = await openAs(browser, baseURL, writer);
  await author.goto(detail(id, '#chat'));
  await expect(message(author, '图 1 的虚线')).toBeVisible();
  await expect(room(author)).toContainText('2 人在线');
  await choose(message(author, '图 1 的虚线'), '回复');
  await sendMessage(author, '谁家没有呢');
  await expect(message(page, '谁家没有呢')).toContainText('图 1 的虚线');
  await expect(log(page)).toContainText('作者');
  await expectAccessible(page);
  await sendMessage(page, '这句不该说');
  await choose(message(author, '这句不该说'), '移除');
  for (const each of [author, page]) await expect(log(each)).toContainText('一条消息已移除');
  await expect(log(page)).not.toContainText('不该说');

  await choose(message(author, '图 1 的虚线').first(), '禁言');
  await author.getByRole('radio', { name: '10 分钟' }).check({ force: true });
  await author.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(author);
  await author.getByRole('dialog').getByRole('button', { name: '禁言' }).click();
  await expect(author.getByText(`已将${reader.user.displayName}禁言`)).toBeVisible();
  // Without a reload, and with the time left.
  await expect(room(page)).toContainText(/你在这个群聊里被禁言了.*还剩 (10 分钟|9 分)/);
  await expect(messageBox(page)).toBeHidden();
  await room(author).getByRole('button', { name: '管理群聊' }).click();
  await room(author).getByRole('button', { name: '禁言名单' }).click();
  await author.getByRole('button', { name: `解除${reader.user.displayName}的禁言` }).click();
  await expect(author.getByRole('dialog')).toContainText('没有人在禁言中');
  await sendMessage(page, '谢谢，我注意');

  await messageBox(page).press('Escape');
  await expect(room(page)).toBeHidden();
  await expect(openRoomButton(page)).toBeFocused();
  await expect(page).not.toHaveURL(/#/);
  await author.context().close();
});

test('denies access without full reading rights, when blocked or signed out; staff remove a reported message', {
  tag: '@long',
}, async ({ page, browser, baseURL, reader, newUser }) => {
  test.slow();
  const { id: paid, writer } = await publishEssay(baseURL, { price: 300, previewPercent: 30 });
  await page.goto(detail(paid));
  await openRoomButton(page).click();
  await expect(room(page)).toContainText('能读全文的人才能参与');
  await expectAccessible(page);
  await room(page).getByRole('button', { name: '如何阅读全文' }).click();
  await expect(room(page)).toBeHidden();
  await expect(page.getByRole('heading', { name: '这是一篇付费文章' })).toBeInViewport();

  const { id, title, admin } = await publishEssay(baseURL, { writer });
  const rude = await newUser({ displayName: '爱骂人' });
  await rude.call('POST core/essay/group/chat', {
    essayId: id,
    content: '写的什么玩意',
    clientId: 'rude-0001',
  });
  await page.goto(detail(id, '#chat'));
  await choose(message(page, '什么玩意'), '举报');
  const report = page.getByRole('dialog', { name: '举报这条消息' });
  await report.getByRole('radio').first().check({ force: true });
  await report.getByRole('button', { name: '提交' }).click();
  await expect(page.getByText('已收到')).toBeVisible();

  const desk = await openAs(browser, baseURL, admin);
  await desk.goto('/admin/report?kind=chat');
  const row = desk.getByRole('row').filter({ hasText: title });
  await expect(row).toContainText('爱骂人');
  await row.getByRole('button', { name: '移除消息：写的什么玩意' }).click();
  await desk
    .getByRole('button', { name: '移 除' })
    .or(desk.getByRole('button', { name: '移除', exact: true }))
    .click();
  await expect(row).toContainText('已移除');
  await expect(log(page)).toContainText('一条消息已移除');
  await desk.context().close();

  await writer.call('POST core/user/block', { userId: reader.user.id });
  await expect(room(page), 'put out at once').toContainText('对方不接受你的互动');

  await dropSession(page);
  await page.goto('/home');
  await page.goto(detail(id, '#chat'));
  await expect(room(page).getByRole('link', { name: '登录后参与' })).toHaveAttribute('href', /%23chat$/);
});
