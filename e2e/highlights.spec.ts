import { readFile } from 'node:fs/promises';
import { COMMENT_STATUS, ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import { devices, type Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import { publishEssay } from './support/essays.ts';
import { layoutShift } from './support/layout-shift.ts';
import { expect, test } from './support/test.ts';
import { storeSession, type TestUser } from './support/users.ts';

const WORDS = '屏幕上只有一行日志';
const CONTENT = `夜里三点，告警响了。${WORDS}，像一封没有署名的信。

你顺着它往回读，读到**昨天**的提交，读到上个月的决定。

写下来，是为了下一个被叫醒的人。
`;

const publish = (baseURL?: string, fields: object = {}) =>
  publishEssay(baseURL, { content: CONTENT, ...fields });

/** Forms grow by an attribute of the same name. */
const textOf = (page: Page) => page.locator('[data-text]').first();

/** Selects words of the text as a mouse or a finger does, and waits for the menu. */
async function select(page: Page, words: string): Promise<void> {
  await textOf(page).evaluate((root, words) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = walker.currentNode as Text;
      const at = node.data.indexOf(words);
      if (at >= 0) getSelection()?.setBaseAndExtent(node, at, node, at + words.length);
    }
  }, words);
  await expect(page.getByRole('toolbar', { name: '选中的文字' })).toBeVisible();
}

async function open(page: Page, id: string): Promise<void> {
  await page.goto(`/essay/detail/${id}.html`);
  await page.mouse.move(200, 300);
  await page.mouse.move(210, 310);
  await page.waitForFunction(() => document.querySelector('#footnote-note') !== null);
}

/** The painted words by name of the style. */
const painted = (page: Page) =>
  page.evaluate(() =>
    Object.fromEntries(
      [...CSS.highlights].map(([name, ranges]) => [
        name.replace('essay-', ''),
        [...ranges].map((range) => range.toString()).sort(),
      ]),
    ),
  );

const highlight = (user: TestUser, essayId: string, exact: string, more: object = {}) =>
  user.call('POST core/essay/highlight', { essayId, exact, ...more });

const clickWords = async (page: Page, words: string) => {
  const point = await textOf(page).evaluate((root, words) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = walker.currentNode as Text;
      const at = node.data.indexOf(words);
      if (at < 0) continue;
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + 1);
      const { left, top, width, height } = range.getBoundingClientRect();
      return { x: left + width / 2, y: top + height / 2 };
    }
    throw new Error('the words are not in the text');
  }, words);
  await page.mouse.click(point.x, point.y);
};

const panel = (page: Page) => page.getByRole('region', { name: '划线', exact: true });

test('nothing is loaded before text is selected', async ({ page, baseURL }) => {
  const { id } = await publish(baseURL);
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await open(page, id);
  await page.mouse.wheel(0, 400);
  await page.waitForLoadState('networkidle');
  expect(requests.filter((url) => /highlight|selection-menu/.test(url))).toEqual([]);
  await select(page, WORDS);
  expect(requests.some((url) => url.includes('text-highlights'))).toBe(true);
  expect(requests.filter((url) => url.includes('api/core/essay/highlight'))).toEqual([]);
  await expect(page.getByRole('toolbar', { name: '选中的文字' })).toContainText('登录后划线');
});

test('highlights a selection, changes its colour and removes it', async ({ page, baseURL, reader }) => {
  const { id } = await publish(baseURL);
  await open(page, id);
  const html = await textOf(page).innerHTML();
  await select(page, WORDS);
  await page.getByRole('button', { name: '划线，绿色' }).click();
  await expect.poll(() => painted(page)).toEqual({ green: [WORDS] });
  await expect(page.getByRole('toolbar', { name: '选中的文字' })).toBeHidden();
  // The elements of the text stay as the server rendered them.
  expect(await textOf(page).innerHTML()).toBe(html);
  await page.reload();
  await expect.poll(() => painted(page)).toEqual({ green: [WORDS] });
  expect(await layoutShift(page)).toBeLessThan(0.02);
  await clickWords(page, WORDS);
  await panel(page).getByRole('button', { name: '划线，粉色' }).click();
  await expect.poll(() => painted(page)).toEqual({ pink: [WORDS] });
  await expectAccessible(page);
  await panel(page).getByRole('button', { name: '删除' }).click();
  await expect.poll(() => painted(page)).toEqual({});
  expect((await reader.call('GET core/essay/highlight', {})).total).toBe(0);
});

