import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import { publishEssay } from './support/essays.ts';
import { layoutShift } from './support/layout-shift.ts';
import { expect, test } from './support/test.ts';
import { storeSession } from './support/users.ts';

const detail = (id: string, hash = '') => `/essay/detail/${id}.html${hash}`;
const section = (page: Page) => page.getByRole('region', { name: /^评论/ });
const composer = (page: Page) => section(page).getByRole('textbox', { name: '写评论' });
const comments = (page: Page) => section(page).getByRole('list', { name: '评论', exact: true });
const commentItem = (page: Page, text: string) => page.locator('[id^="cmt-"]').filter({ hasText: text });

async function openComments(page: Page, id: string): Promise<void> {
  await page.goto(detail(id));
  await section(page).scrollIntoViewIfNeeded();
  await expect(composer(page)).toBeVisible();
}

async function choose(item: Locator, name: string): Promise<void> {
  await item.getByRole('button', { name: '更多' }).click();
  await item.getByRole('button', { name, exact: true }).click();
}

/** Enlarges the viewport to the full page, so that nothing is covered by the header or a message. */
async function expectAllAccessible(page: Page): Promise<void> {
  const messages = page.getByRole('button', { name: '关闭提示' });
  await expect(async () => {
    if ((await messages.count()) > 0) await messages.first().click({ timeout: 500 });
    expect(await messages.count()).toBe(0);
  }).toPass();
  const size = page.viewportSize() ?? { width: 1440, height: 900 };
  await page.setViewportSize({ ...size, height: 4000 });
  await expectAccessible(page);
  await page.setViewportSize(size);
}

test('writes a comment with preview and mention; likes, edits and deletes it', async ({
  page,
  reader,
  baseURL,
  newUser,
  isMobile,
}) => {
  test.slow();
  const { id } = await publishEssay(baseURL);
  const name = `林砚${Math.random().toString(36).slice(2, 8)}`;
  const friend = await newUser({ displayName: name });
  await openComments(page, id);
  await expect(section(page)).toContainText('还没有评论');

  const box = composer(page);
  await box.click();
  await page.keyboard.type(`写得**真好**，@${name.slice(0, 6)}`);
  // Others may have a name with the same beginning, which is looked up while the rest is typed.
  await expect(page.getByRole('option')).toHaveCount(1);
  await expect(page.getByRole('option', { name })).toBeVisible();
  await expectAllAccessible(page);
  await page.keyboard.press('Enter');
  await expect(box).toHaveValue(`写得**真好**，@${name} `);
  await page.keyboard.type('你也看看');
  await section(page).getByRole('button', { name: '预览' }).click();
  await expect(section(page).locator('strong')).toHaveText('真好');
  await expect(section(page).getByRole('link', { name: `@${name}` })).toBeVisible();
  await section(page).getByRole('button', { name: '写', exact: true }).click();
  await box.press('Control+Enter');
  const message = page.getByText('已发布', { exact: true });
  await expect(message).toBeVisible();
  if (isMobile) {
    const { y, height } = (await message.boundingBox()) ?? { y: 0, height: 0 };
    const header = await page.getByRole('banner').boundingBox();
    expect(y + height, 'over the header, not over what is written').toBeLessThanOrEqual(header?.height ?? 0);
  }
  await expect(box).toHaveValue('');
  await expect(section(page).getByRole('heading', { level: 2 })).toContainText('1');
  const item = commentItem(page, '你也看看');
  await expect(item.getByRole('link', { name: `@${name}` })).toHaveAttribute(
    'href',
    `/user/home/${friend.user.id}.html`,
  );

  const like = item.getByRole('button', { name: /^赞/ });
  await like.click();
  await expect(like).toHaveAttribute('aria-pressed', 'true');
  await expect(like).toHaveAccessibleName('赞，1');

  await choose(item, '修改');
  const edited = section(page).getByRole('textbox', { name: '修改' });
  await edited.fill(`改过了，@${name} 再看看`);
  await section(page).getByRole('button', { name: '保存' }).click();
  const changed = commentItem(page, '再看看');
  await expect(changed).toContainText('已编辑');
  await expect(changed.getByRole('link', { name: `@${name}` })).toBeVisible();

  await choose(changed, '删除');
  await page.getByRole('alertdialog').getByRole('button', { name: '删除' }).click();
  await expect(section(page)).toContainText('还没有评论');
  expect((await reader.call('GET core/essay/cmt', { essayId: id })).total).toBe(0);
});

test('supports two levels of replies and pinning; a deleted comment with replies leaves a tombstone', async ({
  page,
  baseURL,
  newUser,
}) => {
  test.slow();
  const { id, writer } = await publishEssay(baseURL);
  const other = await newUser({ displayName: '沈舟' });
  const first = await other.call('POST core/essay/cmt', { essayId: id, content: '先说半句' });
  await other.call('PUT core/essay/cmt', { id: first.id, content: '先说一句' });
  await other.call('POST core/essay/cmt', { essayId: id, content: '再说一句' });
  for (const count of ['一', '二', '三', '四'])
    await other.call('POST core/essay/cmt/reply', { cmtId: first.id, content: `补充之${count}` });

  await storeSession(page, writer);
  await openComments(page, id);
  await expect(comments(page).locator('> li').first()).toContainText('再说一句');
  await section(page).getByRole('button', { name: '还有 1 条回复' }).click();
  await expect(commentItem(page, '补充之四')).toBeVisible();
  await commentItem(page, '补充之二').getByRole('button', { name: '回复沈舟' }).click();
  await section(page).getByRole('textbox', { name: '回复沈舟' }).fill('说得对');
  await section(page).getByRole('button', { name: '回复', exact: true }).click();
  const reply = commentItem(page, '说得对');
  await expect(reply).toContainText('回复 @沈舟');
  await expect(reply).toContainText('作者');

  await choose(commentItem(page, '先说一句'), '置顶');
  await expect(page.getByText('已置顶', { exact: true })).toBeVisible();
  await expect(comments(page).locator('> li').first()).toContainText('先说一句');
  await expect(commentItem(page, '先说一句')).toContainText('置顶');
  await expect(commentItem(page, '先说一句')).toContainText('已编辑');
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAllAccessible(page);

  await choose(commentItem(page, '先说一句'), '删除');
  await page.getByRole('alertdialog').getByRole('button', { name: '删除' }).click();
  await expect(section(page)).toContainText('这条评论已删除');
  await expect(section(page)).not.toContainText('已编辑');
  await expect(reply).toBeVisible();
  await page.reload();
  await section(page).scrollIntoViewIfNeeded();
  await expect(section(page)).toContainText('这条评论已删除');
});

