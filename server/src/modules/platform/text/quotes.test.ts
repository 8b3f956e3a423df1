import { compactText, quoteAt } from '@mozhan/contract/anchoring.ts';
import { expect, test } from 'vitest';
import { SYSTEM_CALLER } from '../../../threads/fair-queue.ts';
import { renderEssay } from './index.ts';
import { findQuotes, findSentences } from './quotes.ts';
import { visibleText } from './visible-text.ts';

const render = (markdown: string, previewPercent: number | null = null) =>
  renderEssay(SYSTEM_CALLER, markdown, { previewPercent, pictures: {}, siteUrl: null });

test('reads the text that can be selected, without formulas, diagrams and buttons', async () => {
  const { html } = await render(
    '## 标题 A & B\n\n一段 **粗体** 与 `a < b`，公式 $x^2$ 在中间。\n\n```mermaid\ngraph TD; A-->B\n```\n\n```ts\nconst a = 1;\n```\n\n> 引用\n',
  );
  const text = visibleText(html);
  expect(text).toContain('标题 A & B');
  expect(text).toContain('a < b');
  expect(text).toContain('const a = 1;');
  for (const hidden of ['graph', 'x', '复制']) expect(text).not.toContain(hidden);
});

test('finds a passage across blocks and keeps its line breaks', () => {
  const html = '<p>第一段，结尾。</p>\n<p>第二段 with <em>two words</em>。</p>';
  const text = compactText(visibleText(html));
  const start = text.indexOf('结尾');
  const end = text.indexOf('words') + 5;
  const [found] = findQuotes({
    html,
    publicHtml: null,
    quotes: [quoteAt(text, { start, end })],
    allowSimilar: false,
    publicOnly: false,
  });
  expect(found).toMatchObject({
    start,
    end,
    exact: '结尾。第二段withtwowords',
    words: '结尾。\n第二段 with two words',
    prefix: '第一段，',
    suffix: '。',
    isLocked: false,
  });
});

test('tells the public part of a paid text from the rest', () => {
  const html = '<p>大家都能读。</p><p>买了才能读。</p>';
  const texts = { html, publicHtml: '<p>大家都能读。</p>' };
  const quote = (exact: string) => ({ exact, prefix: '', suffix: '', start: 0, end: exact.length });
  const job = { ...texts, quotes: [quote('都能读'), quote('买了'), quote('读。买')], allowSimilar: true };
  expect(findQuotes({ ...job, publicOnly: false }).map((each) => each?.isLocked)).toEqual([
    false,
    true,
    true,
  ]);
  expect(findQuotes({ ...job, publicOnly: true }).map((each) => each?.words)).toEqual([
    '都能读',
    undefined,
    undefined,
  ]);
});

test('splits a text into sentences', () => {
  const html = '<h2>标题</h2><p>一句。“两句！”三 句</p><p>四</p>';
  expect(findSentences({ html, publicHtml: '<h2>标题</h2>' })).toEqual({
    text: '标题一句。“两句！”三句四',
    ends: Uint32Array.of(2, 5, 10, 12, 13),
    publicEnd: 2,
  });
});

test('the preview of a rendered essay is the beginning of its text', async () => {
  const blocks = Array.from({ length: 20 }, (_, index) => `第 ${index} 段，说一件事。`);
  const { html, preview } = await render(blocks.join('\n\n'), 30);
  const full = compactText(visibleText(html));
  const open = compactText(visibleText(preview?.html ?? ''));
  expect(open.length).toBeGreaterThan(10);
  expect(full.startsWith(open)).toBe(true);
  expect(open.length).toBeLessThan(full.length);
});