test('a selection across all kinds of blocks has the same text as on the server', { tag: '@long' }, async ({
  page,
  baseURL,
  reader,
}) => {
  const content = `开头 **粗体**、*Latin words*、\`a < b && c\`，公式 $x^2 + y^2$ 在中间。[^1]

## 小标题 & 更多

- 第一项
- [x] 第二项 [链接](https://example.com/?a=1&b=2)

\`\`\`ts title="a.ts"
const one: number = 1; // <br>

const two = one + 1;
\`\`\`

| 列 A | 列 B |
|---|---|
| 1 | “二” |

> [!NOTE]
> 提示的内容

\`\`\`mermaid
graph TD; A-->B
\`\`\`

$$
\\sum_{i=1}^n i
$$

<details><summary>展开</summary>

里面 &nbsp; 的字 &copy; 2026

</details>

最后一段。

[^1]: 脚注的内容。
`;
  const { id } = await publish(baseURL, { content });
  await open(page, id);
  await textOf(page).evaluate((root) => getSelection()?.selectAllChildren(root));
  await page.getByRole('button', { name: '划线，黄色' }).click();
  await expect.poll(async () => (await painted(page)).yellow?.length).toBe(1);
  const [found] = (await reader.call('GET core/essay/highlight', {})).list;
  expect(found?.quote).toContain('const one: number = 1; // <br>');
  expect(found?.quote).toContain('脚注的内容');
  expect(found).toMatchObject({ start: 0, state: 'found' });
  await page.reload();
  await expect.poll(async () => (await painted(page)).yellow?.[0]).toContain('最后一段');
});

test('the menu can be reached by keyboard', async ({ page, baseURL, reader: _ }) => {
  const { id } = await publish(baseURL);
  await open(page, id);
  await select(page, WORDS);
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: '划线，黄色' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect.poll(() => painted(page)).toEqual({ yellow: [WORDS] });
});

