import { readFile } from 'node:fs/promises';
import type { Input } from '@mozhan/contract/client.ts';
import { APPLICATION_STATUS, FLAG } from '@mozhan/contract/enums.ts';
import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import { newWriter, publishEssay } from './support/essays.ts';
import { expect, test } from './support/test.ts';
import { storeSession } from './support/users.ts';

const CARD = '/account/center.html?tab=farmer';
const STATS = '/account/center.html?tab=stats';

const unique = () => Math.random().toString(36).slice(2, 8);

async function expectAccessibleInBoth(page: Page): Promise<void> {
  // Targets partly covered by the header would count as too small.
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: 'light' });
}

test('the form of a card appears with its skills, so that nothing moves under the pointer', async ({
  page,
  reader: _,
}) => {
  const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>();
  await page.route(/core\/sys\/dict\/item\//, async (route) => {
    await mayAnswer;
    await route.fallback();
  });
  await page.goto(CARD);
  await page.getByRole('button', { name: '填写名片' }).click();
  await expect(page.getByRole('region', { name: '码农名片' }).getByRole('status')).toBeVisible();
  await expect(page.getByRole('button', { name: '发布名片' })).toBeHidden();
  answer();
  await expect(page.getByRole('checkbox', { name: 'Rust' })).toBeVisible();
  await expect(page.getByRole('button', { name: '发布名片' })).toBeVisible();
});

