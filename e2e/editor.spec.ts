import { ESSAY_STATUS, FLAG, IDENTITY } from '@mozhan/contract/enums.ts';
import { createPng } from '@mozhan/server/testing/pictures.ts';
import type { Page, TestInfo } from '@playwright/test';
import { strToU8, zipSync } from 'fflate';
import { expectAccessible } from './support/accessibility.ts';
import { openEditor, pasteHtml, savedText, textOf, typeAtEnd, waitUntilSaved } from './support/editor.ts';
import { newWriter, publishEssay } from './support/essays.ts';
import { pictureFile } from './support/pictures.ts';
import { test as base, expect } from './support/test.ts';
import { storeSession, type TestUser } from './support/users.ts';

const test = base.extend<{ writer: TestUser }>({
  writer: async ({ page, baseURL }, use) => {
    const writer = await newWriter(baseURL ?? '');
    await storeSession(page, writer);
    await use(writer);
  },
});

const OFFLINE = /ERR_INTERNET_DISCONNECTED/;
const isPhone = ({ project }: TestInfo) => project.name === 'phone';

const titleOf = (page: Page) => page.getByRole('textbox', { name: '标题', exact: true });
const stateOf = (page: Page) => page.locator('header [data-state]');

const idOf = (page: Page) => new URL(page.url()).searchParams.get('id') ?? '';
/** Every tool can be clicked at any screen width and is not covered. */
async function expectToolsInReach(page: Page): Promise<void> {
  const before = page.viewportSize();
  const tools = page.getByRole('toolbar', { name: '格式' }).getByRole('button').filter({ visible: true });
  for (const width of [320, 768, 1000, 1440]) {
    await page.setViewportSize({ width, height: 720 });
    const listCovered = () =>
      tools.evaluateAll((buttons) =>
        buttons.flatMap((button) => {
          button.scrollIntoView({ inline: 'nearest', block: 'nearest', behavior: 'instant' });
          const { left, top, width, height } = button.getBoundingClientRect();
          const onTop = document.elementFromPoint(left + width / 2, top + height / 2);
          return button.contains(onTop) ? [] : [button.getAttribute('aria-label') ?? button.textContent];
        }),
      );
    // The bar is laid out anew a moment after the window has its new size.
    await expect.poll(listCovered, `at ${width} px`).toEqual([]);
  }
  if (before !== null) await page.setViewportSize(before);
}

test('saves an essay with a picture automatically and restores it after a reload', async ({
  page,
  writer,
}, info) => {
  await openEditor(page);
  await titleOf(page).fill('让任务表永远不长大');
  await typeAtEnd(page, '## 两种「旧」\n\n做完的，和失败的。\n');
  await waitUntilSaved(page);
  await page.getByLabel('插入图片').setInputFiles(await pictureFile('示意图.png'));
  await expect(textOf(page)).toContainText(/!\[示意图\]\(\/files\/.+\)/);
  await expect.poll(() => savedText(writer, page)).toMatch(/!\[示意图\]\(\/files\/\S+\)/);
  await page.reload();
  await expect(textOf(page)).toContainText('做完的，和失败的。');
  await expect(titleOf(page)).toHaveValue('让任务表永远不长大');
  if (isPhone(info)) {
    await page.getByRole('button', { name: /^视图/ }).click();
    await page.getByRole('button', { name: '预览', exact: true }).click();
  }
  const preview = page.getByRole('region', { name: '预览' });
  await expect(preview.getByRole('heading', { name: '两种「旧」' })).toBeVisible();
  await expect(preview.locator('img')).toBeVisible();
  await expectAccessible(page);
});

