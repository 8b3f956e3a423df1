import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import { newWriter } from './support/essays.ts';
import { test as base, expect } from './support/test.ts';
import { storeSession, type TestUser } from './support/users.ts';

const test = base.extend<{ writer: TestUser }>({
  writer: async ({ page, baseURL }, use) => {
    const writer = await newWriter(baseURL ?? '');
    await storeSession(page, writer);
    await use(writer);
  },
});

const textOf = (page: Page) => page.getByRole('textbox', { name: '正文，Markdown' });
const toolbarOf = (page: Page) => page.getByRole('toolbar', { name: '格式' });
const toolOf = (page: Page, name: string) => toolbarOf(page).getByRole('button', { name, exact: true });

async function open(page: Page, writer: TestUser, content: string): Promise<string> {
  const { id } = await writer.call('POST core/essay/', {
    title: '工具',
    content,
    status: ESSAY_STATUS.draft,
  });
  await page.goto(`/essay/edit.html?id=${id}`);
  await expect(textOf(page)).toBeVisible();
  return id;
}

/** Labels of the tools, with those under 更多; fails if one is covered or outside the screen. */
async function reachableTools(page: Page): Promise<string[]> {
  const more = toolOf(page, '更多');
  if (await more.isVisible()) await more.click();
  const labels = await toolbarOf(page)
    .getByRole('button')
    .evaluateAll((buttons) =>
      buttons.map((button) => {
        button.scrollIntoView({ block: 'nearest', behavior: 'instant' });
        const { left, right, top, bottom } = button.getBoundingClientRect();
        const onTop = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
        const label = button.getAttribute('aria-label') ?? button.textContent;
        return button.contains(onTop) && left >= 0 && right <= innerWidth ? label : `covered: ${label}`;
      }),
    );
  if (await more.isVisible()) await page.keyboard.press('Escape');
  const modes = /^视图|^更多$|^(源码|即时排版|双栏|预览)$/;
  return labels.filter((label) => !modes.test(label));
}

