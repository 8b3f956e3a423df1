import { withBrowser } from './browser.ts';

const CHARACTERS = 190_000;
const KEYS = 60;
/** A fast typist, with pauses between some keys. */
const KEY_MS = 120;

const PARAGRAPH =
  '写代码的人常说，**缓存失效**与命名是两件难事。这一段讲的是[前者](https://example.com/)：读的人很多，写的人很少，`key` 一变，旧的页面就要从所有进程里消失。';
const CODE = '```ts\nexport const sum = (a: number, b: number) => a + b;\nconsole.log(sum(1, 2));\n```';
const LIST = '- 第一件事\n- 第二件事，长一点，要换行才放得下\n- 第三件事';

function longText(): string {
  const blocks: string[] = [];
  for (let length = 0, at = 0; length < CHARACTERS; at++) {
    const block = at % 12 === 0 ? `## 第 ${at} 节` : at % 12 === 5 ? CODE : at % 12 === 9 ? LIST : PARAGRAPH;
    blocks.push(block);
    length += block.length + 2;
  }
  return blocks.join('\n\n').slice(0, CHARACTERS);
}

await withBrowser(async ({ page, admin, cpu }) => {
  const { id } = await admin.call('POST core/essay/', {
    title: '很长的一篇',
    content: longText(),
    status: 0,
  });
  for (const mode of ['source', 'split']) {
    await page.evaluate((mode) => localStorage.setItem('editor-view', mode), mode);
    await page.goto(`/essay/edit.html?id=${id}`);
    const text = page.getByRole('textbox', { name: '正文，Markdown' });
    await text.waitFor();
    if (mode === 'split') await page.locator('[data-prose] p').first().waitFor();
    // Excludes the work of loading the page.
    await page.waitForTimeout(6000);
    await text.click();
    await page.keyboard.press('ControlOrMeta+Home');
    for (let line = 0; line < 6; line++) await page.keyboard.press('ArrowDown');
    await page.waitForTimeout(2000);
    const before = await cpu();
    for (let key = 0; key < KEYS; key++) {
      await page.keyboard.type(key % 10 === 9 ? ' ' : 'a');
      await page.waitForTimeout(KEY_MS);
    }
    // Includes deferred work after typing.
    await page.waitForTimeout(3000);
    const perKey = ((await cpu()) - before) / KEYS;
    console.log(`${mode}: ${perKey.toFixed(1)} ms of the main thread for each key`);
    if (mode !== 'split') continue;
    const began = Date.now();
    await page.keyboard.type('变化在此');
    await page.locator('[data-prose]').getByText('变化在此').first().waitFor();
    console.log(`${mode}: the preview shows a change after ${Date.now() - began} ms`);
  }
});