test('slash menu, bold and a table by keyboard', { tag: '@large' }, async ({ page, writer }) => {
  await openEditor(page);
  await textOf(page).click();
  await page.keyboard.type('/table');
  await expect(page.getByRole('option', { name: /表格/ })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(textOf(page)).toContainText('| --- | --- | --- |');
  await page.keyboard.type('名称');
  await page.keyboard.press('Tab');
  await page.keyboard.type('大小');
  await page.keyboard.press('Control+End');
  await page.keyboard.press('Enter');
  await page.keyboard.type('重点');
  await page.keyboard.press('Shift+Home');
  await page.keyboard.press('Control+b');
  await waitUntilSaved(page);
  const content = await savedText(writer, page);
  expect(content).toContain('| 名称 | 大小 | 标题 |');
  expect(content).toContain('**重点**');
});

test('keys of the reading shortcuts are text in the editor', { tag: '@large' }, async ({ page, writer }) => {
  await openEditor(page);
  await textOf(page).click();
  await page.keyboard.type('为什么? jk', { delay: 20 });
  await waitUntilSaved(page);
  expect(await savedText(writer, page)).toBe('为什么? jk');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('the preview of a long text stays in order when blocks change', { tag: ['@large', '@long'] }, async ({
  page,
  writer,
}) => {
  // Long enough for several sections.
  const paragraphs = Array.from({ length: 400 }, (_, at) => `第 ${at} 段${'，说得长一点'.repeat(12)}`);
  const { id } = await writer.call('POST core/essay/', {
    title: '四百段',
    content: paragraphs.join('\n\n'),
    status: ESSAY_STATUS.draft,
  });
  await openEditor(page, `/essay/edit.html?id=${id}`);
  const shown = page.getByRole('region', { name: '预览' }).locator('[data-prose] p');
  await expect(shown).toHaveText(paragraphs);
  await textOf(page).click();
  await page.keyboard.press('Control+Home');
  await page.keyboard.insertText('开头\n\n');
  await page.keyboard.press('Control+End');
  const added = Array.from({ length: 100 }, (_, at) => `新的 ${at} 段`);
  await page.keyboard.insertText(`\n\n${added.join('\n\n')}`);
  await expect(shown).toHaveText(['开头', ...paragraphs, ...added]);
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText('只剩一段');
  await expect(shown).toHaveText(['只剩一段']);
});

test('ignores keys during IME composition', { tag: '@large' }, async ({ page, writer }) => {
  await openEditor(page);
  await typeAtEnd(page, '先有一句。\n\n');
  await waitUntilSaved(page);
  const keyboard = await page.context().newCDPSession(page);
  await keyboard.send('Input.imeSetComposition', { text: '/ni', selectionStart: 3, selectionEnd: 3 });
  await page.waitForTimeout(2500);
  await expect(page.getByRole('listbox', { name: '插入内容' })).toBeHidden();
  await keyboard.send('Input.imeSetComposition', { text: '你好', selectionStart: 2, selectionEnd: 2 });
  await keyboard.send('Input.insertText', { text: '你好' });
  await expect(textOf(page)).toContainText('你好');
  await expect.poll(() => savedText(writer, page)).toBe('先有一句。\n\n你好');
});

test('saves text that was written offline when the connection returns', { tag: '@large' }, async ({
  page,
  writer,
  context,
  browserErrors,
}) => {
  browserErrors.allow(OFFLINE);
  await openEditor(page);
  await typeAtEnd(page, '有网的时候。');
  await waitUntilSaved(page);
  await context.setOffline(true);
  await typeAtEnd(page, '断网的时候。');
  await expect(stateOf(page)).toContainText('离线，已存本机');
  await context.setOffline(false);
  await waitUntilSaved(page);
  expect(await savedText(writer, page)).toBe('有网的时候。断网的时候。');
});

test('restores the text after a tab crash', { tag: '@large' }, async ({
  page,
  writer,
  context,
  browserErrors,
}) => {
  browserErrors.allow(OFFLINE);
  await openEditor(page);
  await typeAtEnd(page, '存好的。');
  await waitUntilSaved(page);
  const address = page.url();
  await context.setOffline(true);
  await typeAtEnd(page, '没来得及存的。');
  // By then the text has been in the browser's store for more than a second.
  await expect(stateOf(page)).toHaveAttribute('data-state', 'offline');
  await page.waitForTimeout(500);
  await page.close({ runBeforeUnload: false });
  await context.setOffline(false);
  const next = await context.newPage();
  await openEditor(next, address);
  await expect(textOf(next)).toContainText('存好的。没来得及存的。');
  await waitUntilSaved(next);
  expect(await savedText(writer, next)).toBe('存好的。没来得及存的。');
});

test('restores a new essay that never reached the server, without duplicates', { tag: '@large' }, async ({
  page,
  writer,
  context,
  browserErrors,
}) => {
  browserErrors.allow(/Failed to load resource|net::/);
  let requestCount = 0;
  await page.route('**/api/core/essay/?*', async (route) => {
    requestCount += 1;
    // The first request arrives, but its response is lost.
    await route.fetch();
    await route.abort();
  });
  await openEditor(page);
  await typeAtEnd(page, '答复丢了的文章。');
  await expect.poll(() => requestCount).toBeGreaterThan(0);
  await expect(stateOf(page)).toContainText('离线');
  await page.close();
  const next = await context.newPage();
  await openEditor(next);
  await expect(textOf(next)).toContainText('答复丢了的文章。');
  await waitUntilSaved(next);
  const { list } = await writer.call('GET core/essay/', { mine: FLAG.on });
  expect(list).toHaveLength(1);
});

test('keeps the text when the session expires, and continues after signing in', { tag: '@large' }, async ({
  page,
  writer,
  browserErrors,
}) => {
  browserErrors.allow(/401/);
  await openEditor(page);
  await typeAtEnd(page, '登录着写的。');
  await waitUntilSaved(page);
  const token = await page.evaluate(() => localStorage.getItem('token') ?? '');
  await page.evaluate(() => localStorage.setItem('token', 'x'.repeat(43)));
  await typeAtEnd(page, '过期以后写的。');
  await expect(page.getByRole('link', { name: '在新标签页登录' })).toBeVisible();
  await expect(textOf(page)).toContainText('过期以后写的。');
  const { id, headImg, displayName, curIdentity } = writer.user;
  const other = await page.context().newPage();
  await other.goto('/healthz');
  await other.evaluate(
    ([token, user]) => {
      localStorage.setItem('token', token);
      localStorage.setItem('currentUser', user);
    },
    [token, JSON.stringify({ id, headImg, displayName, curIdentity })] as const,
  );
  await waitUntilSaved(page);
  expect(await savedText(writer, page)).toBe('登录着写的。过期以后写的。');
});

test('two tabs: the unchanged one updates itself; conflicting texts are compared and merged', {
  tag: '@large',
}, async ({ page, writer, context, browserErrors }) => {
  browserErrors.allow(/ERR_INTERNET_DISCONNECTED|409/);
  await openEditor(page);
  await typeAtEnd(page, '开头。\n\n');
  await waitUntilSaved(page);
  const other = await context.newPage();
  await openEditor(other, page.url());
  await typeAtEnd(other, '乙写的。\n\n');
  await waitUntilSaved(other);
  await expect(textOf(page)).toContainText('乙写的。');

  await context.setOffline(true);
  await typeAtEnd(page, '甲的新话。');
  await typeAtEnd(other, '乙的新话。');
  await expect(stateOf(page)).toHaveAttribute('data-state', 'offline');
  await expect(stateOf(other)).toHaveAttribute('data-state', 'offline');
  // The other version loads only after the button was pressed.
  const pressed = Promise.withResolvers<void>();
  await context.route(/\/source(\?|$)/, async (route) => {
    await pressed.promise;
    await route.continue();
  });
  await context.setOffline(false);
  const late = stateOf(page).and(page.locator('[data-state="conflict"]'));
  const lateToo = stateOf(other).and(other.locator('[data-state="conflict"]'));
  await expect.poll(async () => (await late.count()) + (await lateToo.count())).toBe(1);
  const conflictPage = (await late.count()) === 1 ? page : other;
  await conflictPage.getByRole('button', { name: '比较与合并' }).click();
  pressed.resolve();
  const dialog = conflictPage.getByRole('dialog', { name: '比较与合并' });
  await expect(dialog.getByRole('textbox', { name: '别处的文字' })).toContainText('的新话。');
  await expectAccessible(conflictPage);
  await expect(dialog.getByText('还有 1 处不同')).toBeVisible();
  await dialog.getByRole('button', { name: '这一处用别处的' }).click();
  await expect(dialog.getByText('正文没有不同了')).toBeVisible();
  const mine = dialog.getByRole('textbox', { name: '我的文字' });
  await mine.click();
  await conflictPage.keyboard.press('Control+End');
  await conflictPage.keyboard.insertText('合在一起。');
  await dialog.getByRole('button', { name: '保存右边的文字' }).click();
  await waitUntilSaved(conflictPage);
  await expect.poll(() => savedText(writer, page)).toMatch(/[甲乙]的新话。合在一起。$/);
  const history = await writer.call('GET core/essay/{id}/revision', { id: idOf(page) });
  if (!('list' in history)) throw new Error('没有历史版本');
  const texts = await Promise.all(
    history.list.map(async ({ revision }) => {
      const found = await writer.call('GET core/essay/{id}/revision', { id: idOf(page), revision });
      return 'content' in found ? found.content : '';
    }),
  );
  expect(texts.some((text) => text.endsWith('甲的新话。'))).toBe(true);
  expect(texts.some((text) => text.endsWith('乙的新话。'))).toBe(true);
});

test('another author’s essay cannot be edited and links to its page', async ({
  page,
  writer,
  baseURL,
  browserErrors,
}) => {
  browserErrors.allow(/status of 403/);
  const { id, title } = await publishEssay(baseURL);
  expect(writer.user.curIdentity).toBe(IDENTITY.writer);
  await page.goto(`/essay/edit.html?id=${id}`);
  await expect(page.getByRole('heading', { level: 1, name: '这篇文章不是你写的' })).toBeVisible();
  await expect(page.getByRole('link', { name: '去我的文章' })).toBeVisible();
  await page.getByRole('link', { name: '阅读这篇文章' }).click();
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
});

test('the history displays changes and restores versions', async ({ page, writer }) => {
  await openEditor(page);
  await typeAtEnd(page, '第一版的话。');
  await waitUntilSaved(page);
  await typeAtEnd(page, '第二版的话。');
  await page.keyboard.press('Control+s');
  await expect.poll(() => savedText(writer, page)).toBe('第一版的话。第二版的话。');
  await expect(page.getByRole('contentinfo')).toContainText('10 字');
  await expectToolsInReach(page);
  await page.getByRole('button', { name: /^历史/ }).click();
  const dialog = page.getByRole('dialog', { name: '历史版本' });
  await expect(dialog.getByRole('button', { name: /^v2/ })).toContainText('10 字');
  await dialog.getByRole('button', { name: /^v1/ }).click();
  await expect(dialog.getByRole('textbox', { name: '改动' })).toContainText('第二版的话。');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: '恢复到 v1' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: '恢复' }).click();
  await expect(textOf(page)).toHaveText('第一版的话。');
  expect(await savedText(writer, page)).toBe('第一版的话。');
});

test('converts HTML pasted from Word or a web page to Markdown', { tag: ['@large', '@long'] }, async ({
  page,
  writer,
}) => {
  await openEditor(page);
  await textOf(page).click();
  await pasteHtml(
    page,
    `<html><style>p{color:red}</style><body><!--[if gte mso 9]><xml></xml><![endif]--><h2>标题</h2>
    <p class=MsoNormal style="mso-margin-top-alt:auto"><b>粗</b>与<a href="https://example.com">链接</a><o:p></o:p></p>
    <p class=MsoListParagraph style="mso-list:l0 level1 lfo1"><span style="mso-list:Ignore">1.</span>第一</p>
    <p class=MsoListParagraph style="mso-list:l0 level1 lfo1"><span style="mso-list:Ignore">2.</span>第二</p>
    <table><tr><th>甲</th></tr><tr><td>乙</td></tr></table><script>alert(1)</script></body></html>`,
    '标题 粗与链接',
  );
  await expect(textOf(page)).toContainText('## 标题');
  await waitUntilSaved(page);
  const content = await savedText(writer, page);
  expect(content).toContain('**粗**与[链接](https://example.com)');
  expect(content).toContain('1. 第一\n2. 第二');
  expect(content).toContain('| 甲 |');
  expect(content).not.toMatch(/mso|alert|<|color/);
});

test('saves all publishing options and submits the essay for the audit', async ({ page, writer }) => {
  await openEditor(page);
  await typeAtEnd(page, '可以发布的正文。');
  await page.getByRole('button', { name: '发布', exact: true }).click();
  const drawer = page.getByRole('dialog', { name: '发布文章' });
  await drawer.getByRole('button', { name: '提交审核' }).click();
  await expect(drawer).toContainText('请写一个标题');
  await expect(drawer).toContainText('请选择分类');
  await expectAccessible(page);
  await drawer.getByRole('radio', { name: '编程' }).check();
  await drawer.getByRole('textbox', { name: /^标签/ }).fill('数据库，分区，');
  await expect(drawer.getByLabel('试读'), 'a free essay has no preview').toHaveCount(0);
  await drawer.getByRole('radio', { name: '付费' }).check();
  await drawer.getByLabel('价格').fill('0.5');
  await expect(drawer).toContainText('价格从 1 元到 1000 元');
  await drawer.getByRole('button', { name: '¥ 3', exact: true }).click();
  await expect(drawer.getByLabel('价格')).toHaveValue('3');
  await expect(drawer.getByLabel('试读')).toBeVisible();
  await drawer.getByLabel('摘要').fill('一句话的摘要');
  await drawer.getByLabel('专栏', { exact: true }).selectOption('新建专栏…');
  await drawer.getByLabel('新专栏的名称').fill('睡得着觉的后端');
  await drawer.getByRole('button', { name: '建立' }).click();
  await expect(drawer.getByLabel('专栏', { exact: true })).toContainText('睡得着觉的后端');
  await drawer.getByLabel('上架时间').fill('2099-01-02T08:00');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: '发布', exact: true })).toBeFocused();
  await titleOf(page).fill('要发布的文章');
  await page.getByRole('button', { name: '发布', exact: true }).click();
  const slow = Promise.withResolvers<void>();
  await page.route('**/api/core/minio/upload*', async (route) => {
    await slow.promise;
    await route.continue();
  });
  await drawer
    .getByLabel('选择附件')
    .setInputFiles({ name: '清单.txt', mimeType: 'text/plain', buffer: Buffer.from('一、二') });
  await expect(drawer).toContainText('清单.txt');
  for (const name of ['提交审核', '存为草稿']) {
    await drawer.getByRole('button', { name }).click();
    await expect(drawer, 'it would be submitted without the file').toContainText(
      '封面或附件还没有传完，请稍等',
    );
  }
  slow.resolve();
  await expect(drawer.getByRole('button', { name: '移除 清单.txt' })).toBeVisible();
  await drawer.getByRole('button', { name: '提交审核' }).click();
  await expect(page.getByText('正在审核，期间不能修改。')).toBeVisible();
  const saved = await writer.call('GET core/essay/{id}/source', { id: idOf(page) });
  expect(saved).toMatchObject({
    status: ESSAY_STATUS.waiting,
    title: '要发布的文章',
    tags: ['数据库', '分区'],
    price: 300,
    summary: '一句话的摘要',
    scheduledAt: '2099-01-02T00:00:00.000Z',
    files: [{ name: '清单.txt' }],
  });
  await expect(textOf(page)).toHaveAttribute('aria-readonly', 'true');
  await page.getByRole('button', { name: '撤回' }).click();
  await expect(textOf(page)).toHaveAttribute('aria-readonly', 'false');
});