test('a link opens the comment or reply in its hash, for visitors too', { tag: '@long' }, async ({
  page,
  baseURL,
  newUser,
}) => {
  const { id } = await publishEssay(baseURL);
  const other = await newUser();
  const old = await other.call('POST core/essay/cmt', { essayId: id, content: '很早的评论' });
  const replies = [];
  for (let count = 0; count < 5; count += 1)
    replies.push(
      await other.call('POST core/essay/cmt/reply', { cmtId: old.id, content: `第 ${count + 1} 条回复` }),
    );
  for (let count = 0; count < 11; count += 1)
    await other.call('POST core/essay/cmt', { essayId: id, content: `后来的评论 ${count}` });

  await page.goto(detail(id, `#cmt-${replies[4]?.id}`));
  await expect(commentItem(page, '第 5 条回复')).toBeInViewport();
  await expect(commentItem(page, '第 5 条回复')).toBeFocused();
  await expect(comments(page).locator('> li').first()).toContainText('很早的评论');
  await section(page).getByRole('button', { name: '更多评论' }).click();
  await expect(commentItem(page, '后来的评论 0')).toBeVisible();

  const like = commentItem(page, '第 5 条回复').getByRole('button', { name: /^赞/ });
  await like.click();
  await expect(commentItem(page, '第 5 条回复')).toContainText('登录后可以点赞');
  await section(page).getByRole('button', { name: '最热' }).click();
  await expect(section(page).getByRole('button', { name: '最热' })).toHaveAttribute('aria-pressed', 'true');
  await expectAllAccessible(page);
});

test('keeps a draft over reload and failure, and sends it only once', async ({
  page,
  reader,
  baseURL,
  browserErrors,
}) => {
  browserErrors.allow(/status of 503|Failed to (load|fetch)/);
  const { id } = await publishEssay(baseURL);
  const code = /\/comments-[^/]*\.js$/;
  await page.route(code, (route) => route.abort());
  await page.goto(detail(id));
  await section(page).scrollIntoViewIfNeeded();
  const again = section(page).getByRole('button', { name: '再试一次' });
  await expect(again).toBeVisible();
  await page.unroute(code);
  await again.click();
  await composer(page).fill('写了很久的一段话');
  await page.reload();
  await section(page).scrollIntoViewIfNeeded();
  await expect(composer(page)).toHaveValue('写了很久的一段话');

  // The request arrives, but its response is lost.
  const ids: unknown[] = [];
  let isLost = true;
  await page.route(/\/api\/core\/essay\/cmt\?/, async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    ids.push(route.request().postDataJSON().requestId);
    const response = await route.fetch();
    const answer = isLost ? { status: 503, body: '{}' } : { response };
    isLost = false;
    await route.fulfill(answer);
  });
  const send = section(page).getByRole('button', { name: '发布' });
  await send.click();
  await expect(section(page).getByRole('alert').filter({ hasText: '没有发出去' })).toBeVisible();
  await expect(composer(page)).toHaveValue('写了很久的一段话');
  await expectAllAccessible(page);
  await send.click();
  await expect(commentItem(page, '写了很久的一段话')).toBeVisible();
  expect(ids[0]).toBe(ids[1]);
  expect((await reader.call('GET core/essay/cmt', { essayId: id })).total).toBe(1);
});

test('a comment held for review is visible only to its writer', async ({
  page,
  reader,
  admin,
  api,
  baseURL,
}) => {
  const word = `加群${Math.random().toString(36).slice(2, 8)}`;
  await admin.call('POST core/sys/word/', { word, level: 'hold' });
  const { id } = await publishEssay(baseURL);
  await openComments(page, id);
  await composer(page).fill(`欢迎${word}`);
  await section(page).getByRole('button', { name: '发布' }).click();
  await expect(commentItem(page, word)).toContainText('审核中，只有你能看到');
  await expectAllAccessible(page);
  expect((await api('GET core/essay/cmt', { essayId: id })).list).toEqual([]);
  const mine = await reader.call('GET core/essay/cmt', { essayId: id });
  expect(mine.list).toMatchObject([{ held: true }]);
});

test('nothing moves when a link leads to comments that are not loaded yet', { tag: '@long' }, async ({
  page,
  browser,
  baseURL,
  reader,
}) => {
  const { id } = await publishEssay(baseURL);
  for (let at = 1; at <= 8; at++)
    await reader.call('POST core/essay/cmt', { essayId: id, content: `第 ${at} 条，读完想了很久` });
  const visitor = await browser.newPage({ baseURL: baseURL ?? '' });
  for (const each of [page, visitor]) {
    await each.goto(detail(id, '#comments'));
    await expect(comments(each)).toBeVisible();
    expect(await layoutShift(each)).toBeLessThan(0.02);
  }
  await visitor.close();
});
