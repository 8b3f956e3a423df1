import { Emoji, GFM, parser, Subscript, Superscript } from '@lezer/markdown';
import { expect, test } from 'vitest';
import { markdownParser } from './markdown-parser.ts';

const unbounded = parser.configure([GFM, Subscript, Superscript, Emoji]);
const LENGTH = 190_000;
const fill = (part: string): string => part.repeat(Math.ceil(LENGTH / part.length)).slice(0, LENGTH);

test('parses ordinary texts as before', () => {
  const text = `一段**加粗**、*斜体*、~~删去~~、[链接](https://example.com/a "标题")和 ![图](/files/a.webp)。
<b>粗</b>，H~2~O，x^2^，[引用][一]，<https://example.com>，a < b，List<String>，\`代码\` [ ] *

[一]: https://example.com "标题"
`;
  for (const each of [text, text.repeat(100), `[${'字'.repeat(4000)}](${'a'.repeat(100_000)})`])
    expect(markdownParser.parse(each).toString()).toBe(unbounded.parse(each).toString());
});

// Without limits each of these takes minutes.
test.each([
  ['links without an end', fill('[a](')],
  ['pictures without an end', fill('![](')],
  ['titles without an end', fill('[a](b (')],
  ['emphasis that is opened and closed by other marks', fill(' _a').slice(0, 95_000) + fill('a* ')],
  ['tags without an end', fill('<a:')],
  ['instructions without an end', fill('<?a>')],
  ['lists within lists', fill('1. ')],
  ['quotes within quotes', fill('>')],
  ['a definition without an end', `[a]: b "${fill('x\n')}`],
])('ends soon with %s', (_name, text) => {
  expect(markdownParser.parse(text).length).toBe(text.length);
});
