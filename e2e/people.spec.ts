import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import { newWriter, publishEssay } from './support/essays.ts';
import { expect, test } from './support/test.ts';
import { storeSession } from './support/users.ts';

const CENTRE = '/account/center.html';

const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name });
const question = (page: Page, name: string) => page.getByRole('alertdialog', { name });
const folders = (page: Page) => page.getByRole('navigation', { name: '收藏夹' });
const collected = (page: Page) => page.getByRole('list', { name: '收藏的文章' }).getByRole('article');

test('creates, fills and shares a folder; a private folder is hidden from others', async ({
  page,
  browser,
  baseURL,
  reader,
  browserErrors,
}) => {
  browserErrors.allow(/status of 404/);
  const writer = await newWriter(baseURL);
  const essays = [];
  for (const title of ['第一篇想再读的', '第二篇想再读的']) {
    const essay = await publishEssay(baseURL, { writer, title });
    await reader.call('POST core/essay/collect', { essayId: essay.id });
    essays.push(essay);
  }
  await page.goto(`${CENTRE}?tab=collect`);
  await expect(collected(page)).toHaveCount(2);
  await expect(collected(page).first()).toContainText('默认收藏夹');

  await page.getByRole('button', { name: '新建收藏夹' }).click();
  const form = dialog(page, '新建收藏夹');
  await form.getByRole('button', { name: '新建', exact: true }).click();
  await expect(form.getByLabel('名称')).toHaveAccessibleDescription(/请填写名称/);
  await form.getByLabel('名称').fill('周末读物');
  await form.getByRole('switch', { name: '公开' }).click();
  await form.getByRole('button', { name: '新建', exact: true }).click();
  await expect(page.getByRole('heading', { name: '这个收藏夹还是空的' })).toBeVisible();

  await folders(page).getByRole('link', { name: '全部' }).click();
  for (const { title } of essays) await page.getByRole('checkbox', { name: `选中《${title}》` }).check();
  await page.getByRole('region', { name: '选中的文章' }).getByRole('button', { name: '移动' }).click();
  await dialog(page, '把 2 篇文章移到')
    .getByRole('radio', { name: /周末读物/ })
    .check();
  await dialog(page, '把 2 篇文章移到').getByRole('button', { name: '移动' }).click();
  await expect(page.getByText('已移到「周末读物」')).toBeVisible();
  await expect(collected(page).first()).toContainText('周末读物');
  await folders(page)
    .getByRole('link', { name: /周末读物\s*2/ })
    .click();
  // The list of all has two essays as well.
  await expect(page).toHaveURL(/folder=/);
  await expect(collected(page)).toHaveCount(2);
  await page.getByRole('searchbox', { name: '搜索收藏' }).fill('第二篇');
  await expect(collected(page)).toHaveCount(1);
  await page.getByRole('searchbox', { name: '搜索收藏' }).fill('');
  await expect(collected(page)).toHaveCount(2);
  await expectAccessible(page);

  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: '复制链接' }).click();
  await expect(page.getByText('链接已复制')).toBeVisible();
  const url = await page.evaluate(() => navigator.clipboard.readText());
  const id = new URL(page.url()).searchParams.get('folder');
  expect(url).toBe(`${baseURL}/user/home/${reader.user.id}.html?tab=collect&folder=${id}`);

  const context = await browser.newContext({ baseURL });
  const visitor = await context.newPage();
  await visitor.goto(url);
  await expect(visitor).toHaveTitle(/周末读物/);
  await expect(collected(visitor)).toHaveCount(2);
  await expectAccessible(visitor);

  await page.getByRole('button', { name: '编辑', exact: true }).click();
  await dialog(page, '编辑收藏夹').getByRole('switch', { name: '公开' }).click();
  await dialog(page, '编辑收藏夹').getByRole('button', { name: '保存' }).click();
  await expect(dialog(page, '编辑收藏夹')).toBeHidden();
  await expect(page.getByRole('button', { name: '复制链接' })).toBeHidden();
  expect((await visitor.goto(url))?.status()).toBe(404);
  await visitor.goto(`/user/home/${reader.user.id}.html?tab=collect`);
  await expect(visitor.getByRole('heading', { name: '没有公开的收藏' })).toBeVisible();
  await expect(folders(visitor).getByText('周末读物')).toBeHidden();
  await context.close();
});

