import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import { newWriter, publishEssay } from './support/essays.ts';
import { layoutShift } from './support/layout-shift.ts';
import { expect, test } from './support/test.ts';
import { storeSession, type TestUser } from './support/users.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

const unique = () => randomUUID().slice(0, 8);
const entries = (page: Page) => page.locator('main article:visible');
const side = (page: Page) => page.getByRole('complementary', { name: '发现' });
/** From the browser, since reads of programs are not counted. */
const read = (page: Page, { token }: TestUser, essayId: string, progress: number) =>
  page.request.post('/api/core/essay/read', { headers: { token }, data: { essayId, progress } });
const hrefsIn = (page: Page, selector: string) =>
  page
    .locator(selector)
    .evaluateAll((links) => links.map((link) => new URL((link as HTMLAnchorElement).href).pathname));

test('visitors get hot essays, and the sidebar repeats none of them', async ({ page, baseURL }) => {
  const writer = await newWriter(baseURL, { displayName: `勤快人${unique()}` });
  for (let at = 0; at < 4; at++) await publishEssay(baseURL, { writer });
  for (const path of ['/home', '/home?feed=latest', '/essay/program.html', '/essay/program.html?feed=hot']) {
    await page.goto(path);
    const listed = await hrefsIn(page, 'main article h2 a');
    expect(listed.length).toBeGreaterThan(3);
    const beside = await hrefsIn(page, 'aside section[aria-labelledby=hot] a');
    expect(beside.filter((href) => listed.includes(href))).toEqual([]);
  }
  await page.goto('/home');
  const authors = await entries(page).evaluateAll((list) =>
    list.map((entry) => entry.querySelector('a[href*="/user/home/"]')?.getAttribute('href') ?? ''),
  );
  expect(authors.length).toBeGreaterThan(3);
  await expect(side(page)).toBeVisible();
  expect(await layoutShift(page)).toBeLessThanOrEqual(0.02);
  await expectAccessible(page);
});

test('a reader follows a tag and gets its essays with the reason, until they are read', async ({
  page,
  baseURL,
  reader,
}) => {
  const tag = `标签${unique()}`;
  const title = `关于${tag}的文章`;
  const { id } = await publishEssay(baseURL, { title, tags: [tag] });
  const answerTo = (method: string) =>
    page.waitForResponse(
      (response) => response.url().includes('tag/follow') && response.request().method() === method,
    );
  // The answer that the reader does not follow the tag is late, and must not revert the click.
  const late = Promise.withResolvers<void>();
  await page.route('**/api/core/essay/tag/follow?*', async (route) => {
    if (route.request().method() === 'GET') await late.promise;
    // The page no longer waits for it.
    await route.continue().catch(() => {});
  });
  await page.goto(`/home?tag=${encodeURIComponent(tag)}`);
  const follow = page.getByRole('button', { name: `关注标签「${tag}」` });
  await expect(follow).toHaveAttribute('aria-pressed', 'false');
  // The button changes before the answer, and leaving the page would end the request.
  const saved = answerTo('POST');
  await follow.click();
  await expect(follow).toHaveText('已关注');
  await saved;
  const known = answerTo('GET');
  late.resolve();
  await (await known).finished();
  await expect(follow).toHaveText('已关注');
  await page.unrouteAll({ behavior: 'wait' });
  await expectAccessible(page);

  await page.goto('/home');
  const entry = entries(page).filter({ hasText: title });
  await expect(entry).toHaveCount(1);
  await expect(entry).toContainText(`你关注的标签 · ${tag}`);
  await expect(entries(page).first()).toContainText('你关注的标签');
  expect(await layoutShift(page)).toBeLessThanOrEqual(0.02);
  await expectAccessible(page);

  await read(page, reader, id, 100);
  await page.reload();
  await expect(entries(page).first()).toBeVisible();
  await expect(entry).toHaveCount(0);

  await page.goto('/account/center.html?tab=tag');
  const list = page.getByRole('list', { name: '关注的标签' });
  await expect(list.getByRole('link', { name: tag })).toBeVisible();
  const removed = answerTo('DELETE');
  await list.getByRole('button', { name: `关注标签「${tag}」` }).click();
  await expect(list.getByRole('button', { name: `关注标签「${tag}」` })).toHaveText('关注');
  await removed;
  await expectAccessible(page);
  await page.reload();
  await expect(page.getByText('还没有关注的标签')).toBeVisible();
});

