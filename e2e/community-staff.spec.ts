import { expectAccessible } from './support/accessibility.ts';
import { newWriter, publishEssay } from './support/essays.ts';
import { button, expect, LARGE_ONLY, panel, row, test } from './support/office.ts';
import { newStaff } from './support/staff.ts';
import { register, type TestUser } from './support/users.ts';

test.describe.configure({ mode: 'default' });
test.use({ contextOptions: { reducedMotion: 'reduce' } });

const noticesOf = async (person: TestUser) => {
  const { list } = await person.call('GET core/user/notice', { kind: 'system' });
  return list.map((notice) => notice.text).join('\n');
};

test(
  'handles a report from the dashboard: takes the essay off the shelf and notifies the reporter',
  LARGE_ONLY,
  async ({ page, open, admin, url }) => {
    const { id, title } = await publishEssay(url);
    const readers = [await register(url, { displayName: '热心读者' }), await register(url)];
    for (const reader of readers)
      await reader.call('POST core/user/report', {
        kind: 'essay',
        targetId: id,
        reason: 'advertising',
        detail: '文末全是广告',
      });
    await open('/', await newStaff(admin, url, 'operator'));
    await page.getByRole('link', { name: /待处理举报/ }).click();
    const reported = row(page, '热心读者');
    await expect(reported).toContainText('广告或垃圾信息');
    await expect(reported).toContainText('文末全是广告');
    await expectAccessible(page);
    await button(reported, `下架文章：${title}`).click();
    await button(panel(page), '广告或引流').click();
    await button(panel(page), '下架').click();
    await expect(page.getByText(`已下架「${title}」`)).toBeVisible();

    await button(reported, `处理：${title}`).click();
    await expect(panel(page).getByText('另有 1 条针对它的举报会一并处理')).toBeVisible();
    await button(panel(page), '处理').click();
    await expect(panel(page).getByText('请写明处理结果')).toBeVisible();
    await panel(page).getByLabel('处理结果').fill('文章已下架');
    await button(panel(page), '处理').click();
    await expect(page.getByText('没有符合条件的举报').or(page.getByText('还没有举报'))).toBeVisible();
    for (const reader of readers)
      expect(await noticesOf(reader)).toContain(`你对文章《${title}》的举报属实，已处理：文章已下架`);
  },
);

test('removes a reported message of a chat room', LARGE_ONLY, async ({ page, open, url }) => {
  const { id: essayId, title } = await publishEssay(url);
  const rude = await register(url, { displayName: '爱骂人' });
  const clientId = 'rude-message';
  const said = await rude.call('POST core/essay/group/chat', { essayId, content: '写的什么玩意', clientId });
  const reader = await register(url);
  await reader.call('POST core/user/report', { kind: 'chat', targetId: said.id, reason: 'abuse' });
  await open('/report?kind=chat');
  const reported = row(page, title);
  await expect(reported).toContainText('爱骂人');
  await button(reported, '移除消息：写的什么玩意').click();
  await button(page, /^移 ?除$/).click();
  await expect(reported).toContainText('已移除');
  const { list } = await reader.call('GET core/essay/group/chat', { essayId });
  expect(list).toMatchObject([{ id: said.id, content: '' }]);
});

test(
  'refuses an application with a reason and approves the next one, which makes the reader a writer',
  LARGE_ONLY,
  async ({ page, open, admin, url }) => {
    const reader = await register(url, { displayName: '想写的人' });
    const apply = () =>
      reader.call('POST core/user/apply', {
        realName: '林大砚',
        field: '数据库',
        intro: '写了十年数据库内核，想把踩过的坑讲给后来的人听。',
        works: ['https://lin.example/talks'],
        contact: 'lin@example.com',
      });
    await apply();
    await open('/apply', await newStaff(admin, url, 'auditor'));
    const waiting = row(page, '想写的人');
    await expect(waiting).toContainText('lin@example.com');
    await waiting.getByRole('button', { name: /展开|Expand/ }).click();
    await expect(page.getByRole('link', { name: 'https://lin.example/talks' })).toBeVisible();
    await expectAccessible(page);
    await button(waiting, '不通过：想写的人').click();
    await panel(page).getByLabel('理由').fill('请附上代表作的目录');
    await button(panel(page), '不通过').click();
    await expect(page.getByText('已答复「想写的人」')).toBeVisible();
    expect(await noticesOf(reader)).toContain('请附上代表作的目录');

    await apply();
    await button(page, '刷新').click();
    await button(waiting, '通过：想写的人').click();
    await button(panel(page), '通过').click();
    await expect(page.getByText('「想写的人」已是作者')).toBeVisible();
    expect(await noticesOf(reader)).toContain('你的专家申请已通过');
    await reader.call('POST core/essay/', { title: '第一篇' });
  },
);

test(
  'approves a held comment with its sensitive word highlighted, and removes another',
  LARGE_ONLY,
  async ({ page, open, admin, url }) => {
    const word = `待定词${Math.random().toString(36).slice(2, 7)}`;
    await admin.call('POST core/sys/word/', { word, level: 'hold' });
    const { id: essayId } = await publishEssay(url);
    const reader = await register(url);
    await reader.call('POST core/essay/cmt', { essayId, content: `说到${word}，我有话讲` });
    await reader.call('POST core/essay/cmt', { essayId, content: '加群领取资料' });
    const list = () => reader.call('GET core/essay/cmt', { essayId });
    expect((await list()).total).toBe(1);
    await open('/comment?status=1', await newStaff(admin, url, 'auditor'));
    const heldComment = row(page, word);
    await expect(heldComment).toContainText('待审核');
    await heldComment.getByRole('button', { name: /展开|Expand/ }).click();
    await expectAccessible(page);
    await heldComment.getByRole('button', { name: /^公开/ }).click();
    await button(panel(page), '公开').click();
    await expect(page.getByText('已公开这条评论')).toBeVisible();
    expect((await list()).total).toBe(2);

    await page.goto('/admin/comment');
    await row(page, '加群领取资料').getByRole('button', { name: /^移除/ }).click();
    await button(panel(page), '广告或垃圾信息').click();
    await button(panel(page), '移除').click();
    await expect(row(page, '加群领取资料')).toContainText('已移除');
    expect((await list()).total).toBe(1);
    expect(await noticesOf(reader)).toContain('广告或垃圾信息');
  },
);

test(
  'picks a writer with a note that readers see, and withdraws the pick',
  LARGE_ONLY,
  async ({ page, open, admin, url }) => {
    const name = `值得读${Math.random().toString(36).slice(2, 6)}`;
    const writer = await newWriter(url, { displayName: name });
    const picks = async () => (await writer.call('GET core/code/star/', {})).picks.map(({ note }) => note);
    await open('/star', await newStaff(admin, url, 'operator'));
    await button(page, '推荐作者').click();
    await panel(page).getByRole('combobox').fill(name);
    await page.getByTitle(name).click();
    await panel(page).getByLabel('推荐语（可选）').fill('把复杂的事写明白');
    await button(panel(page), '保存').click();
    await expect(row(page, name)).toContainText('把复杂的事写明白');
    await expectAccessible(page);
    expect(await picks()).toEqual(['把复杂的事写明白']);
    await page.getByRole('link', { name: '全部时间' }).click();
    await expect(page.getByText('还没有上榜的作者')).toBeVisible();
    await page.getByRole('link', { name: '编辑推荐' }).click();
    await button(page, `取消推荐：${name}`).click();
    await button(panel(page), '取消推荐').click();
    await expect(page.getByText('还没有推荐作者')).toBeVisible();
    expect(await picks()).toEqual([]);
  },
);
