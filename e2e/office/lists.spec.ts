import type { Page } from '@playwright/test';
import { goBack } from '../support/history.ts';
import { expect, LARGE_ONLY, row, test, unique } from '../support/office.ts';

/** Search, filters, sorting and page are in the URL: a reload keeps them, Back restores the previous ones. */
test.describe.configure({ mode: 'default' });
test.use({ contextOptions: { reducedMotion: 'reduce' } });

const search = async (page: Page, label: string, keyword: string) => {
  const field = page.getByRole('searchbox', { name: label });
  await field.fill(keyword);
  await field.press('Enter');
};
const choose = async (page: Page, filter: string, option: string) => {
  await page.getByRole('combobox', { name: filter }).click();
  await page.getByTitle(option, { exact: true }).click();
};
const sortBy = (page: Page, title: string) => page.getByRole('columnheader', { name: title }).click();
const parameters = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);
const goBackTo = async (page: Page, expected: Record<string, string>) => {
  await goBack(page);
  await expect.poll(() => parameters(page)).toEqual(expected);
};
const names = (page: Page) => page.locator('tbody tr.ant-table-row td:nth-child(2)');

test('a paged list keeps its state over reload and Back', LARGE_ONLY, async ({ page, open, admin }) => {
  const mark = `列表${unique()}`;
  const words = Array.from({ length: 12 }, (_, at) => `${mark}${String(at).padStart(2, '0')}`);
  await admin.call('POST core/sys/word/', { words, level: 'mask', note: '' });
  await open('/word?pageSize=10');
  await search(page, '搜索敏感词或备注', mark);
  await choose(page, '级别', '打码');
  await sortBy(page, '敏感词');
  await expect(names(page)).toHaveText(words.slice(0, 10));
  await page.getByRole('listitem', { name: '2' }).click();
  await expect(names(page)).toHaveText(words.slice(10));

  const expectedParameters = { keyword: mark, level: 'mask', sort: 'word', order: '0', pageSize: '10' };
  expect(parameters(page)).toEqual({ ...expectedParameters, page: '2' });
  await page.reload();
  await expect(names(page)).toHaveText(words.slice(10));
  await expect(page.getByRole('searchbox', { name: '搜索敏感词或备注' })).toHaveValue(mark);

  await goBackTo(page, expectedParameters);
  await expect(names(page)).toHaveText(words.slice(0, 10));
  await goBackTo(page, { keyword: mark, level: 'mask', pageSize: '10' });
});

test('an unpaged list keeps its state over reload and Back', LARGE_ONLY, async ({ page, open, admin }) => {
  const mark = `列表${unique()}`;
  for (const [at, enabled] of ([1, 0, 1] as const).entries())
    await admin.call('POST core/sys/announcement/', {
      title: `${mark}${at}`,
      content: '',
      link: '',
      level: 'info',
      startsAt: null,
      endsAt: null,
      enabled,
    });
  await open('/announcement');
  await search(page, '搜索公告', mark);
  await choose(page, '状态', '展示中');
  const expectedParameters = { keyword: mark, state: '展示中' };
  await expect.poll(() => parameters(page)).toEqual(expectedParameters);
  await sortBy(page, '标题');
  await expect.poll(() => parameters(page)).toEqual({ ...expectedParameters, sort: 'title', order: '0' });
  await sortBy(page, '标题');
  await expect.poll(() => parameters(page)).toEqual({ ...expectedParameters, sort: 'title', order: '1' });

  await page.reload();
  await expect(row(page, mark)).toHaveCount(2);
  await expect(row(page, mark).first()).toContainText(`${mark}2`);
  await goBackTo(page, { ...expectedParameters, sort: 'title', order: '0' });
  await expect(row(page, mark).first()).toContainText(`${mark}0`);
  await goBackTo(page, expectedParameters);
  await goBackTo(page, { keyword: mark });
  await expect(row(page, mark)).toHaveCount(3);
});

test('the selected dictionary and its searches survive a reload', LARGE_ONLY, async ({ page, open }) => {
  await open('/dict');
  const dicts = page.getByRole('navigation', { name: '字典' }).getByRole('link');
  await expect(dicts.first()).toBeVisible();
  await page.getByRole('textbox', { name: '查找字典' }).fill('report');
  await expect(dicts).toHaveCount(1);
  await dicts.click();
  await search(page, '搜索文字或值', '广告');
  await expect(page.locator('tbody tr.ant-table-row')).toHaveCount(1);
  await expect.poll(() => parameters(page)).toMatchObject({ find: 'report', keyword: '广告' });

  await page.reload();
  await expect(page.getByRole('textbox', { name: '查找字典' })).toHaveValue('report');
  await expect(dicts).toHaveCount(1);
  await expect(page.locator('tbody tr.ant-table-row')).toHaveCount(1);
  const { keyword: _, ...before } = parameters(page);
  await goBackTo(page, before);
});
