import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import { newWriter, publishEssay } from './support/essays.ts';
import { expect, test } from './support/test.ts';

/** A word that no other essay has. */
const newWord = () => `qx${Math.random().toString(36).slice(2, 9)}`;

const searchBox = (page: Page) => page.getByRole('combobox', { name: '搜索文章、标签或作者' });

/** On narrow screens the search box opens by an icon. */
async function openSearchBox(page: Page): Promise<void> {
  const opener = page.getByRole('button', { name: '搜索', exact: true });
  if (await opener.isVisible()) {
    // A click before hydration is replayed, so it must not be repeated.
    await opener.click();
    await expect(searchBox(page)).toBeFocused();
  } else await searchBox(page).click();
}

test('finds essays by text and highlights matches', async ({ page, baseURL }) => {
  const word = newWord();
  const { title } = await publishEssay(baseURL, {
    title: `关于 ${word} 的一切`,
    content: `开头不说。这里才提到 ${word}，并且说清楚它是什么。`,
  });
  await page.goto('/home');
  await openSearchBox(page);
  await searchBox(page).fill(word);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/home\\?keyword=${word}$`));
  await expect(page).toHaveTitle(new RegExp(`^搜索「${word}」`));
  await expect(page.getByText('找到 1 篇')).toBeVisible();
  const results = page.getByRole('list', { name: '搜索结果' });
  await expect(results.getByRole('link', { name: title })).toBeVisible();
  await expect(results.locator('mark').first()).toHaveText(new RegExp(word, 'i'));
  await expect(page.locator('meta[name="robots"]')).toHaveAttribute('content', 'noindex');
  await expectAccessible(page);
});

test('suggests next steps when there are no results', async ({ page }) => {
  await page.goto(`/home?keyword=${newWord()}`);
  await expect(page.getByRole('status').getByText('没有找到')).toBeVisible();
  await expect(page.getByRole('heading', { name: /^没有找到/ })).toBeVisible();
  await page.goto(`/essay/program.html?keyword=${newWord()}`);
  await page.getByRole('link', { name: '在全站再找一次' }).click();
  await expect(page).toHaveURL(/\/home\?keyword=/);
});

test('offers suggestions that can be selected by keyboard', async ({ page, baseURL }) => {
  const word = newWord();
  await publishEssay(baseURL, { tags: [word] });
  await page.goto('/home');
  await openSearchBox(page);
  await searchBox(page).pressSequentially(word.slice(0, 5));
  const tag = page.getByRole('option', { name: new RegExp(`${word}.*标签`) });
  await expect(tag).toBeVisible();
  await expect(searchBox(page)).toHaveAttribute('aria-expanded', 'true');
  await expectAccessible(page);
  await expect(async () => {
    await page.keyboard.press('ArrowDown');
    await expect(tag).toHaveAttribute('aria-selected', 'true', { timeout: 5000 });
  }).toPass();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL((url) => url.searchParams.get('tag') === word);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(word);
});

test('finds authors by name', async ({ page, baseURL }) => {
  const displayName = `欧阳${newWord()}`;
  const writer = await newWriter(baseURL, { displayName });
  await publishEssay(baseURL, { writer });
  await page.goto('/home');
  await openSearchBox(page);
  await searchBox(page).fill(displayName);
  await page.getByRole('option', { name: new RegExp(`${displayName}.*作者`) }).click();
  await expect(page).toHaveURL(new RegExp(`/user/home/${writer.user.id}`));
});

test('ignores keys during IME composition', { tag: '@long' }, async ({ page }) => {
  await page.goto('/home');
  await openSearchBox(page);
  const requests: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('essay/suggest')) requests.push(request.url());
  });
  const client = await page.context().newCDPSession(page);
  await client.send('Input.imeSetComposition', { text: 'huan', selectionStart: 4, selectionEnd: 4 });
  await page.waitForTimeout(600);
  expect(requests).toEqual([]);
  await client.send('Input.insertText', { text: '缓存' });
  await expect.poll(() => requests.length).toBe(1);
  expect(decodeURIComponent(requests[0] ?? '')).toContain('缓存');
});

test('stores recent searches until they are cleared', { tag: '@long' }, async ({ page }) => {
  const words = [newWord(), newWord()];
  for (const word of words) {
    await page.goto('/home');
    await openSearchBox(page);
    await expect(async () => {
      await searchBox(page).fill(word);
      await expect(searchBox(page)).toHaveValue(word);
    }).toPass();
    // The list appears only after the code for recent searches is loaded.
    await page.waitForLoadState('networkidle');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(new RegExp(word));
  }
  await page.goto('/home');
  await openSearchBox(page);
  const history = page.getByRole('listbox', { name: '搜索历史' });
  await expect(history.getByRole('option')).toHaveText([...words].reverse());
  await page.getByRole('button', { name: '清除搜索历史' }).click();
  await expect(history).toHaveCount(0);
  await page.reload();
  await openSearchBox(page);
  await page.waitForLoadState('networkidle');
  await expect(page.getByRole('option')).toHaveCount(0);
});
