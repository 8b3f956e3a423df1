import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import { newWriter, publishEssay } from './support/essays.ts';
import { expect, test } from './support/test.ts';

/** A word that no other essay has. */
const newWord = () => `qa${Math.random().toString(36).slice(2, 9)}`;

const results = (page: Page) => page.getByRole('list', { name: '搜索结果' });
const filters = (page: Page) => page.locator('summary', { hasText: '筛选' });

/** Other names with a pair of these characters are partial matches, which come after it. */
function newChineseName(): { name: string; pinyin: string } {
  const syllables = [
    ['淼', 'miao'],
    ['鑫', 'xin'],
    ['犇', 'ben'],
    ['骉', 'biao'],
    ['焱', 'yan'],
    ['森', 'sen'],
  ] as const;
  const chosen = Array.from(
    { length: 6 },
    () => syllables[Math.floor(Math.random() * syllables.length)] ?? syllables[0],
  );
  return {
    name: chosen.map(([character]) => character).join(''),
    pinyin: chosen.map(([, sound]) => sound).join(''),
  };
}

test('a name in pinyin finds the person and their essays', async ({ page, baseURL }) => {
  const { name, pinyin } = newChineseName();
  const writer = await newWriter(baseURL, { displayName: name });
  const { title } = await publishEssay(baseURL, { writer });
  for (const keyword of [name, pinyin]) {
    await page.goto(`/home?keyword=${encodeURIComponent(keyword)}`);
    const person = page.getByRole('list', { name: '作者', exact: true }).getByRole('link', { name });
    await expect(person).toBeVisible();
    const best = results(page).getByRole('article').first();
    await expect(best.getByRole('link', { name: title })).toBeVisible();
    await expect(best.getByText('部分匹配')).toHaveCount(0);
    await expect(page.getByText(/^找到 \d+ 篇文章、1 位作者/)).toBeVisible();
    await expect(page.getByText('没有找到')).toHaveCount(0);
  }
  await expectAccessible(page);
  await page.getByRole('list', { name: '作者', exact: true }).getByRole('link', { name }).click();
  await expect(page).toHaveURL(new RegExp(`/user/home/${writer.user.id}`));
});

test('a tag and a column find their essays', { tag: '@long' }, async ({ page, baseURL }) => {
  const [tag, columnName] = [`${newWord()}标签`, `${newWord()}漫谈`];
  const writer = await newWriter(baseURL);
  const column = await writer.call('POST core/essay/column', { name: columnName });
  const { title } = await publishEssay(baseURL, { writer, tags: [tag], columnId: column.id });
  await page.goto(`/home?keyword=${encodeURIComponent(tag)}`);
  await expect(results(page).getByRole('link', { name: title })).toBeVisible();
  await expect(page.getByRole('list', { name: '专栏与标签' }).getByRole('link', { name: tag })).toBeVisible();
  await page.goto(`/home?keyword=${encodeURIComponent(columnName)}`);
  await expect(results(page).getByRole('link', { name: title })).toBeVisible();
  await page.getByRole('list', { name: '专栏与标签' }).getByRole('link', { name: columnName }).click();
  await expect(page).toHaveURL(new RegExp(column.id));
});

test('labels matches of only some words', async ({ page, baseURL }) => {
  const [one, two] = [newWord(), newWord()];
  const both = await publishEssay(baseURL, { title: `${one} 与 ${two}` });
  const some = await publishEssay(baseURL, { title: `只有 ${one}` });
  await page.goto(`/home?keyword=${one}+${two}`);
  const entries = results(page).getByRole('article');
  await expect(entries).toHaveCount(2);
  await expect(entries.nth(0)).toContainText(both.title);
  await expect(entries.nth(0).getByText('部分匹配')).toHaveCount(0);
  await expect(entries.nth(1)).toContainText(some.title);
  await expect(entries.nth(1).getByText('部分匹配')).toBeVisible();
  await expectAccessible(page);
});

