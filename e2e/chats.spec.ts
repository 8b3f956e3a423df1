import type { Browser, Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import { publishEssay } from './support/essays.ts';
import { pictureFile } from './support/pictures.ts';
import { expect, test } from './support/test.ts';
import { storeSession, type TestUser } from './support/users.ts';

const center = (search = '') => `/account/center.html?tab=chat${search}`;
const log = (page: Page) => page.getByRole('log');
const composer = (page: Page) => page.getByRole('textbox', { name: /^给/ });
const messageTexts = (page: Page) => log(page).locator('[data-seq]').allInnerTexts();
const message = (page: Page, text: string) => log(page).locator('[data-seq]').filter({ hasText: text });

async function sendMessage(page: Page, text: string): Promise<void> {
  await composer(page).fill(text);
  await page.getByRole('button', { name: '发送', exact: true }).click();
  await expect(composer(page)).toHaveValue('');
}

async function choose(page: Page, text: string, act: string): Promise<void> {
  await message(page, text).hover();
  await message(page, text).getByRole('button', { name: '更多' }).click();
  await message(page, text).getByRole('button', { name: act }).click();
}

async function openAs(browser: Browser, person: TestUser, baseURL = ''): Promise<Page> {
  const context = await browser.newContext({ baseURL });
  const page = await context.newPage();
  await storeSession(page, person);
  return page;
}

test('two users chat across a lost connection and end with the same messages', { tag: '@long' }, async ({
  page,
  context,
  browser,
  baseURL,
  isMobile,
  reader,
  newUser,
  browserErrors,
}) => {
  test.slow();
  browserErrors.allow(/ERR_INTERNET_DISCONNECTED|ERR_FAILED/);
  const friend = await newUser({ displayName: '叶青禾' });
  const other = await openAs(browser, friend, baseURL);
  await other.goto(center());
  await expect(other.getByText('还没有私聊')).toBeVisible();

  await page.goto(center(`&user=${friend.user.id}`));
  await expect(page.getByRole('heading', { name: '叶青禾' })).toBeVisible();
  await composer(page).fill('刚读完你的文章');
  await composer(page).dispatchEvent('keydown', { key: 'Enter', isComposing: true });
  await expect(composer(page)).toHaveValue('刚读完你的文章');
  await composer(page).press('Shift+Enter');
  await page.keyboard.type('有个**地方**想请教');
  if (isMobile) await page.getByRole('button', { name: '发送', exact: true }).click();
  else await composer(page).press('Enter');
  await expect(message(page, '刚读完').locator('strong')).toHaveText('地方');

  const row = other.getByRole('list', { name: '私聊' }).getByRole('link', { name: /1 条未读/ });
  await expect(row).toContainText('有个地方想请教');
  await expect(other).toHaveTitle(/^\(\d+\) /);
  await row.click();
  await expect(message(other, '刚读完')).toBeVisible();
  await expect(log(page)).toContainText('已读');
  await sendMessage(other, '请讲');
  await expect(message(page, '请讲')).toBeVisible();
  await expectAccessible(page);

  await context.setOffline(true);
  await sendMessage(page, '离线的第一句');
  await sendMessage(page, '离线的第二句');
  await expect(log(page).getByText('待发送')).toHaveCount(2);
  await expect(page.getByText('没有网络，消息会在恢复连接后发出')).toBeVisible();
  await sendMessage(other, '你那边断了吗');
  await context.setOffline(false);
  await expect(message(page, '你那边断了吗')).toBeVisible();
  await expect(message(other, '离线的第二句')).toBeVisible();
  await expect(log(page).getByText('待发送')).toHaveCount(0);

  // Unsent messages survive a reload.
  await page.route('**/api/core/essay/pri/chat?*', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  );
  await sendMessage(page, '写完就刷新');
  await expect(log(page).getByText('待发送')).toBeVisible();
  await page.reload();
  await expect(log(page).getByText('写完就刷新')).toBeVisible();
  await page.unroute('**/api/core/essay/pri/chat?*');
  await expect(message(other, '写完就刷新')).toBeVisible();
  await expect(message(page, '写完就刷新')).toHaveCount(1);
  await expect.poll(() => messageTexts(page)).toEqual(await messageTexts(other));
  const stored = await reader.call('GET core/essay/pri/chat', { userId: friend.user.id });
  expect('lastSeq' in stored && stored.list.map(({ content }) => content)).toHaveLength(6);

  await choose(page, '写完就刷新', '撤回');
  await expect(log(page)).toContainText('你撤回了一条消息');
  await expect(log(other)).toContainText('对方撤回了一条消息');
  if (isMobile) {
    await page.getByRole('link', { name: '返回会话列表' }).click();
    await expect(page.getByRole('list', { name: '私聊' })).toContainText('消息已撤回');
  }
  await other.context().close();
});

test('limits messages to strangers; sends images and essay cards; searches messages; blocks a user', async ({
  page,
  reader,
  newUser,
  baseURL,
}) => {
  test.slow();
  const { id, title } = await publishEssay(baseURL);
  const friend = await newUser({ displayName: '沈舟' });
  await page.goto(center(`&user=${friend.user.id}`));
  await sendMessage(page, '第一句');
  await sendMessage(page, '第二句，说的是分区');
  await page.getByRole('button', { name: '发送文章卡片' }).click();
  await page.getByRole('dialog').getByRole('searchbox').fill(title);
  await page.getByRole('dialog').getByRole('button', { name: title }).click();
  await expect(log(page).getByRole('link', { name: title })).toHaveAttribute(
    'href',
    `/essay/detail/${id}.html`,
  );
  await expect(page.getByText(/对方还没有回复/)).toBeVisible();

  const answer = (content: string) =>
    friend.call('POST core/essay/pri/chat', {
      toUserId: reader.user.id,
      content,
      clientId: `answer-${content.length}-00`,
    });
  await answer('收到');
  await expect(message(page, '收到')).toBeVisible();
  await page.getByRole('button', { name: '表情' }).click();
  await page.getByRole('button', { name: '笑哭' }).click();
  await page.getByRole('button', { name: '发送', exact: true }).click();
  await page.setInputFiles('input[type="file"]', await pictureFile('图.png'));
  await expect(log(page).getByAltText(/^图片/)).toBeVisible();

  await page.goto(center());
  await page.getByRole('searchbox', { name: '搜索会话和消息' }).fill('分区');
  const found = page.getByRole('list', { name: '找到的消息' }).getByRole('link');
  await expect(found).toHaveCount(1);
  await expectAccessible(page);
  await found.click();
  await expect(page).toHaveURL(/seq=2/);
  await expect(message(page, '说的是分区')).toBeInViewport();

  const pane = page.getByRole('region', { name: '与沈舟的私聊' });
  await pane.getByRole('button', { name: '更多' }).first().click();
  await pane.getByRole('button', { name: '屏蔽' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: '屏蔽' }).click();
  await expect(pane.getByText(/你屏蔽了对方/)).toBeVisible();
  await expect(composer(page)).toHaveCount(0);
});

test('a reader follows a room, replies and leaves', { tag: '@long' }, async ({
  page,
  reader,
  newUser,
  baseURL,
}) => {
  const { id, title, writer } = await publishEssay(baseURL);
  const friend = await newUser({ displayName: '何一苇' });
  const speak = (person: TestUser, content: string) =>
    person.call('POST core/essay/group/chat', {
      essayId: id,
      content,
      clientId: `said-by-${person.account}`,
    });
  await speak(writer, '有问题都可以问');
  await reader.call('PUT core/essay/group/chat', { essayId: id, seq: 0 });
  await page.goto(center('&kind=room'));
  await page.getByRole('list', { name: '群聊' }).getByRole('link', { name: title }).click();
  await expect(message(page, '有问题都可以问')).toBeVisible();
  await expect(log(page)).toContainText('作者');
  await expect(page.getByText('群聊，1 人在线')).toBeVisible();
  await speak(friend, '归档会单独写一篇吗');
  await expect(message(page, '归档会单独写一篇吗')).toBeVisible();
  await choose(page, '归档会单独写一篇吗', '回复');
  await sendMessage(page, '我也想看');
  await expect(message(page, '我也想看')).toContainText('何一苇：归档会单独写一篇吗');
  await expectAccessible(page);

  const pane = page.getByRole('region', { name: `群聊：${title}` });
  await pane.getByRole('button', { name: '更多' }).first().click();
  await pane.getByRole('button', { name: '退出群聊' }).click();
  await expect(page.getByText('还没有参与群聊')).toBeVisible();
});
