import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import { publishEssay } from './support/essays.ts';
import { expect, test } from './support/test.ts';
import { storeSession } from './support/users.ts';

const detail = (id: string) => `/essay/detail/${id}.html`;
/** The visible toolbar: beside the text on desktops, at the bottom on phones. */
const bar = (page: Page) => page.getByRole('toolbar', { name: '文章操作' }).filter({ visible: true });
const act = (page: Page, name: RegExp) => bar(page).getByRole('button', { name });

test('liking updates immediately, reverts on failure, and redirects visitors to sign in', async ({
  page,
  baseURL,
  newUser,
  browserErrors,
}) => {
  browserErrors.allow(/status of 500|Failed to load/);
  const { id } = await publishEssay(baseURL);
  await page.goto(detail(id));
  const like = act(page, /^赞/);
  await like.click();
  await expect(page.getByText('登录后可以点赞')).toBeVisible();
  await expectAccessible(page);
  await expect(page.getByRole('link', { name: '去登录' })).toHaveAttribute(
    'href',
    `/login.html?redirect=${encodeURIComponent(detail(id))}`,
  );
  await page.keyboard.press('Escape');
  await expect(page.getByText('登录后可以点赞')).toHaveCount(0);

  const reader = await newUser();
  await storeSession(page, reader);
  await page.goto(detail(id));
  await like.click();
  await expect(like).toHaveAttribute('aria-pressed', 'true');
  await expect(like).toHaveAccessibleName('赞，1');
  const liked = async () => (await reader.call('GET core/essay/{id}', { id })).mine.liked;
  await expect.poll(liked).toBe(true);

  await page.reload();
  await expect(like).toHaveAttribute('aria-pressed', 'true');
  await page.route('**/api/core/essay/like*', (route) => route.fulfill({ status: 500, body: '{}' }));
  await like.click();
  await expect(page.getByRole('status').filter({ hasText: /稍后再试|没有/ })).toBeVisible();
  await expect(like).toHaveAttribute('aria-pressed', 'true');
  expect(await liked()).toBe(true);
});

test('collects an essay with one click; creates and selects another folder', async ({
  page,
  reader,
  baseURL,
}) => {
  // Long enough that the popover covers no other button.
  const { id } = await publishEssay(baseURL, { content: '一段话。\n\n'.repeat(40) });
  const { promise: asked, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/core/user/folder*', async (route) => {
    await asked;
    await route.fallback();
  });
  await page.goto(detail(id));
  const collect = act(page, /^收藏/);
  const folderPanel = page.getByRole('region', { name: '收藏到' });
  await collect.click();
  await expect(folderPanel).toContainText('已收藏到 默认收藏夹');
  await expect(collect).toHaveAttribute('aria-pressed', 'true');
  await folderPanel.getByRole('button', { name: '换一个' }).click();
  await expect(folderPanel.getByRole('status')).toHaveText('正在载入…');
  await expect(folderPanel.getByRole('button'), 'no button that the list would move').toHaveCount(0);
  release();
  await folderPanel.getByRole('button', { name: '新建收藏夹' }).click();
  await folderPanel.getByLabel('新收藏夹').fill('睡前再读');
  await folderPanel.getByRole('switch', { name: '公开' }).check();
  await expectAccessible(page);
  await folderPanel.getByRole('button', { name: '新建并移入' }).click();
  await expect(folderPanel).toContainText('已收藏到 睡前再读');
  const folders = await reader.call('GET core/user/folder', {});
  expect(folders.find(({ name }) => name === '睡前再读')).toMatchObject({ isPublic: true, essayCount: 1 });

  await collect.click();
  await expect(collect).toHaveAttribute('aria-pressed', 'false');
  await expect(folderPanel).toHaveCount(0);
  await expect
    .poll(async () => (await reader.call('GET core/essay/{id}', { id })).mine.collected)
    .toBe(false);
});

