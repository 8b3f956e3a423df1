import type { Page } from '@playwright/test';
import { newWriter } from './support/essays.ts';
import { expect, test } from './support/test.ts';
import { storeSession } from './support/users.ts';

const textOf = (page: Page) => page.getByRole('textbox', { name: '正文，Markdown' });

test('accepts and ignores suggestions, and never disturbs a composition', { tag: '@large' }, async ({
  page,
  baseURL,
}) => {
  const writer = await newWriter(baseURL);
  const content = '返回List<String>就行。\n\n我的的书,用API写。\n\n`代码API,的的`不动\n';
  const { id } = await writer.call('POST core/essay/', { title: '建议', content });
  await storeSession(page, writer);
  await page.goto(`/essay/edit.html?id=${id}`);
  const button = page.getByRole('contentinfo').getByRole('button', { name: /HTML|排版/ });
  await expect(button).toHaveText('1 处会被当成 HTML');
  await button.click();
  const popup = page.getByRole('dialog', { name: '文字里的建议' });
  await popup.getByRole('button', { name: '全部改成代码' }).click();
  await expect(textOf(page)).toContainText('`List<String>`');
  const list = popup.getByRole('region', { name: '中文排版' });
  const item = (message: string) => list.getByRole('listitem').filter({ hasText: message });
  await item('重复了').getByRole('button', { name: '接受' }).click();
  await expect(textOf(page)).toContainText('我的书,用API写。');
  await item('全角标点').getByRole('button', { name: '忽略' }).click();
  await expect(item('全角标点')).toHaveCount(0);
  await list.getByRole('button', { name: '全部接受' }).click();
  await expect(textOf(page)).toContainText('我的书,用 API 写。');
  await expect(textOf(page)).toContainText('`代码API,的的`不动');
  await page.keyboard.press('Escape');

  // What was ignored stays ignored.
  await expect(page.locator('header [data-state]')).toHaveAttribute('data-state', 'saved');
  await page.reload();
  await expect(button).toHaveText('排版');

  // A composition that lasts longer than a check ends as it was typed.
  await textOf(page).click();
  await page.keyboard.press('Control+End');
  const session = await page.context().newCDPSession(page);
  await page.keyboard.insertText('好API');
  await session.send('Input.imeSetComposition', { text: 'zhong', selectionStart: 5, selectionEnd: 5 });
  await page.waitForTimeout(1200);
  await session.send('Input.imeSetComposition', { text: 'zhongwen', selectionStart: 8, selectionEnd: 8 });
  await session.send('Input.insertText', { text: '中文' });
  await expect(textOf(page)).toContainText('好API中文');
  await expect(button).toHaveText('排版建议 2');
});

test('tells how many characters are too many, and goes on when they are removed', {
  tag: ['@large', '@long'],
}, async ({ page, baseURL }) => {
  test.slow();
  const writer = await newWriter(baseURL);
  const line = `${'长'.repeat(99)}\n`;
  const { id } = await writer.call('POST core/essay/', { title: '太长', content: line.repeat(1999) });
  await storeSession(page, writer);
  await page.goto(`/essay/edit.html?id=${id}`);
  const status = page.getByRole('contentinfo');
  await expect(status).toContainText('还能写 100 个字符');
  await textOf(page).click();
  await page.keyboard.press('Control+End');
  await page.keyboard.insertText('多'.repeat(112));
  await expect(status).toContainText('超出 12 个字符，不能保存');
  await expect(page.getByRole('alert')).toContainText('超出 12 个');
  await expect(page.getByRole('region', { name: '预览' })).toContainText('正文超出 12 个字符');
  await page.getByRole('button', { name: '发布', exact: true }).click();
  await page.getByRole('button', { name: '提交审核' }).click();
  await expect(page.getByRole('dialog')).toContainText('正文：超出 12 个字符，请先删减');
  await page.keyboard.press('Escape');
  await textOf(page).click();
  await page.keyboard.press('Control+End');
  for (let count = 0; count < 12; count += 1) await page.keyboard.press('Backspace');
  await expect(status).toContainText('还能写 0 个字符');
  await expect(page.getByRole('region', { name: '预览' })).not.toContainText('预览停在');
  await expect(page.locator('header [data-state]')).toHaveAttribute('data-state', 'saved');
});
