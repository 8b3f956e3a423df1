import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as clipboard from '@mozhan/editor/pasted/clipboard-fixture.ts';
import { createPng } from '@mozhan/server/testing/pictures.ts';
import { expectAccessible } from './support/accessibility.ts';
import { openEditor, pasteHtml, savedText, textOf, typeAtEnd, waitUntilSaved } from './support/editor.ts';
import { newWriter } from './support/essays.ts';
import { startServer } from './support/server.ts';
import { test as base, expect } from './support/test.ts';
import { storeSession, type TestUser } from './support/users.ts';

/** Another site with pictures; a picture can be made to fail. */
interface Host {
  url: string;
  failing: Set<string>;
}

const test = base.extend<{ writer: TestUser }, { host: Host; site: string }>({
  host: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names from it
    async ({}, use) => {
      const failing = new Set<string>();
      const png = await createPng();
      const server: Server = createServer((request, response) => {
        if (failing.has(request.url ?? '')) response.writeHead(403).end();
        else response.end(png);
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      await use({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, failing });
      server.close();
    },
    { scope: 'worker' },
  ],
  site: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names from it
    async ({}, use, { workerIndex }) => {
      const server = await startServer(`editor-paste-${workerIndex}`, { FETCH_ALLOW_PRIVATE: 'on' });
      await use(server.url);
      await server.stop();
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  baseURL: async ({ site }, use) => {
    await use(site);
  },
  writer: async ({ page, site }, use) => {
    const writer = await newWriter(site);
    await storeSession(page, writer);
    await use(writer);
  },
});

test('pastes articles with pictures, which the server fetches, and tells which could not be fetched', async ({
  page,
  writer,
  host,
  browserErrors,
}) => {
  browserErrors.allow(/422/);
  await openEditor(page);
  await textOf(page).click();
  host.failing.add('/b.png?x=1&y=2');
  const png = (await createPng({ background: '#a33' })).toString('base64');
  await pasteHtml(
    page,
    clipboard.wechat
      .replaceAll('https://mmbiz.qpic.cn/mmbiz_png/abc/640?wx_fmt=png&amp;from=appmsg', `${host.url}/a.png`)
      .replace(
        '<table>',
        `<p><img src="${host.url}/b.png?x=1&amp;y=2" alt="取不到"></p><p><img src="data:image/png;base64,${png}" alt="截图"></p><table>`,
      ),
    '锁',
  );
  await expect(textOf(page)).toContainText('```javascript');
  const status = page.locator('footer');
  await expect(status.getByRole('alert')).toContainText('1 张图片没能转存（对方响应 403）');
  await waitUntilSaved(page);
  await expect.poll(() => savedText(writer, page)).toMatch(/!\[截图\]\(\/files\/\S+\.webp\)/);
  await expect.poll(() => savedText(writer, page)).toMatch(/\n!\[\]\(\/files\/\S+\.webp\)/);
  const text = await savedText(writer, page);
  expect(text).toContain('```javascript\nconst a = 1;\n\nrun(a);\n```');
  expect(text).toContain('| 列一 | 列二 |');
  expect(text).toContain('$$\na^2+b^2=c^2\n$$');
  expect(text).toContain(`![取不到](${host.url}/b.png?x=1&y=2)`);
  host.failing.clear();
  await status.getByRole('button', { name: '重试' }).click();
  await expect.poll(() => savedText(writer, page)).toMatch(/!\[取不到\]\(\/files\/\S+\.webp\)/);
  await expect(status.getByRole('alert')).toBeHidden();
});

test('pastes from Word with the pictures of its RTF, as plain text, into code and into a cell', {
  tag: ['@large', '@long'],
}, async ({ page, writer, context }) => {
  await openEditor(page);
  await typeAtEnd(page, '旧注[^1]\n\n[^1]: 甲\n\n');
  const png = (await createPng()).toString('hex');
  await pasteHtml(page, clipboard.word, '方案', clipboard.wordRtf.replace(/89504e[\da-f\s]+/, png));
  await expect(textOf(page)).toContainText('三天[^2]上线');
  await waitUntilSaved(page);
  await expect.poll(() => savedText(writer, page)).toMatch(/\n!\[\]\(\/files\/\S+\.webp\)/);
  expect(await savedText(writer, page)).toContain('[^2]: 不含周末');

  await typeAtEnd(page, '\n\n| 键 | 值 |\n| --- | --- |\n| 甲 | ');
  await pasteHtml(page, '<p>一</p><p>二|三</p>', '一\n\n二|三');
  await expect(textOf(page)).toContainText('| 甲 | 一 二\\|三');
  await typeAtEnd(page, '\n\n```js\n');
  await pasteHtml(page, '<p><b>粗</b></p>', '粗 plain');
  await expect(textOf(page)).toContainText('粗 plain');

  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await typeAtEnd(page, '\n```\n\n');
  await page.evaluate(async () => {
    const blob = (type: string, text: string) => new Blob([text], { type });
    const item = {
      'text/html': blob('text/html', '<p><b>真的</b></p>'),
      'text/plain': blob('text/plain', '真的'),
    };
    await navigator.clipboard.write([new ClipboardItem(item)]);
  });
  await page.keyboard.press('Control+Shift+V');
  await expect(textOf(page)).toContainText('真的');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+V');
  await expect(textOf(page)).toContainText('**真的**');
  await expect.poll(() => savedText(writer, page)).toMatch(/\n真的\n\*\*真的\*\*$/);
});

test('pastes megabytes of HTML, and far more as plain text with a notice', {
  tag: ['@large', '@long'],
}, async ({ page, writer }) => {
  await openEditor(page);
  await textOf(page).click();
  const paste = (blocks: number) =>
    textOf(page).evaluate((element, count) => {
      const clipboardData = new DataTransfer();
      const row = `<p class=MsoNormal style='margin:0cm'><span style='mso-bidi-font-size:${'1'.repeat(4000)}'>字</span></p>`;
      clipboardData.setData('text/html', `<h2>大</h2>${row.repeat(count)}`);
      clipboardData.setData('text/plain', '纯文字');
      element.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true, composed: true }),
      );
    }, blocks);
  await paste(700);
  await expect(textOf(page)).toContainText('字');
  await waitUntilSaved(page);
  expect(await savedText(writer, page)).toBe(`## 大\n\n${Array(700).fill('字').join('\n\n')}`);
  await paste(8000);
  await expect(page.getByText('粘贴的内容太大，已按纯文字粘贴')).toBeVisible();
  await expect.poll(() => savedText(writer, page)).toMatch(/字纯文字$/);
});

