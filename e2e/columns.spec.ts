import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import { newWriter, publishEssay } from './support/essays.ts';
import { layoutShift } from './support/layout-shift.ts';
import { pictureFile } from './support/pictures.ts';
import { expect, test } from './support/test.ts';
import { storeSession, type TestUser } from './support/users.ts';

const PHONE = { width: 375, height: 812 };
const MAX_SHIFT = 0.02;

interface Series {
  writer: TestUser;
  columnId: string;
  ids: string[];
}

/** A column with essays named 第一篇 and so on, between others of the same author. */
async function createSeries(
  baseURL: string | undefined,
  { count = 3, price = 0, essayPrice = 0 } = {},
): Promise<Series> {
  const writer = await newWriter(baseURL, { displayName: '林砚' });
  const { id: columnId } = await writer.call('POST core/essay/column', {
    name: '睡得着觉的后端',
    summary: '把会在半夜响起来的事，白天先做完。',
    price,
  });
  const ids: string[] = [];
  const content = `${'写一段足够长的正文，读者要滚动才能读完。'.repeat(12)}\n\n`.repeat(12);
  for (let position = 1; position <= count; position += 1) {
    await publishEssay(baseURL, { writer, title: `专栏外的第 ${position} 篇`, content });
    const title = `系列的第 ${position} 篇`;
    const essay = { writer, title, content, columnId, price: position > 1 ? essayPrice : 0 };
    ids.push((await publishEssay(baseURL, essay)).id);
  }
  return { writer, columnId, ids };
}

const columnPage = (id: string) => `/column/${id}.html`;
const essayPage = (id: string | undefined) => `/essay/detail/${id}.html`;
const entries = (page: Page) =>
  page.getByRole('list', { name: '专栏《睡得着觉的后端》的文章' }).getByRole('article');

/** Sends browser headers, because reads by other programs are not counted. */
async function read({ token }: TestUser, essayId: string | undefined, progress: number, baseURL = '') {
  const agent =
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
  const response = await fetch(new URL('/api/core/essay/read', baseURL), {
    method: 'POST',
    headers: { token, 'content-type': 'application/json', 'user-agent': agent },
    body: JSON.stringify({ essayId, progress }),
  });
  expect(response.ok).toBe(true);
}