test('undoes removing an essay from a folder; essays survive the deletion of their folder', async ({
  page,
  baseURL,
  reader,
}) => {
  const { id: essayId, title } = await publishEssay(baseURL);
  const { id: folderId } = await reader.call('POST core/user/folder', { name: '长文', isPublic: true });
  await reader.call('POST core/essay/collect', { essayId, folderId });
  await page.goto(`${CENTRE}?tab=collect&folder=${folderId}`);
  await page.getByRole('button', { name: `取消收藏《${title}》` }).click();
  await expect(folders(page).getByRole('link', { name: /长文\s*0/ })).toBeVisible();
  await page.getByRole('button', { name: `重新收藏《${title}》` }).click();
  await expect(folders(page).getByRole('link', { name: /长文\s*1/ })).toBeVisible();
  await page.getByRole('button', { name: '删除', exact: true }).click();
  await expect(question(page, '删除收藏夹「长文」？')).toContainText('会移到默认收藏夹');
  await question(page, '删除收藏夹「长文」？').getByRole('button', { name: '删除' }).click();
  await expect(page).toHaveURL(/tab=collect$/);
  await expect(folders(page).getByRole('link', { name: /默认收藏夹\s*1/ })).toBeVisible();
  await expect(collected(page).first()).toContainText('默认收藏夹');

  const secret = await reader.call('POST core/user/folder', { name: '只给自己' });
  await reader.call('POST core/essay/collect', { essayId, folderId: secret.id });
  await page.goto(`${CENTRE}?tab=collect&folder=${secret.id}`);
  await page.getByRole('button', { name: '删除', exact: true }).click();
  const choice = dialog(page, '删除收藏夹「只给自己」？');
  await expect(choice.getByRole('radio', { name: '默认收藏夹（公开，别人会看到）' })).not.toBeChecked();
  await choice.getByLabel('新收藏夹的名称').fill('换个地方');
  await expectAccessible(page);
  await choice.getByRole('button', { name: '删除' }).click();
  await expect(folders(page).getByRole('link', { name: /换个地方\s*1/ })).toBeVisible();
  await expect(folders(page).getByText('只给自己')).toBeHidden();

  await page.getByRole('button', { name: `移动《${title}》` }).click();
  const move = dialog(page, '把这篇文章移到');
  await move.getByRole('radio', { name: '新建收藏夹' }).check();
  await move.getByLabel('新收藏夹的名称').fill('再换一处');
  await move.getByRole('button', { name: '移动' }).click();
  await expect(folders(page).getByRole('link', { name: /再换一处\s*1/ })).toBeVisible();
});

test('groups actions of several users in one notice that links to the target', async ({
  page,
  baseURL,
  newUser,
}) => {
  const writer = await newWriter(baseURL);
  const { id, title } = await publishEssay(baseURL, { writer });
  for (const displayName of ['甲一', '乙二', '丙三']) {
    const person = await newUser({ displayName });
    await person.call('POST core/essay/like', { essayId: id });
    if (displayName === '丙三')
      await person.call('POST core/essay/cmt', { essayId: id, content: '写得明白，收下了。' });
  }
  await storeSession(page, writer);
  await page.goto(`${CENTRE}?tab=notice`);
  const likes = page.getByRole('article').filter({ hasText: '赞了你的文章' });
  await expect(likes).toHaveCount(1);
  await expect(likes).toContainText('丙三、乙二 等 3 人赞了你的文章');
  await expect(likes.getByRole('link', { name: `《${title}》` })).toHaveAttribute(
    'href',
    `/essay/detail/${id}.html`,
  );
  const comment = page.getByRole('article').filter({ hasText: '评论了你的文章' });
  await expect(comment).toContainText('写得明白，收下了。');
  await expectAccessible(page);
  await comment.getByRole('link', { name: `《${title}》` }).click();
  await expect(page).toHaveURL(new RegExp(`/essay/detail/${id}\\.html#cmt-`));
  await expect.poll(async () => (await writer.call('GET core/user/notice/unread', {})).kinds.comment).toBe(0);
});

