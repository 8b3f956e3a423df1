import { expect, test } from 'vitest';
import { essayToHtml } from './pipeline.ts';

async function preview(markdown: string, previewPercent: number) {
  const { preview } = await essayToHtml(markdown, { previewPercent, pictures: {} });
  if (!preview) throw new Error('no preview');
  return preview;
}

const paragraph = (name: string, words = 20) => `${name}${'字'.repeat(words - name.length)}`;

test('the preview is the leading complete blocks within the percentage of words', async () => {
  const text = [paragraph('甲'), paragraph('乙'), paragraph('丙'), paragraph('丁'), paragraph('戊')].join(
    '\n\n',
  );
  expect((await preview(text, 39)).text).toMatch(/^甲字+$/);
  expect((await preview(text, 40)).text).toMatch(/^甲字+\n乙字+$/);
  expect((await preview(text, 90)).text).toMatch(/^甲字+\n乙字+\n丙字+\n丁字+$/);
  expect((await essayToHtml(text, { previewPercent: null, pictures: {} })).preview).toBeNull();
});

test('the preview is empty at 0 percent or for an empty text', async () => {
  expect(await preview('# 题\n\n甲\n\n![图](/files/a.webp)', 0)).toEqual({
    html: '',
    toc: [],
    text: '',
    summary: '',
  });
  expect(await preview('', 50)).toEqual({ html: '', toc: [], text: '', summary: '' });
});

test('shows the first block even above the percentage, but truncates it if it is more than half of the text', async () => {
  expect((await preview(`# 题\n\n${paragraph('甲')}\n\n${paragraph('乙', 60)}`, 5)).text).toMatch(
    /^题\n甲字+$/,
  );
  const cut = await preview(`**${paragraph('甲', 80)}** [乙](/secret)\n\n${paragraph('丙')}`, 10);
  expect(cut.html).toBe(`<p>甲${'字'.repeat(9)}…</p>`);
  expect((await preview(`- ${paragraph('甲', 100)}\n- 乙`, 10)).html).toBe(`<p>甲${'字'.repeat(9)}…</p>`);
  expect((await preview(`\`\`\`\n${'a '.repeat(100)}\n\`\`\`\n\n乙`, 10)).html).toBe('');
});

test('a picture or an HTML tag at the top does not exclude the first paragraph', async () => {
  const rest = `${paragraph('甲', 10)}\n\n${paragraph('乙', 500)}`;
  expect((await preview(`![图](/files/a.webp)\n\n${rest}`, 10)).text).toMatch(/^甲字+$/);
  expect((await preview(`<div>\n\n${rest}\n\n</div>`, 1)).text).toMatch(/^甲字+$/);
  const cut = await preview(`![图](/files/a.webp)\n\n${paragraph('甲', 500)}`, 10);
  expect(cut.html).toMatch(/^<figure class="picture">.*<\/figure>\n<p>甲字{49}…<\/p>$/);
});

test('a preview does not end with a heading', async () => {
  const { html, toc } = await preview(`${paragraph('甲', 10)}\n\n## 题\n\n${paragraph('乙', 10)}`, 60);
  expect(html).toBe(`<p>甲${'字'.repeat(9)}</p>`);
  expect(toc).toEqual([]);
});

test('pictures, formulas and diagrams count as words', async () => {
  const drawn = '![图](/files/a.webp)\n\n```mermaid\nA-->B\n```\n\n$$x$$\n\n![图](/files/b.webp)';
  expect((await preview(drawn, 50)).html).toMatch(
    /^<figure class="picture">.*<\/figure>\n<figure class="diagram".*<\/figure>$/s,
  );
});