test('gives an essay an address of words, and keeps its old ones', async ({
  page,
  writer,
  browserErrors,
}) => {
  browserErrors.allow(/status of 422/);
  const word = Math.random().toString(36).slice(2, 8);
  const { id, title } = await publishEssay(test.info().project.use.baseURL, { writer });
  await publishEssay(test.info().project.use.baseURL, { writer, slug: `taken-${word}` });
  await openEditor(page, `/essay/edit.html?id=${id}`);
  await page.getByRole('button', { name: '发布', exact: true }).click();
  const drawer = page.getByRole('dialog', { name: '发布文章' });
  const field = drawer.getByRole('textbox', { name: '网址里代替编号的文字' });
  await expect(field).toHaveCount(0);
  await drawer.getByRole('button', { name: '自定义网址' }).click();
  await field.fill(`Taken ${word}`);
  await expect(drawer).toContainText(`/essay/detail/taken-${word}.html`);
  await drawer.getByRole('button', { name: '使用这个网址' }).click();
  await expect(drawer).toContainText('这个网址已被别的文章使用');
  await expectAccessible(page);
  await field.fill(`好文-${word}`);
  await drawer.getByRole('button', { name: '使用这个网址' }).click();
  await expect(drawer.getByRole('button', { name: '使用这个网址' })).toHaveCount(0);

  const address = new RegExp(`/essay/detail/${encodeURIComponent('好文')}-${word}\\.html$`);
  await page.goto(`/essay/detail/${id}.html`);
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
  await expect(page).toHaveURL(address);
  await writer.call('PUT core/essay/', { id, version: 1, slug: `second-${word}` });
  await page.goto(`/essay/detail/好文-${word}.html`);
  await expect(page).toHaveURL(new RegExp(`/essay/detail/second-${word}\\.html$`));
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
});