test('copies the words, and draws them as a poster', { tag: '@long' }, async ({
  page,
  context,
  baseURL,
  reader: _,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { id } = await publish(baseURL);
  await open(page, id);
  await select(page, WORDS);
  await page.getByRole('button', { name: '复制', exact: true }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(WORDS);
  await expect(page.getByRole('toolbar', { name: '选中的文字' })).toBeHidden();
  await select(page, WORDS);
  await page.getByRole('button', { name: '海报' }).click();
  const dialog = page.getByRole('dialog', { name: '金句海报' });
  await expect(dialog.getByRole('link', { name: '保存图片' })).toBeVisible();
  const src = await dialog.getByRole('img').getAttribute('src');
  expect(new URL(src ?? '', baseURL).searchParams.get('quote')).toBe(WORDS);
});

test('a thought is private until it is published as a comment', async ({
  page,
  baseURL,
  reader,
  newUser,
}) => {
  const { id } = await publish(baseURL);
  await open(page, id);
  await select(page, WORDS);
  await page.getByRole('button', { name: '写想法' }).click();
  const dialog = page.getByRole('dialog', { name: '写想法' });
  await dialog.getByLabel('想法', { exact: true }).fill('我也见过这行日志');
  await dialog.getByRole('button', { name: '保存' }).click();
  await expect(dialog).toBeHidden();
  await expect.poll(() => painted(page)).toEqual({ yellow: [WORDS] });
  expect((await reader.call('GET core/essay/cmt', { essayId: id })).total).toBe(0);
  await clickWords(page, WORDS);
  await expect(panel(page)).toContainText('只有你能看到');
  await panel(page).getByRole('button', { name: '改想法' }).click();
  const form = page.getByRole('dialog', { name: '修改想法' });
  await form.getByRole('switch', { name: '公开这条想法' }).check();
  await form.getByRole('button', { name: '公开', exact: true }).click();
  await expect(form).toBeHidden();
  const { list } = await reader.call('GET core/essay/cmt', { essayId: id });
  expect(list).toMatchObject([{ content: '我也见过这行日志', quote: { text: WORDS } }]);

  // Another reader sees it at the passage and among the comments, and can report it.
  const other = await newUser();
  await storeSession(page, other);
  await expect
    .poll(async () => (await other.call('GET core/essay/highlight/mark', { essayId: id })).passages.length)
    .toBe(1);
  await open(page, id);
  await expect.poll(async () => Object.keys(await painted(page))).toEqual(['passage']);
  await clickWords(page, WORDS);
  await expect(panel(page)).toContainText('我也见过这行日志');
  await panel(page).getByRole('button', { name: '举报' }).click();
  const report = page.getByRole('dialog', { name: '举报这条评论' });
  await report.getByRole('radio').first().check();
  await report.getByRole('button', { name: '提交' }).click();
  await expect(page.getByText('已收到，处理结果会通知你')).toBeVisible();
  await page.keyboard.press('Escape');
  const comment = page.getByRole('list', { name: '评论' }).getByRole('listitem');
  await page.locator('#comments').scrollIntoViewIfNeeded();
  await expect(comment).toContainText(WORDS);
  await comment.getByRole('link', { name: '看原文' }).click();
  await expect.poll(async () => (await painted(page)).target).toEqual([WORDS]);
});

test('quotes a passage in a comment', { tag: '@long' }, async ({ page, baseURL, reader }) => {
  const { id } = await publish(baseURL);
  await open(page, id);
  await select(page, '上个月的决定');
  await page.getByRole('button', { name: '引用' }).click();
  const composer = page.getByRole('textbox', { name: '写评论' });
  await expect(composer).toBeFocused();
  await expect(page.getByRole('button', { name: '不引用' })).toBeVisible();
  await composer.fill('这个决定我记得');
  await page.getByRole('button', { name: '发布' }).click();
  const comment = page.getByRole('list', { name: '评论' }).getByRole('listitem').first();
  await expect(comment).toContainText('上个月的决定');
  await expect(page.getByRole('button', { name: '不引用' })).toBeHidden();
  const { list } = await reader.call('GET core/essay/highlight', {});
  expect(list).toMatchObject([
    { quote: '上个月的决定', note: '这个决定我记得', thought: { status: COMMENT_STATUS.visible } },
  ]);
});

test('underlines what many readers highlighted, until the reader switches it off', { tag: '@long' }, async ({
  page,
  baseURL,
  newUser,
}) => {
  const { id, writer } = await publish(baseURL);
  for (let count = 0; count < 3; count += 1) await highlight(await newUser(), id, WORDS);
  const { call } = writer;
  await expect
    .poll(async () => (await call('GET core/essay/highlight/mark', { essayId: id })).passages)
    .toMatchObject([{ readers: 3, thoughts: 0 }]);
  await open(page, id);
  await expect.poll(async () => (await painted(page)).passage?.[0]).toContain(WORDS);
  expect(await layoutShift(page)).toBeLessThan(0.02);
  await clickWords(page, WORDS);
  await expect(panel(page)).toContainText('3 人划过');
  await panel(page).getByRole('button', { name: '不显示大家划过的句子' }).click();
  await expect.poll(() => painted(page)).toEqual({});
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await page.reload();
  await page.mouse.move(200, 300);
  await page.waitForLoadState('networkidle');
  expect(requests.filter((url) => /highlight/.test(url))).toEqual([]);
});

test('finds highlights again after a revision', async ({ page, baseURL, reader }) => {
  const { id, writer, admin } = await publish(baseURL);
  await highlight(reader, id, WORDS);
  await highlight(reader, id, '是为了下一个被叫醒的人');
  const { version } = await writer.call('GET core/essay/{id}/source', { id });
  const content = `新写的一段开头。\n\n夜里三点，告警响了。${WORDS}，像一封没有署名的信。\n`;
  await writer.call('PUT core/essay/', { id, version, content });
  await writer.call('PUT core/essay/status', { id, status: ESSAY_STATUS.waiting, revision: true });
  await admin.call('PUT core/essay/status', { id, status: ESSAY_STATUS.onShelf, revision: true });
  await expect
    .poll(async () => (await reader.call('GET core/essay/highlight', {})).list.map(({ state }) => state))
    .toEqual(['orphaned', 'moved']);
  await page.goto(`/essay/detail/${id}.html`);
  await expect.poll(() => painted(page)).toEqual({ yellow: [WORDS] });
  await page.goto('/account/center.html?tab=highlight');
  await expect(page.getByRole('list', { name: '划线与想法' })).toContainText('原文已修改');
  await expect(page.getByRole('list', { name: '划线与想法' })).toContainText('是为了下一个被叫醒的人');
});

test('lists, searches and exports own highlights', async ({ page, baseURL, reader }) => {
  const [first, second] = [await publish(baseURL), await publish(baseURL)];
  await highlight(reader, first.id, WORDS, { color: 'green', note: '值班的夜' });
  await highlight(reader, first.id, '上个月的决定', { color: 'pink' });
  await highlight(reader, second.id, '夜里三点', { color: 'pink' });
  await page.goto('/account/center.html');
  await page.getByRole('navigation', { name: '个人中心' }).getByRole('link', { name: '划线' }).click();
  const rows = page.getByRole('list', { name: '划线与想法' }).getByRole('article');
  await expect(rows).toHaveCount(3);
  await expectAccessible(page);
  await page.getByRole('radio', { name: '粉色' }).check();
  await expect(rows).toHaveCount(2);
  await page.getByRole('combobox', { name: '文章', exact: true }).selectOption(second.id);
  await expect(rows).toHaveCount(1);
  await expect(page).toHaveURL(new RegExp(`essay=${second.id}`));
  await page.getByRole('combobox', { name: '文章', exact: true }).selectOption('');
  await page.getByRole('radio', { name: '全部' }).check();
  await page.getByRole('searchbox', { name: '搜索划线与想法' }).fill('值班');
  await expect(rows).toHaveCount(1);
  await page.getByRole('searchbox', { name: '搜索划线与想法' }).fill('');
  await expect(rows).toHaveCount(3);
  const exportAs = async (name: string) => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name }).click(),
    ]);
    return readFile(await download.path(), 'utf8');
  };
  const markdown = await exportAs('导出 Markdown');
  expect(markdown).toContain(`> ${WORDS}\n\n值班的夜`);
  expect(markdown).toContain(first.title);
  expect(JSON.parse(await exportAs('导出 JSON'))).toHaveLength(3);
  await rows.first().getByRole('button', { name: '删除' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: '删除' }).click();
  await expect(rows).toHaveCount(2);
  await rows.filter({ hasText: WORDS }).getByRole('link', { name: first.title }).click();
  await expect.poll(async () => (await painted(page)).target).toEqual([WORDS]);
});

