import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import { devices, type Page } from '@playwright/test';
import { newWriter } from './support/essays.ts';
import { pictureFile } from './support/pictures.ts';
import { expect, test } from './support/test.ts';
import { storeSession } from './support/users.ts';

const { defaultBrowserType: _, ...phone } = devices['Pixel 7'];
test.use({ ...phone, viewport: { width: 375, height: 760 } });

const KEYBOARD_HEIGHT = 320;

/** Like a browser that lays the keyboard over the page: only the visual viewport becomes smaller. */
const setKeyboard = (page: Page, height: number) =>
  page.evaluate((keyboard) => {
    const area = window.visualViewport;
    if (area === null) throw new Error('no visual viewport');
    Object.defineProperty(area, 'height', { configurable: true, get: () => innerHeight - keyboard });
    area.dispatchEvent(new Event('resize'));
  }, height);

test('writing on a phone: toolbar above the keyboard, the line in view, pictures from camera or album', {
  tag: '@long',
}, async ({ page, baseURL }) => {
  const writer = await newWriter(baseURL);
  await storeSession(page, writer);
  const { id } = await writer.call('POST core/essay/', {
    title: '手机上写',
    content: `## 题目\n\n${'一段话，写在手机上。\n\n'.repeat(30)}最后**一行**`,
    status: ESSAY_STATUS.draft,
  });
  await page.goto(`/essay/edit.html?id=${id}`);
  const text = page.getByRole('textbox', { name: '正文，Markdown' });
  const toolbar = page.getByRole('toolbar', { name: '格式' });
  const tool = (name: string | RegExp) => toolbar.getByRole('button', { name, exact: true });
  await tool(/^视图/).tap();
  await tool('即时排版').tap();
  await expect(text.locator('.lf-h2')).toHaveText('题目');
  await text.evaluate((element) => element.parentElement?.scrollTo(0, 100_000));
  await text.getByText('最后').tap();
  const before = await page.locator('header').boundingBox();
  await setKeyboard(page, KEYBOARD_HEIGHT);
  const bar = await toolbar.boundingBox();
  expect(bar?.y ?? 0).toBeGreaterThan(300);
  expect((bar?.y ?? 0) + (bar?.height ?? 0)).toBeLessThanOrEqual(760 - KEYBOARD_HEIGHT);
  expect(await page.locator('header').boundingBox(), 'the head does not move').toEqual(before);
  const line = text.locator('.cm-line', { hasText: '最后' });
  const isLineVisible = async () => {
    const box = await line.boundingBox();
    const top = (await toolbar.boundingBox())?.y ?? 0;
    return box !== null && box.y > 56 && box.y + box.height <= top;
  };
  await expect.poll(isLineVisible).toBe(true);

  await tool('更多').tap();
  await expect(text, 'the keyboard stays open').toBeFocused();
  await tool('任务列表').tap();
  await expect(text).toBeFocused();
  const keyboard = await page.context().newCDPSession(page);
  const compose = (composed: string) =>
    keyboard.send('Input.imeSetComposition', {
      text: composed,
      selectionStart: composed.length,
      selectionEnd: composed.length,
    });
  await compose('xie');
  await page.waitForTimeout(300);
  await compose('写');
  await keyboard.send('Input.insertText', { text: '写完' });
  await expect(text.getByRole('checkbox', { name: '完成' })).toBeVisible();
  await expect.poll(isLineVisible).toBe(true);

  await tool('图片').tap();
  const source = page.getByRole('dialog', { name: '图片' });
  const chosen = page.waitForEvent('filechooser');
  await source.getByRole('button', { name: '拍照' }).tap();
  const chooser = await chosen;
  expect(await chooser.element().getAttribute('capture')).toBe('environment');
  await chooser.setFiles(await pictureFile('照片.png'));
  await expect(source).toHaveCount(0);
  await expect(text.getByRole('img', { name: '照片' })).toBeVisible();
  await tool('图片').tap();
  await expect(source.getByRole('button', { name: '从相册选择' })).toBeVisible();
  await page.keyboard.press('Escape');

  await setKeyboard(page, 0);
  await expect.poll(async () => (await toolbar.boundingBox())?.y ?? 0).toBeGreaterThan(600);
  await expect
    .poll(async () => (await writer.call('GET core/essay/{id}/source', { id })).content)
    .toMatch(/- \[ \] 最后\*?\*?.*写完[\s\S]*!\[照片\]\(\/files\//);
});
