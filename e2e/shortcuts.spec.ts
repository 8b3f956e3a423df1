import { newWriter, publishEssay } from './support/essays.ts';
import { expect, test } from './support/test.ts';

test('j and k go through a list, Enter opens the essay', async ({ page, baseURL }) => {
  const writer = await newWriter(baseURL);
  for (const title of ['第一篇', '第二篇', '第三篇']) await publishEssay(baseURL, { writer, title });
  await page.goto(`/user/home/${writer.user.id}.html`);
  const focused = page.locator('article a:focus');
  await page.keyboard.press('j');
  await expect(focused).toHaveText('第三篇');
  await page.keyboard.press('j');
  await expect(focused).toHaveText('第二篇');
  await page.keyboard.press('k');
  await expect(focused).toHaveText('第三篇');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: '第三篇' })).toBeVisible();
});

test('j and k go through the sections of a text', async ({ page, baseURL }) => {
  const { id } = await publishEssay(baseURL, {
    content: ['一', '二', '三']
      .map((name) => `## 第${name}节\n\n${'这一节的文字。'.repeat(300)}`)
      .join('\n\n'),
  });
  await page.goto(`/essay/detail/${id}.html`);
  const focused = page.locator('[data-text] :focus');
  await page.keyboard.press('j');
  await expect(focused).toContainText('第一节');
  await page.keyboard.press('j');
  await expect(focused).toContainText('第二节');
  await expect(focused).toBeInViewport();
  await page.keyboard.press('k');
  await expect(focused).toContainText('第一节');
});

test('/ searches, ? explains the shortcuts and turns them off; fields receive the keys', {
  tag: '@large',
}, async ({ page }) => {
  await page.goto('/home');
  await page.keyboard.press('/');
  const search = page.getByRole('combobox', { name: /搜索/ });
  await expect(search).toBeFocused();
  await page.keyboard.type('j/?');
  await expect(search).toHaveValue('j/?');
  await search.blur();
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: '键盘快捷键' });
  await expect(help).toBeVisible();
  await page.keyboard.press('j');
  await help.getByRole('checkbox', { name: /启用单键快捷键/ }).uncheck();
  await page.keyboard.press('Escape');
  await expect(help).toBeHidden();
  await page.keyboard.press('/');
  await page.keyboard.press('?');
  await expect(help, 'the help is always there').toBeVisible();
  await expect(search).not.toBeFocused();
});
