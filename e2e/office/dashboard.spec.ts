import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/accessibility.ts';
import { publishEssay, submitEssay } from '../support/essays.ts';
import { newStaff, newStaffWith } from '../support/staff.ts';
import { expect, test } from '../support/test.ts';
import { storeSession, type TestUser } from '../support/users.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

const DAY_MS = 86_400_000;
const daysAgo = (days: number) =>
  new Date(Date.now() + 8 * 3_600_000 - days * DAY_MS).toISOString().slice(0, 10);
const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

async function open(page: Page, person: TestUser): Promise<void> {
  await storeSession(page, person);
  await page.goto('/admin/');
}

test('displays statistics of selected days as plots, tables and files', async ({
  page,
  admin,
  newUser,
  baseURL,
}) => {
  const { id } = await publishEssay(baseURL);
  const reader = await newUser();
  const browser = await page.evaluate(() => navigator.userAgent);
  await fetch(`${baseURL}/api/core/essay/read`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': browser, token: reader.token },
    body: JSON.stringify({ essayId: id }),
  });
  await submitEssay(baseURL);
  await open(page, admin);
  await expect(page.getByRole('link', { name: /待审核文章\s*[1-9]/ })).toBeVisible();
  for (const name of [
    '阅读',
    '注册',
    '发布',
    '收入',
    '私信与聊天',
    '评论',
    '读得最多的文章',
    '读得最多的作者',
    '系统状态',
  ])
    await expect(card(page, name)).toBeVisible();
  const plot = page.getByRole('slider', { name: '阅读，按天' });
  await plot.press('End');
  await expect(plot).toHaveAttribute('aria-valuetext', /月 \d+ 日：阅读 [1-9]/);

  await page.getByRole('navigation', { name: '时间' }).getByRole('link', { name: '7 天' }).click();
  await expect(page).toHaveURL(/\?days=7$/);
  await expect(card(page, '注册')).toContainText('7 天合计');
  await expect(page.getByLabel('开始日期')).toHaveValue(daysAgo(6));
  await page.getByLabel('开始日期').fill(daysAgo(3));
  await expect(page).toHaveURL(`/admin/?from=${daysAgo(3)}&to=${daysAgo(0)}`);
  await expect(card(page, '发布')).toContainText('4 天合计');
  // Rankings are kept for ten minutes: that of 30 days may be from a test that viewed it before anybody read.
  await expect(card(page, '读得最多的文章').getByRole('link').first()).toBeVisible();

  await button(page, '表格：发布').click();
  const rows = card(page, '发布').getByRole('row');
  await expect(rows).toHaveCount(5);
  await expect(rows.nth(1)).toContainText(daysAgo(0));
  await expectAccessible(page);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    button(page, '导出 CSV：收入').click(),
  ]);
  const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
  expect(lines[0]).toBe('日期,流水（元）,退款（元）');
  expect(lines).toHaveLength(5);
  expect(lines[4]).toMatch(new RegExp(`^${daysAgo(0)},\\d+\\.\\d\\d,\\d+\\.\\d\\d$`));
});

test('displays no zeros before the first count', async ({ page, admin }) => {
  let isCounted = false;
  await page.route(/core\/sys\/stat\/\?/, async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    if (!isCounted) body.data = { ...body.data, updatedAt: null, refreshing: true };
    await route.fulfill({ response, json: body });
  });
  await open(page, admin);
  await expect(page.getByText('正在统计…')).toBeVisible();
  await expect(card(page, '阅读')).toBeHidden();
  isCounted = true;
  await expect(card(page, '阅读')).toBeVisible();
  // The page may be asking again.
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test('displays only permitted parts: no money for auditors, only own pending items for others', async ({
  page,
  admin,
  baseURL,
}) => {
  await open(page, await newStaff(admin, baseURL ?? '', 'auditor'));
  await expect(card(page, '阅读')).toBeVisible();
  await expect(page.getByRole('link', { name: /待审核文章/ })).toBeVisible();
  for (const name of ['收入', '系统状态', '最近注册']) await expect(card(page, name)).toBeHidden();

  const moderator = await newStaffWith(admin, baseURL ?? '', ['comment:list']);
  await open(page, moderator);
  await expect(page.getByRole('list', { name: '待办' }).getByRole('link')).toHaveText(/^待审核评论\d+$/);
  await expect(card(page, '阅读')).toBeHidden();
  await expectAccessible(page);
  await expect(moderator.call('GET core/sys/stat/', {})).rejects.toThrow('FORBIDDEN');
});