test('every tool can be reached at every width, by pointer and by keyboard', { tag: '@large' }, async ({
  page,
  writer,
}) => {
  await open(page, writer, '一段话。');
  const all = (await reachableTools(page)).sort();
  expect(all).toContain('快捷键');
  expect(all.length).toBeGreaterThan(20);
  for (const width of [1024, 768, 375, 320]) {
    await page.setViewportSize({ width, height: 700 });
    await expect(toolOf(page, '更多')).toBeVisible();
    // The bar is laid out anew a moment after the window has its new size.
    await expect.poll(async () => (await reachableTools(page)).sort(), `at ${width} px`).toEqual(all);
  }
  await expectAccessible(page);

  await page.setViewportSize({ width: 768, height: 700 });
  await textOf(page).click();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Home');
  await expect(toolOf(page, '撤销')).toBeFocused();
  while (!(await toolOf(page, '更多').evaluate((button) => button === document.activeElement)))
    await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowRight');
  await expect(toolOf(page, '公式')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(toolOf(page, '更多')).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowDown');
  await expect(toolOf(page, '流程图')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(textOf(page)).toContainText('```mermaid');
  await expect(textOf(page)).toBeFocused();
  await expect(page.getByRole('group', { name: '更多工具' })).toHaveCount(0);

  await toolOf(page, '更多').click();
  await expect(textOf(page), 'a click on a tool leaves the focus in the text').toBeFocused();
  await toolOf(page, '表情').click();
  await page.getByRole('dialog', { name: '表情' }).getByRole('button').first().click();
  await expect(page.getByRole('dialog', { name: '表情' })).toHaveCount(0);
});

test('the slash menu has icons and groups, and is filtered by Chinese, pinyin and English', {
  tag: '@large',
}, async ({ page, writer }) => {
  await open(page, writer, '');
  await textOf(page).click();
  const menu = page.getByRole('listbox', { name: '插入内容' });
  const options = menu.getByRole('option');
  await page.keyboard.type('/');
  await expect(options).toHaveCount(15);
  await expect(menu.locator('svg')).toHaveCount(15);
  await expect(menu).toContainText('专业');
  for (const [typed, count, label] of [
    ['gs', 1, '公式'],
    ['todo', 1, '任务列表'],
    ['列表', 3, '列表'],
  ] as const) {
    await page.keyboard.insertText(typed);
    await expect(options).toHaveCount(count);
    await expect(options.first()).toContainText(label);
    for (let left = typed.length; left > 0; left--) await page.keyboard.press('Backspace');
    await expect(options).toHaveCount(15);
  }
  await page.keyboard.type('bhlb');
  await page.keyboard.press('Enter');
  await expect(textOf(page)).toHaveText('1. ');
});

const contentOf = async (writer: TestUser, id: string) =>
  (await writer.call('GET core/essay/{id}/source', { id })).content;

test('finds and replaces with regular expressions; a slow one never blocks typing', {
  tag: ['@large', '@long'],
}, async ({ page, writer }) => {
  const content = `第一行 Node node\n\n日期 2026-11 与 2025-01\n\n${'a'.repeat(60)}!`;
  const id = await open(page, writer, content);
  const text = textOf(page);
  const panel = page.getByRole('search', { name: '查找和替换' });
  const find = panel.getByRole('textbox', { name: '查找' });
  const replacement = panel.getByRole('textbox', { name: '替换为' });
  const status = panel.getByRole('status');
  const button = (name: string) => panel.getByRole('button', { name, exact: true });
  await text.click();
  await page.keyboard.press('ControlOrMeta+Home');
  await page.keyboard.press('ControlOrMeta+f');
  await expect(find).toBeFocused();

  const keyboard = await page.context().newCDPSession(page);
  await keyboard.send('Input.imeSetComposition', { text: 'no', selectionStart: 2, selectionEnd: 2 });
  await page.keyboard.press('Enter');
  await expect(status, 'nothing is searched for during a composition').toHaveText('');
  await keyboard.send('Input.insertText', { text: 'node' });
  await expect(status).toHaveText('第 1 处，共 2 处');
  await expect(text.locator('.cm-searchMatch')).toHaveCount(2);
  await page.keyboard.press('Enter');
  await expect(status).toHaveText('第 2 处，共 2 处');
  await button('区分大小写').click();
  await expect(status).toHaveText('第 1 处，共 1 处');
  await button('区分大小写').click();
  await expectAccessible(page);

  await button('正则表达式').click();
  await find.fill('(\\d{4})-(\\d\\d)');
  await expect(status).toHaveText('第 1 处，共 2 处');
  await replacement.fill('$2/$1');
  await button('替换').click();
  await expect(text).toContainText('日期 11/2026 与 2025-01');
  await expect(status).toHaveText('第 1 处，共 1 处');
  await page.keyboard.press('Escape');
  await expect(panel).toHaveCount(0);
  await expect(text).toBeFocused();
  await page.keyboard.press('ControlOrMeta+z');
  await expect(text).toContainText('日期 2026-11');
  await page.keyboard.press('ControlOrMeta+Home');
  await page.keyboard.press('ControlOrMeta+f');
  await expect(find).toHaveValue('(\\d{4})-(\\d\\d)');
  await button('全部替换').click();
  await expect(status).toHaveText('已替换 2 处');
  await expect.poll(() => contentOf(writer, id)).toContain('日期 11/2026 与 01/2025');

  await find.fill('(');
  await expect(status).toHaveText('这个正则表达式写得不对');
  await find.fill('(a|aa)+$');
  await text.click();
  await page.keyboard.press('ControlOrMeta+Home');
  await page.keyboard.type('照样能写。');
  await expect(text).toContainText('照样能写。第一行');
  await expect(status).toContainText('这个正则表达式太慢了');
  await find.fill('照样');
  await expect(status).toHaveText('第 1 处，共 1 处');
  await page.keyboard.press('Escape');
  for (let step = 0; step < 2; step++) await page.keyboard.press('ControlOrMeta+z');
  await expect.poll(() => contentOf(writer, id), 'all replacements are one step').toBe(content);
});