test('words of locked text are not shown to those who may not read it', async ({
  page,
  baseURL,
  newUser,
}) => {
  const paragraphs = Array.from({ length: 20 }, (_, index) => `第 ${index + 1} 段，说一件事情。`);
  const { id, writer } = await publish(baseURL, {
    content: paragraphs.join('\n\n'),
    price: 500,
    previewPercent: 30,
  });
  const { id: highlightId } = await highlight(writer, id, '第 18 段，说一件事情');
  await writer.call('POST core/essay/cmt', { essayId: id, content: '作者的想法', highlightId });
  await storeSession(page, await newUser());
  await page.goto(`/essay/detail/${id}.html#comments`);
  const comment = page.getByRole('list', { name: '评论' }).getByRole('listitem');
  await expect(comment).toContainText('引用了付费的部分');
  await expect(page.locator('body')).not.toContainText('第 18 段');
});

test('browsers without highlight ranges get mark elements', { tag: '@long' }, async ({
  page,
  baseURL,
  reader,
}) => {
  const { id } = await publish(baseURL);
  await highlight(reader, id, '读到昨天的提交', { color: 'blue' });
  await page.addInitScript(() => {
    Reflect.deleteProperty(window, 'Highlight');
  });
  await page.goto(`/essay/detail/${id}.html`);
  const marks = textOf(page).locator('mark[data-highlight="blue"]');
  await expect(marks).toHaveText(['读到', '昨天', '的提交']);
  await page.mouse.move(200, 300);
  await select(page, WORDS);
  await page.getByRole('button', { name: '划线，黄色' }).click();
  await expect(textOf(page).locator('mark[data-highlight="yellow"]')).toHaveText([WORDS]);
  await expect(marks).toHaveText(['读到', '昨天', '的提交']);
  await clickWords(page, '昨天');
  await panel(page).getByRole('button', { name: '删除' }).click();
  await expect(marks).toHaveCount(0);
  await expect(textOf(page).locator('strong')).toHaveText('昨天');
});

test.describe('on a phone', () => {
  const { defaultBrowserType: _, ...phone } = devices['iPhone 13'];
  test.use(phone);

  test('a touch selection opens the menu at the bottom of the screen', { tag: '@long' }, async ({
    page,
    baseURL,
    reader: _,
  }) => {
    const { id } = await publish(baseURL);
    await page.goto(`/essay/detail/${id}.html`);
    await page.touchscreen.tap(180, 300);
    await select(page, WORDS);
    const menu = page.getByRole('toolbar', { name: '选中的文字' });
    const { bottom, left, right } = await menu.evaluate((element) => {
      const { bottom, left, right } = element.getBoundingClientRect();
      return { bottom: innerHeight - bottom, left, right: innerWidth - right };
    });
    expect(bottom).toBeGreaterThanOrEqual(0);
    expect(bottom).toBeLessThan(40);
    expect(Math.min(left, right)).toBeGreaterThanOrEqual(0);
    for (const button of await menu.getByRole('button').all())
      expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(44);
    await page.getByRole('button', { name: '划线，蓝色' }).tap();
    await expect.poll(() => painted(page)).toEqual({ blue: [WORDS] });
    await expect(menu).toBeHidden();
    const point = await page.evaluate(() => {
      const [range] = [...(CSS.highlights.get('essay-blue') ?? [])];
      const { left, top, height } = (range as Range).getBoundingClientRect();
      return { x: left + 10, y: top + height / 2 };
    });
    await page.touchscreen.tap(point.x, point.y);
    await expect(panel(page)).toBeVisible();
    await panel(page).getByRole('button', { name: '写想法' }).tap();
    const dialog = page.getByRole('dialog', { name: '写想法' });
    await dialog.getByLabel('想法', { exact: true }).fill('手机上写的');
    await dialog.getByRole('button', { name: '保存' }).tap();
    await expect(dialog).toBeHidden();
  });
});