test('finds a card by skill and city until it is removed', async ({ page, request, reader }) => {
  test.slow();
  const city = `云${unique()}`;
  await page.goto(CARD);
  await page.getByRole('button', { name: '填写名片' }).click();
  await page.getByRole('button', { name: '发布名片' }).click();
  await expect(page.getByText('请至少选一项技能')).toBeVisible();
  await expect(page.getByRole('searchbox', { name: '搜索技能' })).toBeFocused();

  await page.getByRole('searchbox', { name: '搜索技能' }).fill('rus');
  await page.getByRole('checkbox', { name: 'Rust' }).check();
  await page.getByRole('searchbox', { name: '搜索技能' }).fill('');
  await page.getByRole('checkbox', { name: 'PostgreSQL' }).check();
  await page.getByRole('button', { name: '移除 PostgreSQL' }).click();
  await page.getByLabel('写了几年代码').fill('8');
  await page.getByLabel('城市').fill(city);
  await page.getByLabel('主页').fill('我的主页');
  await page.getByLabel('一句话介绍').fill('写编译器，也修自行车。');
  await page.getByRole('switch', { name: '在看机会' }).check();
  const preview = page.getByRole('region', { name: '别人会看到' });
  await expect(preview).toContainText('写了 8 年代码');
  await expect(preview).toContainText('看机会');
  await expect(preview.getByRole('list', { name: '技能' })).toHaveText('Rust');
  await page.getByRole('link', { name: '首页', exact: true }).first().click();
  await page.getByRole('alertdialog', { name: '离开这一页？' }).getByRole('button', { name: '取消' }).click();
  await page.getByRole('button', { name: '发布名片' }).click();
  await expect(page.getByText('请填写以 http 或 https 开头的网址')).toBeVisible();
  await expectAccessibleInBoth(page);
  await page.getByLabel('主页').fill('example.com/me');
  await page.getByRole('button', { name: '发布名片' }).click();
  await expect(page.getByText('名片已保存')).toBeVisible();

  await page.getByRole('main').getByRole('link', { name: '看名录' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('码农');
  await page.getByRole('combobox', { name: '技能' }).selectOption('Rust');
  await page.getByLabel('城市').fill(city);
  await page.getByRole('checkbox', { name: '只看在看机会的' }).check();
  await page.getByRole('button', { name: '查找' }).click();
  await expect(page.getByRole('status').filter({ hasText: '找到 1 人' })).toBeVisible();
  const list = page.getByRole('list', { name: '码农', exact: true });
  await expect(list.getByRole('heading', { name: reader.user.displayName })).toBeVisible();
  await expectAccessibleInBoth(page);

  const address = new URL(page.url());
  expect(Object.fromEntries(address.searchParams)).toEqual({
    view: 'farmers',
    skill: 'Rust',
    city,
    open: '1',
  });
  const html = await (await request.get(address.href)).text();
  expect(html).toContain(reader.user.displayName);
  expect(html).toMatch(/<link rel="canonical" href="http[^"]+\/home\?view=farmers&amp;skill=Rust/);
  expect(html, 'the policy forbids styles in the HTML').not.toContain(' style="');
  expect((await request.get('/home?view=farmers&page=999')).status()).toBe(404);
  await page.getByRole('combobox', { name: '技能' }).selectOption('Go');
  await page.getByRole('button', { name: '查找' }).click();
  await expect(page.getByText('没有找到这样的人')).toBeVisible();

  await page.goto(CARD);
  await page.getByRole('button', { name: '撤下' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: '撤下' }).click();
  await expect(page.getByText('还没有名片')).toBeVisible();
  expect(await (await request.get(address.href)).text()).toContain('没有找到这样的人');
});

test('the ranking explains its score and lists the picks', async ({ page, baseURL, api, admin }) => {
  const writer = await newWriter(baseURL);
  const { id, displayName } = writer.user;
  const note = `值得从头读起 ${unique()}`;
  await admin.call('PUT core/code/star/', { userId: id, picked: FLAG.on, note, sort: 0 });
  try {
    // Other tests change the ranking.
    await expect(async () => {
      const { list } = await api('GET core/code/star/', { range: 'all' });
      await page.goto('/home?view=stars&range=all');
      await expect(page.locator('tbody tr')).toHaveCount(list.length, { timeout: 30_000 });
    }).toPass();
    await expect(page.getByRole('main')).toContainText('阅读 ×1 + 点赞 ×10 + 收藏 ×20 + 打赏 ×50');
    const picks = page.getByRole('region', { name: '编辑推荐' });
    await expect(picks.getByRole('listitem').filter({ hasText: displayName })).toContainText(note);
    await expect(page.getByRole('link', { name: '全部', exact: true })).toHaveAttribute(
      'aria-current',
      'page',
    );
    await expectAccessibleInBoth(page);

    await page.getByRole('link', { name: '近 30 天' }).click();
    await expect(page).toHaveURL(/view=stars&range=month$/);
    await expect(page.getByRole('link', { name: '近 30 天' })).toHaveAttribute('aria-current', 'page');

    await publishEssay(baseURL);
    const side = page.getByRole('region', { name: '码星' });
    await expect(async () => {
      const week = await api('GET core/code/star/', { limit: 5 });
      await page.goto('/home');
      await expect(side.getByRole('listitem')).toHaveCount(week.list.length, { timeout: 30_000 });
    }).toPass();
    await page.getByRole('link', { name: '看名录' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('码农');
  } finally {
    await admin.call('PUT core/code/star/', { userId: id, picked: FLAG.off });
  }
});

test('a reader applies, is refused with a reason, applies again and becomes a writer', async ({
  page,
  request,
  reader,
  admin,
  isMobile,
}) => {
  test.slow();
  const html = await (await request.get('/apply.html')).text();
  expect(html).toContain('/login.html?redirect=%2Fapply.html');

  await page.goto('/apply.html');
  const form = page.getByRole('region', { name: '我要申请' });
  const send = form.getByRole('button', { name: '提交申请' });
  await send.click();
  await expect(form.getByText('请填写姓名')).toBeVisible();
  await expect(form.getByLabel('姓名')).toBeFocused();
  await form.getByLabel('姓名').fill('沈青梧');
  await form.getByLabel('联系方式').fill('shen@example.com');
  await form.getByLabel('擅长领域').fill('数据库内核');
  await form.getByLabel('自我介绍').fill('写了十年存储引擎，想把踩过的坑一个个写清楚。');
  await form.getByRole('textbox', { name: '代表作 1' }).fill('https://example.com/a');
  await form.getByRole('button', { name: '再加一个' }).click();
  await expect(form.getByRole('textbox', { name: '代表作 2' })).toBeFocused();
  await form.getByRole('textbox', { name: '代表作 2' }).fill('没有网址');
  await page.reload();
  await expect(form.getByLabel('自我介绍')).toHaveValue(/十年存储引擎/);
  await send.click();
  await expect(form.getByText('请填写以 http 或 https 开头的网址')).toBeVisible();
  await expect(form.getByRole('textbox', { name: '代表作 2' })).toBeFocused();
  await expectAccessibleInBoth(page);
  await form.getByRole('button', { name: '移除代表作 2' }).click();
  await send.click();
  await expect(form).toContainText('正在等工作人员处理');
  await expect(form).toContainText('shen@example.com');

  const decide = async (status: Input<'PUT core/sys/apply/'>['status'], reason?: string) => {
    const { id } = (await reader.call('GET core/user/apply', {})) ?? { id: '' };
    await admin.call('PUT core/sys/apply/', { id, status, reason });
  };
  await decide(APPLICATION_STATUS.refused, '请附上一篇写好的文章');
  await expect(form).toContainText('请附上一篇写好的文章');
  await expect(form.getByLabel('姓名')).toHaveValue('沈青梧');
  await send.click();
  await expect(form).toContainText('正在等工作人员处理');
  const write = page.getByRole('banner').getByRole('link', { name: '写文章' });
  await expect(write).toHaveCount(0);
  await decide(APPLICATION_STATUS.approved);
  await expect(form).toContainText('你现在是作者了');
  // Small screens do not have it in the header.
  if (!isMobile) await expect(write).toBeVisible();
  await form.getByRole('link', { name: '写第一篇' }).click();
  await expect(page).toHaveURL(/\/essay\/create\.html/);
});

test('a writer sees statistics by day and essay and exports them', async ({ page, baseURL, newUser }) => {
  test.slow();
  const title = `数据, "引号" ${unique()}`;
  const { id, writer } = await publishEssay(baseURL, { title });
  await publishEssay(baseURL, { writer });
  const other = await newUser();
  await other.call('POST core/essay/read', { essayId: id, progress: 50 });
  await other.call('POST core/essay/like', { essayId: id });

  await storeSession(page, writer);
  await page.goto(STATS);
  const panel = page.getByRole('region', { name: '创作数据', exact: true });
  await expect(panel.getByRole('button', { name: '阅读', pressed: true })).toBeVisible();
  await panel.getByRole('button', { name: '赞与收藏' }).click();
  await expect(panel.getByRole('button', { name: '赞与收藏' })).toContainText('1上期没有');
  const likes = panel.getByRole('slider', { name: '赞与收藏，按天' });
  await likes.focus();
  await page.keyboard.press('End');
  await expect(likes).toHaveAttribute('aria-valuetext', /：1$/);
  await page.keyboard.press('ArrowLeft');
  await expect(likes).toHaveAttribute('aria-valuetext', /：0$/);
  await panel.getByRole('radio', { name: '7 天', exact: true }).check();
  await panel.getByText('看表格', { exact: true }).click();
  const days = panel.getByRole('region', { name: '每天的数字' });
  await expect(days.locator('tbody tr')).toHaveCount(7);
  await expect(days.locator('tbody tr').first().locator('td').nth(1)).toHaveText('1');

  const essays = panel.getByRole('region', { name: '每篇文章的数字' });
  await expect(essays.locator('tbody tr').nth(1)).toContainText(title);
  await essays.getByRole('button', { name: '点赞' }).click();
  await expect(essays.getByRole('columnheader', { name: '点赞' })).toHaveAttribute('aria-sort', 'descending');
  await expect(essays.locator('tbody tr').first()).toContainText(title);
  await expectAccessibleInBoth(page);

  const downloading = page.waitForEvent('download');
  await panel.getByRole('button', { name: '导出 CSV' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^文章数据-\d{4}-\d\d-\d\d\.csv$/);
  const text = await readFile(await download.path(), 'utf8');
  expect(text.startsWith('\ufeff标题,发布时间,阅读,点赞,收藏,评论,分享,收益（元）\r\n')).toBe(true);
  expect(text.trim().split('\r\n')).toHaveLength(3);
  expect(text).toContain(`"${title.replaceAll('"', '""')}"`);
});