test('shares an essay by link, QR code and poster, and notifies the sharer of reads', {
  tag: '@long',
}, async ({ page, context, browser, reader, baseURL }) => {
  test.slow();
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { id, title } = await publishEssay(baseURL);
  await page.goto(detail(id));
  const dialog = page.getByRole('dialog', { name: '分享这篇文章' });
  await act(page, /^分享/).click();
  await expect(dialog).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: '复制链接' }).click();
  await expect(page.getByText('已复制', { exact: true })).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toMatch(new RegExp(`${detail(id)}\\?s=[0-9A-Za-z]{8,16}$`));

  const height = async () => Math.round((await dialog.boundingBox())?.height ?? 0);
  const before = await height();
  await dialog.getByRole('tab', { name: '微信' }).click();
  await expect(dialog.getByRole('img', { name: '文章的二维码' })).toBeVisible();
  expect(await height(), 'the dialog does not jump').toBe(before);
  await dialog.getByRole('tab', { name: '微博' }).click();
  const weibo = dialog.getByRole('link', { name: '去微博发布' });
  await expect(weibo).toHaveAttribute('href', /^https:\/\/service\.weibo\.com\/share\/share\.php\?url=/);
  await expect(weibo).toHaveAttribute('rel', /noopener/);
  expect(await height()).toBe(before);
  await dialog.getByRole('tab', { name: '海报' }).click();
  const save = dialog.getByRole('link', { name: '保存图片' });
  await expect(save).toBeVisible();
  expect(await height()).toBe(before);
  const shares = async () => (await reader.call('GET core/essay/share', {})).list.map((each) => each.channel);
  expect(await shares(), 'looking is not sharing').toEqual(['link']);
  const download = page.waitForEvent('download');
  await save.click();
  expect((await download).suggestedFilename()).toBe(`${title}.png`);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(act(page, /^分享/), 'once for each way').toHaveAccessibleName(/2/);
  expect(await shares()).toEqual(['poster', 'link']);

  const visit = await (await browser.newContext({ baseURL })).newPage();
  await visit.goto(new URL(copied).pathname + new URL(copied).search);
  await expect
    .poll(async () => (await reader.call('GET core/essay/share', {})).list.map(({ readCount }) => readCount))
    .toContain(1);
  await visit.context().close();
});

test('readers with full access can download an essay', async ({ page, baseURL }) => {
  const { id } = await publishEssay(baseURL);
  await page.goto(detail(id));
  const files = page.getByRole('region', { name: '下载' });
  for (const [name, file] of [
    ['Markdown', /\.md$/],
    ['EPUB', /\.epub$/],
  ] as const) {
    const download = page.waitForEvent('download');
    await files.getByRole('button', { name }).click();
    expect((await download).suggestedFilename()).toMatch(file);
  }
  await expect(files.getByRole('button', { name: '打印 / PDF' })).toBeVisible();

  const locked = await publishEssay(baseURL, {
    price: 600,
    previewPercent: 30,
    content: '秘密。\n\n'.repeat(40),
  });
  await page.goto(detail(locked.id));
  await expect(page.getByRole('region', { name: '这是一篇付费文章' })).toBeVisible();
  await expect(files).toHaveCount(0);
});

test('reports an essay with a reason', async ({ page, reader, admin, baseURL }) => {
  const { id } = await publishEssay(baseURL);
  await page.goto(detail(id));
  const dialog = page.getByRole('dialog', { name: '举报这篇文章' });
  const report = page.getByRole('button', { name: '举报' });
  await report.scrollIntoViewIfNeeded();
  await report.click();
  await dialog.getByRole('button', { name: '提交' }).click();
  await expect(dialog.getByText('请选择理由')).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('radio', { name: '抄袭或侵权' }).check();
  await dialog.getByRole('button', { name: '提交' }).click();
  await expect(page.getByText('已收到，处理结果会通知你')).toBeVisible();
  await expect(dialog).toHaveCount(0);
  const { list } = await admin.call('GET core/sys/report/', { kind: 'essay' });
  expect(list.find(({ targetId }) => targetId === id)).toMatchObject({
    reason: 'plagiarism',
    user: { id: reader.user.id },
  });
});