test.each([
  ['pictures as HTML', '<img src="/files/甲.webp">', '<img src="/files/乙.webp">'],
  ['pictures as inline HTML', '☆ <IMG\nsrc="/files/甲.webp">', '☆ <img src="/files/乙.webp">'],
  ['tables as HTML', '<table><tr><td>☆</td></tr></table>', '<table><tr><td>★</td></tr></table>'],
  ['symbols', '☆'.repeat(50), '★'.repeat(50)],
  ['emoji', '😀', '😎'],
  ['code of symbols', '```\n{}[]\n```', '```\n()<>\n```'],
])('limits the preview of a text without words to the percentage: %s', async (_, first, second) => {
  expect((await preview(first, 30)).html).toBe('');
  const full = (await essayToHtml(`${first}\n\n${second}`, { previewPercent: null, pictures: {} })).html;
  const half = (await preview(`${first}\n\n${second}`, 60)).html;
  expect(half).not.toBe('');
  expect(full.startsWith(half)).toBe(true);
  expect(half.length).toBeLessThan(full.length);
});

test('a block without words counts against the percentage', async () => {
  const stars = '☆'.repeat(400);
  for (const rest of [stars, `星 ${stars}`, '<img src="/files/a.webp">\n'.repeat(3)]) {
    const { html } = await preview(`${paragraph('甲')}\n\n${rest}\n\n${paragraph('乙')}`, 52);
    expect(html).toBe(`<p>${paragraph('甲')}</p>`);
  }
});

test('headings have the levels of the full text', async () => {
  const text = `## 甲\n\n${paragraph('乙')}\n\n# 丙\n\n${paragraph('丁')}`;
  const { toc } = await essayToHtml(text, { previewPercent: 60, pictures: {} });
  expect((await preview(text, 60)).toc).toEqual([toc[0]]);
  expect(toc[0]?.level).toBe(3);
});

const open = [
  `${paragraph('开头')}[^early] [定义][early] ![图][pic] <details><summary>折`,
  '',
  '<div>',
  '',
  '## 看得见',
  '',
  paragraph('再来'),
].join('\n');

const locked = [
  '## 锁住 秘密甲',
  '秘密乙 **秘密丙** `秘密丁` $秘密戊$ ~~秘密己~~ <kbd>秘密庚</kbd> [秘密辛](/秘密壬 "秘密癸") ![秘密子](/files/秘密丑.webp "秘密寅")',
  '```秘密卯 {1} title="秘密辰"\n秘密巳\n```',
  '```mermaid\n秘密午\n```',
  '$$秘密未$$',
  '| 秘密申 |\n|--|\n| 秘密酉 |',
  '- [x] 秘密戌\n\n  1. 秘密亥',
  '> [!NOTE] 秘密子甲\n> 秘密子乙',
  '<div title="秘密子丙">秘密子丁<!-- 秘密子戊 --></div>',
  '秘密子己[^late] [秘密子庚][late]\n秘密子辛',
  'https://example.com/秘密子壬',
  '秘密子癸\n====',
  '</div>',
  '[^late]: 秘密丑甲\n\n    秘密丑乙',
  '[^unused]: 秘密丑丙',
  '[late]: /秘密丑丁 "秘密丑戊"',
  '[unused]: /秘密丑己',
  '[^early]: 早先的注',
  '[early]: /shown "题"',
  '[pic]: /files/shown.webp',
].join('\n\n');

test('a preview contains nothing of the locked text, in any form', async () => {
  const { html, preview } = await essayToHtml(`${open}\n\n${locked}`, { previewPercent: 40, pictures: {} });
  expect(decodeURI(html).match(/秘密/g)?.length).toBeGreaterThan(30);
  expect(preview?.text).toContain('再来');
  expect(preview?.toc.map(({ text }) => text)).toEqual(['看得见']);
  const all = JSON.stringify(preview);
  for (const form of ['秘密', encodeURI('秘密'), '\\u79d8', '锁住', 'mermaid'])
    expect(all).not.toContain(form);
});

test('a preview includes the footnotes and definitions that it references', async () => {
  const { html } = await preview(`${open}\n\n${locked}`, 40);
  expect(html).toContain('早先的注');
  expect(html).toContain('<a href="/shown" title="题">定义</a>');
  expect(html).toContain('<img src="/files/shown.webp"');
});

test('a footnote counts as part of the block that references it', async () => {
  const text = `${paragraph('甲', 10)}[^1]\n\n${paragraph('乙', 10)}\n\n${paragraph('丙', 30)}\n\n[^1]: ${paragraph('注', 50)}`;
  expect((await preview(text, 50)).text).not.toContain('注');
});