test('the page of a column shows what it is and lists its essays in order with numbers', async ({
  page,
  baseURL,
}) => {
  const { writer, columnId, ids } = await createSeries(baseURL);
  const [first = '', second = '', third = ''] = ids;
  await writer.call('PUT core/essay/column', { id: columnId, essayIds: [second, first, third] });
  await page.goto(columnPage(columnId));
  await expect(page).toHaveTitle(/^睡得着觉的后端 · 林砚的专栏 · /);
  const head = page.getByRole('region', { name: '专栏' });
  await expect(head.getByRole('heading', { level: 1 })).toHaveText('睡得着觉的后端');
  await expect(head).toContainText('把会在半夜响起来的事，白天先做完。');
  await expect(head.getByRole('link', { name: '林砚' })).toHaveAttribute(
    'href',
    `/user/home/${writer.user.id}.html`,
  );
  await expect(head.getByRole('list', { name: '数字' })).toHaveText(/^3 篇[\d.万]+ 字0 人关注$/);
  await expect(head.locator('svg').first()).toBeVisible();
  await expect(entries(page)).toHaveCount(3);
  await expect(entries(page).getByRole('heading')).toHaveText([
    '系列的第 2 篇',
    '系列的第 1 篇',
    '系列的第 3 篇',
  ]);
  await expect(page.getByRole('listitem').filter({ has: page.getByRole('article') })).toHaveText([
    /^1.*系列的第 2 篇/,
    /^2.*系列的第 1 篇/,
    /^3.*系列的第 3 篇/,
  ]);
  expect(await layoutShift(page)).toBeLessThan(MAX_SHIFT);
  await expectAccessible(page);
  await page.getByRole('link', { name: '从第一篇读起' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('系列的第 2 篇');
});

test('a column has a canonical address: the former one redirects, an unknown one is 404', async ({
  page,
  baseURL,
  request,
}) => {
  const { writer, columnId } = await createSeries(baseURL, { count: 1 });
  await page.goto(`/user/home/${writer.user.id}.html?tab=column&column=${columnId}`);
  await expect(page).toHaveURL(new RegExp(`/column/${columnId}\\.html`));
  await page.goto(`/user/mhome/${writer.user.id}.html?tab=column&column=${columnId}`);
  await expect(page).toHaveURL(new RegExp(`/mcolumn/${columnId}\\.html`));
  await expect(page.locator('link[rel="canonical"]')).toHaveAttribute(
    'href',
    new RegExp(`${columnPage(columnId)}$`),
  );
  for (const id of ['0'.repeat(32), 'nothing'])
    expect((await request.get(columnPage(id))).status()).toBe(404);
});

test('the feed of a column is linked on its page and in its head', async ({ page, baseURL, request }) => {
  const { columnId } = await createSeries(baseURL, { count: 1 });
  await page.goto(columnPage(columnId));
  const feed = `/column/${columnId}/feed.xml`;
  await expect(page.getByRole('link', { name: '订阅 RSS' })).toHaveAttribute('href', feed);
  await expect(page.locator('link[type="application/atom+xml"]')).toHaveAttribute(
    'href',
    new RegExp(`${feed}$`),
  );
  const text = await (await request.get(feed)).text();
  expect(text).toContain('<title>系列的第 1 篇</title>');
  expect(text).not.toContain('专栏外的第 1 篇');
});

test('a reader continues where they stopped and sees the progress', async ({ page, reader, baseURL }) => {
  const { columnId, ids } = await createSeries(baseURL);
  await read(reader, ids[0], 100, baseURL);
  await read(reader, ids[1], 42, baseURL);
  await page.goto(columnPage(columnId));
  const head = page.getByRole('region', { name: '专栏' });
  await expect(head).toContainText('第 2 篇　系列的第 2 篇　读到 42%');
  await expect(head).toContainText('读完 1 / 3 篇');
  await expect(head.getByRole('progressbar')).toHaveAttribute('value', String(1 / 3));
  await expect(head.getByRole('link', { name: '从第一篇读起' })).toHaveAttribute('href', essayPage(ids[0]));
  await expect(entries(page).first()).toContainText('读完');
  await expect(entries(page).nth(1)).toContainText('读到 42%');
  expect(await layoutShift(page)).toBeLessThan(MAX_SHIFT);
  await page.getByRole('link', { name: '继续阅读' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('系列的第 2 篇');

  for (const id of ids) await read(reader, id, 100, baseURL);
  await page.goto(columnPage(columnId));
  await expect(head).toContainText('3 篇都读完了');
});

test('a follower gets one notice about a new essay, which can be switched off', async ({
  page,
  reader,
  baseURL,
}) => {
  const { writer, columnId } = await createSeries(baseURL, { count: 1 });
  await page.goto(columnPage(columnId));
  const follow = page.getByRole('button', { name: '关注专栏《睡得着觉的后端》' });
  await expect(follow).toHaveAttribute('aria-pressed', 'false');
  await follow.click();
  await expect(follow).toHaveText('已关注');
  await expect(page.getByRole('list', { name: '数字' })).toContainText('1 人关注');
  // The page shows it before the server has it.
  const followedCount = async () => (await reader.call('GET core/essay/column/follow', {})).total;
  await expect.poll(followedCount).toBe(1);

  await publishEssay(baseURL, { writer, title: '新写的一篇', columnId });
  await page.goto('/account/center.html?tab=notice');
  const notice = page.getByRole('article').filter({ hasText: '新写的一篇' });
  await expect(notice).toHaveCount(1);
  await expect(notice).toContainText('林砚 在专栏「睡得着觉的后端」发布了新文章《新写的一篇》');

  await page.goto('/account/center.html?tab=column');
  await page.getByRole('list', { name: '关注的专栏' }).getByRole('link', { name: '睡得着觉的后端' }).click();
  // The list has such a button too.
  await expect(page.getByRole('heading', { level: 1, name: '睡得着觉的后端' })).toBeVisible();
  await expect(follow).toHaveText('已关注');
  await follow.click();
  await expect(follow).toHaveText('关注');
  await expect(page.getByRole('list', { name: '数字' })).toContainText('0 人关注');
  await expect.poll(followedCount).toBe(0);

  await page.goto('/account/settings.html?tab=notify');
  const off = page.getByRole('switch', { name: /^专栏/ });
  await off.click();
  await expect
    .poll(async () => await reader.call('GET core/user/', {}))
    .toMatchObject({ notify: { column: false } });
});

test('a visitor who wants to follow signs in first and returns to the column', { tag: '@long' }, async ({
  page,
  baseURL,
}) => {
  const { columnId } = await createSeries(baseURL, { count: 1 });
  await page.goto(columnPage(columnId));
  await page.getByRole('link', { name: '关注', exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`/login\\.html\\?redirect=.*${columnId}`));
});

test('a reader buys the entire column on its page', async ({ page, reader, baseURL }) => {
  const { columnId } = await createSeries(baseURL, { count: 2, price: 990, essayPrice: 600 });
  await page.goto(columnPage(columnId));
  const offer = page.getByRole('region', { name: '买下整个专栏' });
  await expect(offer).toContainText('¥ 9.90');
  await expect(offer).toContainText('已有 2 篇，其中 1 篇付费，以后加入的也包括在内。');
  await expectAccessible(page);
  const dialog = page.getByRole('dialog', { name: '购买专栏' });
  await offer.getByRole('button', { name: '购买专栏' }).click();
  await dialog.getByRole('button', { name: '支付 ¥ 9.90' }).click();
  await expect(dialog.getByRole('link', { name: '打开收银台' })).toBeVisible();
  const orders = await reader.call('GET core/user/order', {});
  const order = 'list' in orders ? orders.list[0] : undefined;
  await reader.call('PUT core/user/order', { id: order?.id ?? '', action: 'pay' });
  await expect(offer).toContainText('你已买下');
  await page.reload();
  await expect(offer).toContainText('你已买下');
  await expect(entries(page)).toContainText([/^(?!.*已购)/, '已购']);
  expect(await layoutShift(page)).toBeLessThan(MAX_SHIFT);
});

test('shares the address of a column', { tag: '@long' }, async ({ page, baseURL }) => {
  const { columnId } = await createSeries(baseURL, { count: 1 });
  await page.goto(columnPage(columnId));
  const dialog = page.getByRole('dialog', { name: '分享这个专栏' });
  await page.getByRole('button', { name: '分享' }).click();
  await expect(dialog.getByLabel('专栏链接')).toHaveValue(new RegExp(`${columnPage(columnId)}$`));
  await expect(dialog.getByRole('img', { name: '专栏的二维码' })).toBeVisible();
  await expect(dialog.getByRole('link', { name: '发到微博' })).toHaveAttribute('href', new RegExp(columnId));
  await expectAccessible(page);
});

test('the series stands beside an essay with the current one marked @large', async ({ page, baseURL }) => {
  const { columnId, ids } = await createSeries(baseURL, { count: 11 });
  await page.goto(essayPage(ids[5]));
  const series = page.getByRole('navigation', { name: '专栏：睡得着觉的后端' });
  await expect(series.getByRole('listitem')).toHaveText(
    Array.from({ length: 9 }, (_, index) => `${index + 2}系列的第 ${index + 2} 篇`),
  );
  await expect(series.locator('[aria-current="page"]')).toHaveText('6系列的第 6 篇');
  await expect(series.getByRole('link', { name: '全部 11 篇' })).toHaveAttribute(
    'href',
    columnPage(columnId),
  );
  await expectAccessible(page);
  await series.getByRole('link', { name: '系列的第 7 篇' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('系列的第 7 篇');
  await expect(series.locator('[aria-current="page"]')).toHaveText('7系列的第 7 篇');
});

test('on a phone the series is folded above the text', { tag: '@long' }, async ({ page, baseURL }) => {
  const { ids } = await createSeries(baseURL);
  await page.setViewportSize(PHONE);
  await page.goto(essayPage(ids[1]));
  const series = page.getByRole('navigation', { name: '专栏里的文章' });
  await expect(series).toBeHidden();
  await page.getByText('专栏：睡得着觉的后端2 / 3').click();
  await expect(series.locator('[aria-current="page"]')).toHaveText('2系列的第 2 篇');
  await expectAccessible(page);
  await series.getByRole('link', { name: '系列的第 3 篇' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('系列的第 3 篇');
});

test('the previous and next essay appear once at the end of an essay', { tag: '@long' }, async ({
  page,
  baseURL,
}) => {
  const { ids } = await createSeries(baseURL);
  await page.goto(essayPage(ids[1]));
  const turn = page.getByRole('navigation', { name: '专栏前后篇' });
  await turn.scrollIntoViewIfNeeded();
  await expect(turn.getByRole('link')).toHaveText(['上一篇系列的第 1 篇', '下一篇系列的第 3 篇']);
  await expect(page.getByRole('navigation', { name: '作者的前后篇' })).toHaveCount(0);
  const related = page.getByRole('region', { name: '接着读' });
  await expect(related.getByRole('link').first()).toBeVisible();
  for (const id of [ids[0], ids[2]]) {
    const link = `a[href="${essayPage(id)}"]`;
    await expect(turn.locator(link)).toHaveCount(1);
    await expect(related.locator(link)).toHaveCount(0);
  }
});

test('the offers of a paywall fill its width', { tag: '@long' }, async ({ page, baseURL }) => {
  const offersOf = async (id: string | undefined) => {
    await page.goto(essayPage(id));
    return page.locator('.locked-part').evaluate((paywall) => {
      const offers = [...paywall.querySelectorAll('h3')].map((title) => title.parentElement as Element);
      const box = offers[0]?.parentElement?.getBoundingClientRect();
      return offers.map((offer) => {
        const { left, right } = offer.getBoundingClientRect();
        return [Math.round(left - (box?.left ?? 0)), Math.round((box?.right ?? 0) - right)];
      });
    });
  };
  const { id } = await publishEssay(baseURL, { price: 600 });
  expect(await offersOf(id)).toEqual([[0, 0]]);
  const { ids } = await createSeries(baseURL, { count: 2, price: 990, essayPrice: 600 });
  const [single, column] = await offersOf(ids[1]);
  expect([single?.[0], column?.[1]]).toEqual([0, 0]);
});

test('a writer creates, edits, sorts and removes columns in the account centre', async ({
  page,
  baseURL,
  request,
}) => {
  const { writer, columnId } = await createSeries(baseURL);
  await storeSession(page, writer);
  await page.goto(columnPage(columnId));
  await page.getByRole('link', { name: '管理专栏' }).click();
  const own = page.getByRole('list', { name: '我的专栏' });
  await expect(own.getByRole('article')).toHaveText([/睡得着觉的后端\s*3 篇　0 人关注/]);
  await expectAccessible(page);

  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: '新建专栏' }).click();
  await dialog.getByRole('button', { name: '新建' }).click();
  await expect(dialog.getByText('请填写名称')).toBeVisible();
  await dialog.getByLabel('名称').fill('夜里写的小工具');
  await dialog.getByLabel('整个专栏的价格（元）').fill('0.5');
  await dialog.getByRole('button', { name: '新建' }).click();
  await expect(dialog.getByText('价格从 1 元到 1000 元，或留空')).toBeVisible();
  await dialog.getByLabel('整个专栏的价格（元）').fill('');
  await dialog.getByRole('button', { name: '新建' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(own.getByRole('article')).toHaveText([
    /夜里写的小工具\s*0 篇　0 人关注/,
    /睡得着觉的后端\s*3 篇　0 人关注/,
  ]);

  const choose = async (name: string, action: string) => {
    await page.getByRole('button', { name: `专栏《${name}》的更多操作` }).click();
    await page.getByRole('button', { name: action, exact: true }).click();
  };
  await choose('夜里写的小工具', '编辑');
  await dialog.getByLabel('名称').fill('夜里写的工具');
  await dialog.getByLabel('简介').fill('一个晚上能写完的。');
  await dialog.getByLabel('整个专栏的价格（元）').fill('9.9');
  const cover = await pictureFile('cover.png', { width: 600, height: 600 });
  await dialog.locator('input[type="file"]').setInputFiles(cover);
  await page
    .getByRole('dialog', { name: '裁剪封面' })
    .getByRole('button', { name: '裁剪', exact: true })
    .click();
  await expect(dialog.getByRole('button', { name: '移除' })).toBeVisible();
  await dialog.getByRole('button', { name: '保存' }).click();
  await expect(own.getByRole('article').first()).toHaveText(/夜里写的工具\s*0 篇　0 人关注　¥ 9.90/);
  await expect(own.getByRole('article').first().locator('img')).toBeVisible();

  await choose('睡得着觉的后端', '调整文章次序');
  const titles = dialog.getByRole('list', { name: '文章的次序' }).getByRole('listitem');
  await expect(titles).toHaveText(['1系列的第 1 篇', '2系列的第 2 篇', '3系列的第 3 篇']);
  await expectAccessible(page, '[role="dialog"]');
  const up = dialog.getByRole('button', { name: '上移《系列的第 3 篇》' });
  await up.click();
  await expect(up).toBeFocused();
  await dialog.getByRole('button', { name: '把《系列的第 2 篇》移到最前' }).click();
  await dialog.getByRole('button', { name: '下移《系列的第 2 篇》' }).click();
  await expect(titles).toHaveText(['1系列的第 1 篇', '2系列的第 2 篇', '3系列的第 3 篇']);
  await up.click();
  await up.click();
  await expect(titles).toHaveText(['1系列的第 3 篇', '2系列的第 1 篇', '3系列的第 2 篇']);
  await dialog.getByRole('button', { name: '保存' }).click();
  await expect(dialog).toHaveCount(0);
  await page.goto(columnPage(columnId));
  await expect(entries(page).getByRole('heading')).toHaveText([
    '系列的第 3 篇',
    '系列的第 1 篇',
    '系列的第 2 篇',
  ]);

  await page.getByRole('link', { name: '管理专栏' }).click();
  await choose('睡得着觉的后端', '删除');
  await expect(page.getByRole('alertdialog')).toContainText('里面的 3 篇文章会留下，只是不再属于专栏。');
  await page.getByRole('alertdialog').getByRole('button', { name: '删除' }).click();
  await expect(own.getByRole('article')).toHaveCount(1);
  expect((await request.get(columnPage(columnId))).status()).toBe(404);

  await own.getByRole('link', { name: '夜里写的工具' }).click();
  const offer = page.getByRole('region', { name: '买下整个专栏' });
  await expect(offer).toContainText('这是你的专栏，读者在这里购买。');
  await expect(offer.getByRole('button')).toBeHidden();
  await page.setViewportSize({ width: 375, height: 800 });
  await page.reload();
  await expect(offer).toContainText('这是你的专栏');
  expect(await layoutShift(page)).toBeLessThan(0.001);
});