test('a rejected essay displays the reason and can be appealed; changes to an on-shelf essay become a revision', {
  tag: '@large',
}, async ({ page, writer, admin }) => {
  const { categories } = await writer.call('GET core/site/', {});
  const { id } = await writer.call('POST core/essay/', {
    title: '一波三折',
    content: '正文。',
    categoryId: categories[0]?.id,
    status: ESSAY_STATUS.waiting,
  });
  await admin.call('PUT core/essay/status', { id, status: ESSAY_STATUS.rejected, reason: '标题太空泛' });
  await openEditor(page, `/essay/edit.html?id=${id}`);
  await expect(page.getByText('没有通过审核：标题太空泛')).toBeVisible();
  await page.getByRole('button', { name: '申诉' }).click();
  const dialog = page.getByRole('dialog', { name: '申诉' });
  await dialog.getByLabel('理由').fill('标题就是内容');
  await dialog.getByRole('button', { name: '提交申诉' }).click();
  await expect(page.getByText('正在审核，期间不能修改。')).toBeVisible();

  await admin.call('PUT core/essay/status', { id, status: ESSAY_STATUS.approved });
  await page.reload();
  await page.getByRole('button', { name: '立即上架' }).click();
  await expect(page.getByText('现在的修改会成为修订')).toBeVisible();
  await typeAtEnd(page, '补一句。');
  await expect(page.getByText('修订还没有提交审核')).toBeVisible();
  await page.getByRole('button', { name: '发布', exact: true }).click();
  await page.getByRole('button', { name: '提交审核' }).click();
  await expect(page.getByText('修订正在审核')).toBeVisible();
  const source = await writer.call('GET core/essay/{id}/source', { id });
  expect(source).toMatchObject({
    status: ESSAY_STATUS.onShelf,
    revision: ESSAY_STATUS.waiting,
    content: '正文。补一句。',
  });
});