test('filters and sorting are in the URL and can be removed', async ({ page, baseURL }) => {
  const word = newWord();
  const [ann, bob] = [await newWriter(baseURL), await newWriter(baseURL)];
  const free = await publishEssay(baseURL, { writer: ann, title: `${word} 甲`, tags: [`${word}签`] });
  const paid = await publishEssay(baseURL, {
    writer: bob,
    title: `${word} 乙`,
    price: 500,
    content: `${word}。\n\n后面。`,
  });
  await page.goto(`/home?keyword=${word}`);
  const links = results(page).getByRole('heading');
  await expect(links).toHaveCount(2);
  await page.getByRole('link', { name: '最新', exact: true }).click();
  await expect(page).toHaveURL(/sort=latest/);
  await expect(links).toHaveText([paid.title, free.title]);
  await filters(page).click();
  const panel = (label: string) => page.getByRole('group', { name: label, exact: true });
  await panel('价格').getByRole('link', { name: '付费' }).click();
  await expect(page).toHaveURL(/price=paid/);
  await expect(page).toHaveURL(/sort=latest/);
  await expect(links).toHaveText([paid.title]);
  await expectAccessible(page);
  await page.reload();
  await expect(links).toHaveText([paid.title]);
  await panel('价格').getByRole('link', { name: '不限' }).click();
  // Without a filter the panel closes; a click before that would close it, too.
  await expect(page).not.toHaveURL(/price=/);
  await expect(links).toHaveCount(2);
  await filters(page).click();
  await panel('作者').getByRole('link', { name: ann.user.displayName }).click();
  await expect(page).toHaveURL(new RegExp(`author=${ann.user.id}`));
  await expect(links).toHaveText([free.title]);
  await panel('标签')
    .getByRole('link', { name: `${word}签` })
    .click();
  await expect(page).toHaveURL(/tag=/);
  await expect(links).toHaveText([free.title]);
  await panel('时间').getByRole('link', { name: '一周内' }).click();
  await expect(page).toHaveURL(/since=week/);
  await expect(links).toHaveText([free.title]);
  await panel('价格').getByRole('link', { name: '付费' }).click();
  await expect(page.getByRole('heading', { name: /^这些条件下没有/ })).toBeVisible();
  await page.getByRole('link', { name: '清除全部筛选' }).click();
  await expect(links).toHaveCount(2);
  await filters(page).click();
  await panel('分类').getByRole('link').nth(2).click();
  await expect(page).toHaveURL(/\/essay\/.*keyword=/);
  await page.getByRole('link', { name: '在全站再找一次' }).click();
  await expect(links).toHaveCount(2);
});

test('suggestions offer essays', async ({ page, baseURL }) => {
  const word = newWord();
  const { id, title } = await publishEssay(baseURL, { title: `说说 ${word} 这件事` });
  await page.goto('/home');
  const opener = page.getByRole('button', { name: '搜索', exact: true });
  if (await opener.isVisible()) await opener.click();
  const box = page.getByRole('combobox', { name: '搜索文章、标签或作者' });
  await box.click();
  await box.fill(word);
  const essay = page.getByRole('option', { name: new RegExp(title) });
  await expect(essay).toBeVisible();
  await expect(page.getByRole('option', { name: word, exact: true })).toHaveCount(0);
  await box.fill('zzqqzz');
  await expect(page.getByRole('option', { name: /热门文章/ }).first()).toBeVisible();
  await box.fill(word);
  await essay.click();
  await expect(page).toHaveURL(new RegExp(id));
});

test('readers search their own history and collections', { tag: '@long' }, async ({
  page,
  reader,
  baseURL,
}) => {
  const word = newWord();
  const [one, two] = [
    await publishEssay(baseURL, { content: `正文里有 ${word}。` }),
    await publishEssay(baseURL, {}),
  ];
  for (const { id } of [one, two]) {
    // Node's own user agent counts as a robot, whose reads are not stored.
    await fetch(new URL('/api/core/essay/read', baseURL), {
      method: 'POST',
      headers: {
        token: reader.token,
        'content-type': 'application/json',
        'user-agent': 'Mozilla/5.0 Firefox/140.0',
      },
      body: JSON.stringify({ essayId: id, progress: 10 }),
    });
    await reader.call('POST core/essay/collect', { essayId: id });
  }
  for (const [tab, label, name] of [
    ['history', '搜索足迹', '足迹'],
    ['collect', '搜索收藏', '收藏的文章'],
  ] as const) {
    await page.goto(`/account/center.html?tab=${tab}`);
    const entries = page.getByRole('list', { name }).getByRole('article');
    await expect(entries).toHaveCount(2);
    await page.getByRole('searchbox', { name: label }).fill(word);
    await expect(entries).toHaveCount(1);
    await expect(entries).toContainText(one.title);
    await page.getByRole('searchbox', { name: label }).fill(newWord());
    await expect(page.getByRole('heading', { name: /^没有找到/ })).toBeVisible();
  }
  await expectAccessible(page);
});
