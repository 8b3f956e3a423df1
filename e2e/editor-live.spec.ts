import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import { newWriter } from './support/essays.ts';
import { layoutShift } from './support/layout-shift.ts';
import { pictureFile, uploadPicture } from './support/pictures.ts';
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
const modeOf = (page: Page, name: string) =>
  page.getByRole('group', { name: '视图' }).getByRole('button', { name, exact: true });

async function openLive(page: Page, writer: TestUser, content: string): Promise<string> {
  const { id } = await writer.call('POST core/essay/', {
    title: '即时排版',
    content,
    status: ESSAY_STATUS.draft,
  });
  await page.goto(`/essay/edit.html?id=${id}`);
  await expect(textOf(page)).toBeVisible();
  await modeOf(page, '即时排版').click();
  return id;
}

const contentOf = async (writer: TestUser, id: string) =>
  (await writer.call('GET core/essay/{id}/source', { id })).content;

/** The clipboard after the whole text was copied. */
const copyAll = (page: Page) =>
  textOf(page).evaluate((element) => {
    const clipboardData = new DataTransfer();
    element.dispatchEvent(new ClipboardEvent('copy', { clipboardData, bubbles: true, cancelable: true }));
    return clipboardData.getData('text/plain');
  });

test('live formatting forms the text where the cursor is not, and keeps it as Markdown', {
  tag: '@large',
}, async ({ page, writer, baseURL }) => {
  const picture = await uploadPicture(writer, baseURL ?? '', { width: 320, height: 180 });
  const content = `## 题目\n\n这里**很重要**，[链接](https://example.com/)，$a^2$。\n\n- [ ] 还没做\n\n$$\n\\frac{1}{2}\n$$\n\n![图](${picture})\n\n\`\`\`ts\nconst a = 1;\n\`\`\`\n\n结尾`;
  const id = await openLive(page, writer, content);
  const text = textOf(page);
  await expect(text.locator('.lf-h2')).toHaveText('题目');
  await expect(text).not.toContainText('**');
  await expect(text).not.toContainText('example.com');
  await expect(text.locator('math')).toHaveCount(2);
  await expect(text.locator('.tk-keyword')).toHaveText('const');
  await expect(text.locator('.lf-picture img')).toHaveJSProperty('naturalWidth', 320);
  await expectAccessible(page);

  await text.getByText('很重要').click();
  await expect(text).toContainText('**很重要**');
  await expect(text, 'only what has the cursor shows its marks').not.toContainText('example.com');
  for (let line = 0; line < 4; line++) await page.keyboard.press('ArrowDown');
  await expect(text, 'the cursor went into the formula').toContainText('\\frac{1}{2}');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('End');
  // One input, because typing with a pause would be undone in two steps.
  await page.keyboard.insertText('+1');
  for (let line = 0; line < 4; line++) await page.keyboard.press('ArrowDown');
  await expect(text, 'the picture stays while its Markdown is edited').toContainText(`![图](${picture})`);
  await expect(text.locator('.lf-picture img')).toBeVisible();

  await text.getByRole('checkbox', { name: '完成' }).check();
  await expect
    .poll(() => contentOf(writer, id))
    .toBe(content.replace('[ ]', '[x]').replace('{2}\n', '{2}+1\n'));
  await text.getByText('结尾').click();
  await page.keyboard.press('ControlOrMeta+z');
  await page.keyboard.press('ControlOrMeta+z');
  await page.keyboard.press('ControlOrMeta+a');
  expect(await copyAll(page)).toBe(content);
  await expect.poll(() => contentOf(writer, id)).toBe(content);

  await page.reload();
  await expect(modeOf(page, '即时排版')).toHaveAttribute('aria-pressed', 'true');
  await expect(text.locator('.lf-h2')).toHaveText('题目');
  await expect(text.locator('.lf-picture img')).toHaveJSProperty('complete', true);
  expect(await layoutShift(page)).toBeLessThan(0.02);
  await modeOf(page, '源码').click();
  await expect(text).toContainText('## 题目');
});

test('a composition in live formatting is never interrupted', { tag: ['@large', '@long'] }, async ({
  page,
  writer,
}) => {
  const id = await openLive(page, writer, '前**重要**后\n\n第二行 $a$');
  const text = textOf(page);
  await text.getByText('重要').click();
  await expect(text).toContainText('**重要**');
  await page.keyboard.press('Home');
  for (let step = 0; step < 4; step++) await page.keyboard.press('ArrowRight');
  const keyboard = await page.context().newCDPSession(page);
  const compose = (composed: string) =>
    keyboard.send('Input.imeSetComposition', {
      text: composed,
      selectionStart: composed.length,
      selectionEnd: composed.length,
    });
  /** Whether the text node with the composition is the one from the first call. */
  const isSameNode = () =>
    text.evaluate((element) => {
      const root = element.getRootNode() as ShadowRoot & { getSelection?: () => Selection | null };
      const node = (root.getSelection?.() ?? getSelection())?.anchorNode ?? null;
      const kept = element as Element & { composed?: Node | null };
      kept.composed ??= node;
      return node !== null && node.nodeType === Node.TEXT_NODE && node === kept.composed;
    });
  await compose('d');
  expect(await isSameNode()).toBe(true);
  // Longer than the pauses after which the page updates what it derives from the text.
  for (const composed of ['da', 'da*', 'da**$', '大']) {
    await compose(composed);
    await page.waitForTimeout(400);
    expect(await isSameNode(), composed).toBe(true);
  }
  await keyboard.send('Input.insertText', { text: '大' });
  await page.keyboard.press('Control+End');
  await expect(text.locator('.lf-strong')).toHaveText('重大要');
  await expect.poll(() => contentOf(writer, id)).toBe('前**重大要**后\n\n第二行 $a$');
});

test('a picture shows the file and its progress while it is uploaded', { tag: ['@large', '@long'] }, async ({
  page,
  writer,
}) => {
  const id = await openLive(page, writer, '图在下面');
  const released = Promise.withResolvers<void>();
  await page.route('**/core/minio/upload*', async (route) => {
    await released.promise;
    await route.continue();
  });
  await textOf(page).click();
  await page.keyboard.press('Control+End');
  await page.getByLabel('插入图片').setInputFiles(await pictureFile('示意图.png'));
  await expect(textOf(page).locator('.lf-upload')).toContainText('正在上传');
  await expect(textOf(page).locator('.lf-picture img')).toHaveAttribute('src', /^blob:/);
  released.resolve();
  await expect(textOf(page).locator('.lf-picture img')).toHaveAttribute('src', /^\/files\//);
  await expect.poll(() => contentOf(writer, id)).toMatch(/!\[示意图\]\(\/files\/\S+\)/);
});