test('follows back, blocks and unblocks a user', async ({ page, reader, newUser }) => {
  const fan = await newUser({ displayName: '热心读者' });
  const home = `/user/home/${fan.user.id}.html`;
  await fan.call('POST core/essay/follow', { userId: reader.user.id });
  await page.goto(`${CENTRE}?tab=follower`);
  const follow = page.getByRole('button', { name: '关注热心读者' });
  await expect(follow).toHaveAttribute('aria-pressed', 'false');
  await follow.click();
  await expect(follow).toContainText('已关注');
  await expect
    .poll(async () => (await reader.call('GET core/user/public', { id: fan.user.id })).relation.followed)
    .toBe(true);
  await page.goto(home);
  await expect(follow).toHaveAttribute('aria-pressed', 'true');
  await expect(page.getByRole('link', { name: '1 粉丝' })).toBeVisible();

  await page.getByRole('button', { name: '更多' }).click();
  await page.getByRole('button', { name: '屏蔽', exact: true }).click();
  await expect(question(page, '屏蔽热心读者？')).toContainText('不再互相关注');
  await question(page, '屏蔽热心读者？').getByRole('button', { name: '屏蔽' }).click();
  await expect(page.getByRole('button', { name: '解除屏蔽' }).first()).toBeVisible();
  await expect(fan.call('POST core/essay/follow', { userId: reader.user.id })).rejects.toThrow('BLOCKED');

  await page.goto('/account/settings.html?tab=privacy');
  const blocked = page.getByRole('list', { name: '屏蔽名单' });
  await expect(blocked).toContainText('热心读者');
  await blocked.getByRole('button', { name: '解除对热心读者的屏蔽' }).click();
  await expect(page.getByText('没有屏蔽任何人。')).toBeVisible();
  await page.goto(home);
  await expect(follow).toHaveAttribute('aria-pressed', 'false');

  await page.getByRole('button', { name: '更多' }).click();
  await page.getByRole('button', { name: '举报' }).click();
  await expect(dialog(page, '举报这个用户')).toBeVisible();
});

test('private lists are not in pages for other users', async ({ page, request, baseURL, reader }) => {
  const { id: essayId, title, writer } = await publishEssay(baseURL);
  await reader.call('POST core/essay/like', { essayId });
  await reader.call('POST core/essay/collect', { essayId });
  await reader.call('POST core/essay/share', { essayId, channel: 'link' });
  await reader.call('POST core/essay/follow', { userId: writer.user.id });
  const visibleLists = {
    trend: title,
    collect: title,
    like: title,
    share: title,
    following: writer.user.displayName,
  };
  const htmlOf = async (tab: string, place = 'home') =>
    (await request.get(`/user/${place}/${reader.user.id}.html?tab=${tab}`)).text();
  for (const [tab, words] of Object.entries(visibleLists)) expect(await htmlOf(tab), tab).toContain(words);
  expect(await htmlOf('collect', 'mhome')).toContain(`/essay/mdetail/${essayId}.html`);

  await page.goto('/account/settings.html?tab=privacy');
  for (const name of ['公开动态', '公开收藏', '公开点赞', '公开分享', '公开关注'])
    await page.getByRole('switch', { name }).click();
  await expect
    .poll(async () => {
      const me = await reader.call('GET core/user/');
      return 'privacy' in me ? Object.values(me.privacy) : [];
    })
    .not.toContain(true);
  for (const [tab, words] of Object.entries(visibleLists))
    expect(await htmlOf(tab), tab).not.toContain(words);

  await page.goto(`${CENTRE}?tab=share`);
  await expect(page.getByRole('list', { name: '我的分享' })).toContainText('带来 0 次阅读');
  await page.goto(`${CENTRE}?tab=trend`);
  await page.getByLabel('类型', { exact: true }).selectOption('点赞');
  await expect(page).toHaveURL(/type=1$/);
  await expect(page.getByRole('list', { name: '动态' }).getByRole('listitem')).toHaveText([
    new RegExp(`赞了《${title}》`),
  ]);
});