test('imports several Markdown files with pictures as drafts', { tag: '@large' }, async ({
  page,
  writer,
}) => {
  const zip = zipSync({
    'posts/one.md': strToU8('---\ntitle: 第一篇\ntags: [甲, 乙]\ncategory: 没有的\n---\n![图](img/a.png)\n'),
    'posts/img/a.png': await createPng(),
    'posts/two.md': strToU8('# 第二篇\n\n正文\n'),
    'posts/empty.md': strToU8('---\ntitle: 空的\n---\n'),
  });
  await openEditor(page);
  await page.getByRole('button', { name: '导入文件' }).click();
  const dialog = page.getByRole('dialog', { name: '导入文件' });
  await dialog
    .getByLabel('选择要导入的文件')
    .setInputFiles({ name: '文章.zip', mimeType: 'application/zip', buffer: Buffer.from(zip) });
  await dialog.getByRole('button', { name: '导入为 3 篇草稿' }).click();
  await expect(dialog).toContainText('导入了 2 篇草稿，1 个没有导入');
  await expect(dialog).toContainText('没有「没有的」这个分类');
  await expect(dialog).toContainText('正文是空的，没有导入');
  const { list } = await writer.call('GET core/essay/', { mine: FLAG.on });
  expect(list.map(({ title }) => title).sort()).toEqual(['第一篇', '第二篇']);
  const first = list.find(({ title }) => title === '第一篇');
  const source = await writer.call('GET core/essay/{id}/source', { id: first?.id ?? '' });
  expect(source).toMatchObject({
    tags: ['甲', '乙'],
    content: expect.stringMatching(/^!\[图\]\(\/files\/\S+\)$/),
  });
});
