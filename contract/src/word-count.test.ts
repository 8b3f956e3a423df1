import { expect, test } from 'vitest';
import { countMarkdown } from './word-count.ts';

const wordCountOf = (...lines: string[]) => countMarkdown(lines.join('\n')).wordCount;

test.each([
  ['each Chinese character as a word', '把事情说清楚', 6],
  ['a word or number of another script as one', 'Node.js 24 的 don’t 和 v1.2.3', 6],
  ['no punctuation', '你好，世界！——「好」。', 5],
  ['text without Markdown syntax', '## **粗**和*斜* ~~删~~', 4],
  ['no list numbers and check boxes', '1. 一\n2. 二\n- [x] 三\n- [ ] 四', 4],
  ['quotes and alerts', '> [!NOTE] 标题\n> 内容', 4],
  ['a table without its syntax', '| 甲 | 乙 |\n|:--|--:|\n| 1,024 | x |', 4],
  ['the text of a link, not its URL', '[文档](https://example.com/a_b "标题") <https://a.example>', 2],
  ['no pictures', '前![图片说明](/files/a.webp "题")后', 2],
  ['no footnote references, but the text of footnotes', '正文[^1]\n\n[^1]: 注', 3],
  ['no link definitions', '[文][a]\n\n[a]: https://example.com', 1],
  ['inline code as plain text', '用 `a[0](b)` 和 ``x ` y``', 7],
  ['no formulas', '设 $x_1 + y$ 为\n\n$$\na + b\n$$\n\n$$c$$\n\n值', 3],
  ['dollar signs that are not formulas', '花了 $5 和 $6 块', 6],
  ['no tags, comments and character references', '<b>甲</b> <!-- 不算\n这也不算 --> 乙&nbsp;丙', 3],
])('counts %s', (_what, markdown, count) => {
  expect(wordCountOf(markdown)).toBe(count);
});

test('does not count code blocks, whatever they contain', () => {
  expect(wordCountOf('前', '```ts title="a"', 'const a = 1;', '~~~', '``', '```', '后')).toBe(2);
  expect(wordCountOf('前', '````md', '```', '里面', '```', '````', '后')).toBe(2);
  expect(wordCountOf('- 前', '  ~~~', '  里面', '  ~~~', '- 后')).toBe(2);
  expect(wordCountOf('> ```', '> 里面', '> ```', '', '后')).toBe(1);
  expect(wordCountOf('> ```', '> 里面', '', '后文')).toBe(2);
  expect(wordCountOf('- 前', '', '  ```', '  里面', '', '  还是', '后文')).toBe(3);
  expect(wordCountOf('前', '', '    里面', '', '    还是', '', '后')).toBe(2);
  expect(wordCountOf('- 前', '', '    还在说', '', '- 后')).toBe(5);
});

test('recognizes only real HTML comments', () => {
  expect(wordCountOf('`<!--` 之后的正文', '第二行')).toBe(8);
  expect(wordCountOf('箭头 <!-- 这样写', '', '后文一二三')).toBe(10);
  expect(wordCountOf('\\<!-- 后文')).toBe(2);
  expect(wordCountOf('前 <!-- 不算', '不算 --> 后', '', '<!--', '', '不算', '-->', '文')).toBe(3);
});

test('assumes a higher reading speed for code than for prose', () => {
  expect(countMarkdown('字'.repeat(2000)).readMinutes).toBe(5);
  expect(countMarkdown(`${'字'.repeat(400)}\n\n\`\`\`\n${'word '.repeat(2000)}\n\`\`\``).readMinutes).toBe(3);
  expect(countMarkdown('').readMinutes).toBe(1);
});

test.each([
  ['tildes before a backtick', `${'~'.repeat(200_000)}\``, 0],
  ['unclosed images', '!['.repeat(100_000), 0],
  ['unclosed link URLs', ']('.repeat(100_000), 0],
  ['unclosed footnote references', '[^a'.repeat(60_000), 60_000],
  ['unclosed inline code', Array.from({ length: 600 }, (_, at) => 'a'.padEnd(at + 2, '`')).join(''), 600],
  ['dollar signs', '$a '.repeat(60_000), 60_000],
  ['empty comments', '<!---->'.repeat(30_000), 0],
])('counts %s in linear time', (_what, markdown, count) => {
  expect(wordCountOf(markdown)).toBe(count);
});
