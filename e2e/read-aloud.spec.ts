import type { Page } from '@playwright/test';
import { publishEssay } from './support/essays.ts';
import { expect, test } from './support/test.ts';

/** Chromium without a screen has no voices, so the test speaks: an utterance ends when the test says so. */
async function giveVoice(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const spoken: SpeechSynthesisUtterance[] = [];
    let current: SpeechSynthesisUtterance | null = null;
    const voice = {
      spoken,
      current: () => current?.text ?? null,
      finish: () => current?.dispatchEvent(new Event('end')),
    };
    Object.assign(window, { voice });
    speechSynthesis.speak = (utterance) => {
      spoken.push(utterance);
      current = utterance;
    };
    speechSynthesis.cancel = () => {
      current = null;
    };
  });
}

interface Voice {
  current: () => string | null;
  finish: () => void;
}

const speaking = (page: Page) => page.evaluate(() => (window as unknown as { voice: Voice }).voice.current());
const finish = (page: Page) => page.evaluate(() => (window as unknown as { voice: Voice }).voice.finish());

const marked = (page: Page) =>
  page.evaluate(() => [...(CSS.highlights.get('read-aloud') ?? [])].map((range) => String(range)).join('|'));

test('reads an essay aloud sentence by sentence and marks each', async ({ page, baseURL }) => {
  const { id } = await publishEssay(baseURL, {
    content:
      '第一句话。**第二**句话！\n\n```ts\nconst silent = 1;\n```\n\n- 列表里的第三句\n\n公式 $x^2$ 不读。',
  });
  await giveVoice(page);
  await page.goto(`/essay/detail/${id}.html`);
  const html = () => page.locator('[data-text]').innerHTML();
  const before = await html();
  await page.getByRole('button', { name: '更多' }).filter({ visible: true }).click();
  await page.getByRole('button', { name: '朗读' }).click();
  const player = page.getByRole('region', { name: '朗读' });
  await expect(player).toContainText('第 1 句，共 4 句');
  for (const sentence of ['第一句话。', '第二句话！', '列表里的第三句']) {
    await expect.poll(() => speaking(page)).toBe(sentence);
    expect(await marked(page)).toBe(sentence);
    await finish(page);
  }
  await expect.poll(() => speaking(page)).toMatch(/^公式.*不读。$/);
  await player.getByRole('button', { name: '上一句' }).click();
  await expect.poll(() => speaking(page)).toBe('列表里的第三句');
  await player.getByRole('button', { name: '暂停' }).click();
  await expect.poll(() => speaking(page)).toBeNull();
  await player.getByRole('button', { name: '继续' }).click();
  await expect.poll(() => speaking(page)).toBe('列表里的第三句');
  await player.getByRole('button', { name: /^语速 1 倍/ }).click();
  await expect(player.getByRole('button', { name: /^语速 1.25 倍/ })).toBeVisible();
  await player.getByRole('button', { name: '停止朗读' }).click();
  await expect(player).toBeHidden();
  expect(await speaking(page)).toBeNull();
  expect(await marked(page)).toBe('');
  expect(await html(), 'the text is unchanged').toBe(before);
});
