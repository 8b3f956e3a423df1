import { withBrowser } from './browser.ts';

const CHARACTERS = 190_000;
const KEYS = 60;
/** A fast typist, with pauses between some keys. */
const KEY_MS = 120;

const PARAGRAPH =
  '写代码的人常说，**缓存失效**与命名是两件难事。这一段讲的是[前者](https://example.com/)：读的人很多，写的人很少，`key` 一变，旧的页面就要从所有进程里消失。';
const CODE = '```ts\nexport const sum = (a: number, b: number) => a + b;\nconsole.log(sum(1, 2));\n```';
const FORMULA =
  '$$\n\\sum_{k=1}^{n} k^2 = \\frac{n(n+1)(2n+1)}{6}\n$$\n\n其中 $n$ 是任务数，$k^2$ 是一次清理的代价。';
const LIST = '- 第一件事\n- 第二件事，长一点，要换行才放得下\n- 第三件事';

function longText(): string {
  const blocks: string[] = [];
  for (let length = 0, at = 0; length < CHARACTERS; at++) {
    const special: Record<number, string> = { 0: `## 第 ${at} 节`, 5: CODE, 7: FORMULA, 9: LIST };
    const block = special[at % 12] ?? PARAGRAPH;
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
  let ofSource = Number.NaN;
  for (const mode of ['source', 'live', 'split']) {
    await page.evaluate((mode) => localStorage.setItem('editor-view', mode), mode);
    await page.goto(`/essay/edit.html?id=${id}`);
    const text = page.getByRole('textbox', { name: '正文，Markdown' });
    await text.waitFor();
    if (mode === 'live') await page.locator('.lf-h2').first().waitFor();
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
    if (mode === 'source') ofSource = perKey;
    const ratio = (perKey / ofSource).toFixed(2);
    console.log(
      `${mode}: ${perKey.toFixed(1)} ms of the main thread for each key, ${ratio} times the source`,
    );
    if (mode !== 'split') continue;
    const began = Date.now();
    await page.keyboard.type('变化在此');
    await page.locator('[data-prose]').getByText('变化在此').first().waitFor();
    console.log(`${mode}: the preview shows a change after ${Date.now() - began} ms`);
  }
});