test('edits a table in place with keys, an input method and the bar', { tag: '@large' }, async ({
  page,
  writer,
}) => {
  await openEditor(page);
  await typeAtEnd(page, '前面\n\n| 名称 | 数量 |\n| --- | --- |');
  const bar = page.getByRole('toolbar', { name: '表格', exact: true });
  await expect(bar).toBeVisible();
  await page.keyboard.press('Enter');
  const keyboard = await page.context().newCDPSession(page);
  await keyboard.send('Input.imeSetComposition', { text: 'yan', selectionStart: 3, selectionEnd: 3 });
  await expect(textOf(page)).toContainText('yan');
  await keyboard.send('Input.insertText', { text: '砚台' });
  await page.keyboard.press('Tab');
  await page.keyboard.type('3400');
  await page.keyboard.press('Tab');
  await page.keyboard.type('墨');
  await bar.getByRole('button', { name: '上移这一行' }).click();
  await page.keyboard.press('Tab');
  await page.keyboard.type('12');
  await bar.getByRole('button', { name: '这一列右对齐' }).click();
  await expect(bar.getByRole('button', { name: '这一列右对齐' })).toHaveAttribute('aria-pressed', 'true');
  await waitUntilSaved(page);
  await expect
    .poll(() => savedText(writer, page))
    .toBe('前面\n\n| 名称 | 数量 |\n| ---- | ---: |\n| 墨   |   12 |\n| 砚台 | 3400 |');
  await page.keyboard.press('Alt+F10');
  await expect(bar.getByRole('button', { name: '在上面加一行' })).toBeFocused();
  for (let i = 0; i < 6; i += 1) await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await expect(textOf(page)).toContainText('| 名称 | 数量 |     |');
  await page.keyboard.press('Escape');
  await expect(textOf(page)).toBeFocused();
  await page.keyboard.press('Control+z');
  await expect.poll(() => savedText(writer, page)).toContain('| 墨   |   12 |\n| 砚台 | 3400 |');
  await expectAccessible(page);
  await page.keyboard.press('Control+Home');
  await expect(bar).toBeHidden();
});
