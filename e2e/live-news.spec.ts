import type { Browser, Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import { newWriter, publishEssay } from './support/essays.ts';
import { expect, test } from './support/test.ts';
import { storeSession, type TestUser } from './support/users.ts';

const unique = () => Math.random().toString(36).slice(2, 10);

async function openAs(browser: Browser, person: TestUser, baseURL = ''): Promise<Page> {
  const page = await (await browser.newContext({ baseURL })).newPage();
  await storeSession(page, person);
  return page;
}

test('a list of rooms learns of new messages at once: line, unread number and order', async ({
  page,
  baseURL,
  reader,
  newUser,
}) => {
  const friend = await newUser({ displayName: '叶青禾' });
  const writer = await newWriter(baseURL);
  const titles = [`先说话的 ${unique()}`, `后说话的 ${unique()}`];
  const ids: string[] = [];
  for (const title of titles) ids.push((await publishEssay(baseURL, { writer, title })).id);
  const say = (person: TestUser, essayId: string, content: string) =>
    person.call('POST core/essay/group/chat', { essayId, content, clientId: `client-${unique()}` });
  for (const [at, id] of ids.entries()) await say(reader, id, `我的第 ${at + 1} 句`);

  await page.goto('/account/center.html?tab=chat&kind=room');
  const rows = page.getByRole('list', { name: '群聊' }).getByRole('link');
  await expect(rows.first()).toContainText(titles[1] ?? '');
  const rooms = page.getByRole('tab', { name: /群聊/ });
  await expect(rooms).toHaveAccessibleName('群聊');

  // The list may still be subscribing, so the first message is one of several.
  await expect(async () => {
    await say(friend, ids[0] ?? '', '有人在吗');
    await expect(rows.first()).toContainText('叶青禾：有人在吗', { timeout: 1500 });
  }).toPass();
  await expect(rows.first()).toContainText(titles[0] ?? '');
  await expect(rows.first()).toContainText('条未读');
  await expect(rooms).toHaveAccessibleName(/群聊 \d/);
  await say(friend, ids[1] ?? '', '这边也有');
  await expect(rows.first()).toContainText(titles[1] ?? '');
  await expect(rows.first()).toContainText(/1\s*条未读/);
});

test('comments of one essay are one notice, which grows while it is open', async ({
  page,
  browser,
  baseURL,
  newUser,
}) => {
  const title = `一篇 ${unique()}`;
  const { id, writer } = await publishEssay(baseURL, { title });
  const [lin, zhou] = [await newUser({ displayName: '林砚' }), await newUser({ displayName: '周野' })];
  const comment = (person: TestUser, content: string) =>
    person.call('POST core/essay/cmt', { essayId: id, content });
  await comment(lin, '第一条评论');
  await comment(lin, '第二条评论');
  const author = await openAs(browser, writer, baseURL);
  await author.goto('/account/center.html?tab=notice');
  const notice = author.getByRole('article').filter({ hasText: title }).filter({ hasText: '评论了' });
  await expect(notice).toHaveCount(1);
  await expect(notice).toContainText(`林砚 评论了你的文章《${title}》`);
  await expect(notice.getByRole('listitem')).toHaveText(['林砚：第二条评论', '林砚：第一条评论']);
  await expectAccessible(author);
  // Seen groups are read, and what follows starts another; this one comes before that.
  await comment(zhou, '第三条评论');
  await expect(author.getByRole('article').filter({ hasText: '第三条评论' })).toContainText('周野');

  await storeSession(page, writer);
  await page.goto('/account/center.html?tab=notice');
  await page.getByRole('link', { name: '林砚：第一条评论' }).click();
  await expect(page).toHaveURL(/#cmt-/);
  await author.context().close();
});

test('a letter can be reported; staff see it with its neighbours', { tag: '@large' }, async ({
  page,
  browser,
  baseURL,
  newUser,
  admin,
}) => {
  const [sender, recipient] = [await newUser({ displayName: '来信的人' }), await newUser()];
  const words = `不好听的话 ${unique()}`;
  const first = await sender.call('POST core/essay/pri/msg', {
    toUserId: recipient.user.id,
    content: '先前的一封',
  });
  await sender.call('POST core/essay/pri/msg', {
    toUserId: recipient.user.id,
    parentId: first.id,
    content: words,
  });
  await storeSession(page, recipient);
  await page.goto(`/account/center.html?tab=letter&thread=${first.threadId}`);
  const letter = page.getByRole('article').filter({ hasText: words });
  await letter.getByRole('button', { name: '这封信的更多操作' }).click();
  await letter.getByRole('button', { name: '举报' }).click();
  const dialog = page.getByRole('dialog', { name: '举报这封私信' });
  await expect(dialog).toContainText('对方不会知道是谁举报的');
  await dialog.getByRole('radio').first().check({ force: true });
  await expectAccessible(page);
  await dialog.getByRole('button', { name: '提交' }).click();
  await expect(page.getByText('已收到，处理结果会通知你')).toBeVisible();

  const office = await openAs(browser, admin, baseURL);
  await office.goto('/admin/report');
  const row = office.getByRole('row').filter({ hasText: words });
  await expect(row).toContainText('私信');
  await row.getByRole('button', { name: /^处理/ }).click();
  const context = office.getByRole('region', { name: '被举报的私信' });
  await expect(context.getByRole('listitem')).toHaveCount(2);
  await expect(context.getByRole('listitem').nth(1)).toContainText('被举报的这一封');
  await office.getByRole('textbox', { name: '处理结果' }).fill('已提醒对方');
  await office
    .getByRole('dialog')
    .getByRole('button', { name: /^处\s*理$/ })
    .click();
  await expect(row).toHaveCount(0);
  await page.goto('/account/center.html?tab=notice');
  await expect(page.getByText('你对私信的举报属实，已处理：已提醒对方')).toBeVisible();
  await office.context().close();
});