test('visitors are asked to sign in to follow a tag', { tag: '@long' }, async ({ page, baseURL }) => {
  const tag = `标签${unique()}`;
  await publishEssay(baseURL, { tags: [tag] });
  await page.goto(`/home?tag=${encodeURIComponent(tag)}`);
  await page.getByRole('link', { name: `关注 标签「${tag}」` }).click();
  await expect(page).toHaveURL(/\/login\.html\?redirect=/);
});

test('the home page of a reader has unfinished essays and the number of new ones', { tag: '@long' }, async ({
  page,
  baseURL,
  reader,
}) => {
  const writer = await newWriter(baseURL, { displayName: `新作者${unique()}` });
  const unfinished = await publishEssay(baseURL, { writer, title: `读了一半的 ${unique()}` });
  await read(page, reader, unfinished.id, 42);
  await reader.call('POST core/essay/follow', { userId: writer.user.id });
  const fresh = [`新的一 ${unique()}`, `新的二 ${unique()}`];
  for (const title of fresh) await publishEssay(baseURL, { writer, title });

  await page.goto('/home');
  const resume = page.getByRole('region', { name: '继续阅读' });
  await expect(resume.getByRole('link', { name: unfinished.title })).toBeVisible();
  await expect(resume).toContainText('读到 42%');
  await expect(entries(page).first()).toContainText('你关注的作者');
  await expect(entries(page).filter({ hasText: unfinished.title })).toHaveCount(0);
  const tabs = page.getByRole('navigation', { name: '文章排序' });
  await expect(tabs).toContainText('2 篇新文章');
  const shown = await hrefsIn(page, 'main article h2 a, main li > a');
  const beside = await hrefsIn(page, 'aside section[aria-labelledby=hot] a');
  expect(beside.filter((href) => shown.indexOf(href) !== shown.lastIndexOf(href))).toEqual([]);
  expect(await layoutShift(page)).toBeLessThanOrEqual(0.02);
  await expectAccessible(page);

  await page.getByRole('link', { name: '关注的人有 2 篇新文章' }).click();
  await expect(page).toHaveURL(/feed=following/);
  for (const title of fresh) await expect(entries(page).filter({ hasText: title })).toHaveCount(1);
  await expect(async () => {
    expect((await reader.call('GET core/user/home', {})).newCount).toBe(0);
  }).toPass();
  await page.goto('/home');
  await expect(resume).toBeVisible();
  await expect(page.getByRole('link', { name: /篇新文章/ })).toHaveCount(0);
});

test('a skeleton stands in for the own list, and the visitors’ list is not shown to readers', {
  tag: '@long',
}, async ({ page, newUser, baseURL }) => {
  await publishEssay(baseURL);
  await storeSession(page, await newUser());
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/api/core/essay/?*feed=recommend*', async (route) => {
    await released;
    await route.fallback();
  });
  await page.goto('/home');
  await expect(page.locator('main article').first()).toBeHidden();
  release();
  await expect(entries(page).first()).toBeVisible();
  expect(await layoutShift(page)).toBeLessThanOrEqual(0.02);
});

test('feeds are linked on the pages that have them', async ({ page, baseURL, request }) => {
  const { writer } = await publishEssay(baseURL);
  for (const [path, name] of [
    ['/home', '订阅全站文章（RSS）'],
    ['/essay/program.html', /^订阅.+文章（RSS）$/],
    [`/user/home/${writer.user.id}.html`, /^订阅 RSS/],
  ] as const) {
    await page.goto(path);
    const link = page.getByRole('link', { name });
    await expect(link).toBeVisible();
    const response = await request.get((await link.getAttribute('href')) ?? '');
    expect(response.headers()['content-type']).toContain('application/atom+xml');
  }
});
