import { expect, test } from 'vitest';
import { htmlToMarkdown } from './html-to-markdown.ts';
import * as clipboard from './pasted/clipboard-fixture.ts';
import { readRtfPictures } from './pasted/rtf.ts';

function convert(html: string, more: { rtf?: string; firstNote?: number; origin?: string } = {}) {
  const tokens = Array.from({ length: 20 }, (_, index) => `token${index + 1}`);
  return htmlToMarkdown(html, { createToken: () => tokens.shift() ?? '', ...more });
}
const textOf = (html: string) => convert(html).text;

test('Excel: a table with header row, alignment and flattened merged cells', () => {
  expect(textOf(clipboard.excel)).toBe(
    [
      '| 名称 | 城市 |    数量 |',
      '| ---- | :--: | ------: |',
      '| 砚台 | 歙县 |      12 |',
      '|      | a\\|b | 3,400.5 |',
      '| 合计 |      | 3,412.5 |',
    ].join('\n'),
  );
});

test('飞书: headings, nested and task lists, code with its language, a table, a picture', () => {
  const { text, pictures } = convert(clipboard.feishu);
  expect(text).toBe(
    [
      '## 部署',
      '先看[文档](https://example.com/docs?a=1)，**再动手**。',
      '- 一级\n  - 二级\n- 又一级',
      '* [ ] 写文档\n* [x] 跑测试',
      '```cpp\nint main() {\n    return 0; // a_b\n\n}\n```',
      '| 项   | 说明         |\n| ---- | ------------ |\n| 端口 | 9000<br>可改 |',
      '![](https://internal-api-drive-stream.feishu.cn/space/api/box/stream/download/authcode/?code=abc&x=1)',
    ].join('\n\n'),
  );
  expect(pictures).toMatchObject([{ token: 'token1', name: '图片 1', url: expect.stringContaining('&x=1') }]);
});

test('语雀: cards, formulas, nested lists, alerts, quotes and centred columns', () => {
  expect(textOf(clipboard.yuque)).toBe(
    [
      '## 哈希',
      '用 `capacity - 1` 取模，即 $h_i \\bmod 2^n$。',
      '```java\nint index = hash & (capacity - 1);\nreturn index;\n```',
      '1. 甲\n   - 甲之一\n2. 乙',
      '> [!WARNING]\n>\n> 小心溢出',
      '> 引一句',
      '|  键 | 值           |\n| :-: | ------------ |\n|  1  | • 甲<br>• 乙 |',
      '![示意图](https://cdn.nlark.com/yuque/0/2022/png/12/1664-abc.png)',
      '$E=mc^2$',
    ].join('\n\n'),
  );
});

test('Notion: tasks, formulas between dollar signs, numbered lists, code and captions', () => {
  expect(textOf(clipboard.notion)).toBe(
    [
      '## 缓存',
      '能量 $a_1*b_1$ 与 `$HOME`，价格 $5。',
      '$$\n\\int_0^1 x_i\\,dx\n$$',
      '- [ ] 待办 [链接](https://www.notion.so/x)\n- [x] 做完的\n  - 里面',
      '1. 一\n   1. 一之一\n2. 二',
      '```typescript\nconst a: number = 1;\nconst b = a < 2;\n```',
      '| 键 | 值 |\n| -- | -- |\n| 甲 | 乙 |',
      '![](https://prod-files-secure.s3.us-west-2.amazonaws.com/x/y/图%20%281%29.png "架构")',
    ].join('\n\n'),
  );
});

test('公众号: sections, code line by line, lazy pictures, formulas', () => {
  const { text, pictures } = convert(clipboard.wechat);
  expect(text).toBe(
    [
      '## 锁',
      '公众号的一段，**重点**。',
      '- 第一条\n- 第二条',
      '```javascript\nconst a = 1;\n\nrun(a);\n```',
      '![](https://mmbiz.qpic.cn/mmbiz_png/abc/640?wx_fmt=png&from=appmsg)',
      '$$\na^2+b^2=c^2\n$$',
      '| 列一 | 列二 |\n| ---- | ---- |\n| 甲   | 乙   |',
      '关注[往期](https://mp.weixin.qq.com/s/abc)',
    ].join('\n\n'),
  );
  expect(pictures).toHaveLength(1);
});

test('Word: nested lists, code, formulas, footnotes, tables and the pictures of its RTF', () => {
  const { text, pictures, missing } = convert(clipboard.word, { rtf: clipboard.wordRtf, firstNote: 3 });
  expect(text).toBe(
    [
      '# 方案',
      '**目标**：三天[^3]上线，水是H<sub>2</sub>O',
      '1. 先做\n   - 细节\n2. 后做',
      '```\nnpm install\nnpm start -- --port 9000\n```',
      '$\\frac{a}{\\sqrt{b}}={x}^{2}$',
      '| 阶段 | 天数 |\n| ---- | ---: |\n| 一   |    3 |',
      '![](uploading:token1)',
      '[^3]: 不含周末',
    ].join('\n\n'),
  );
  expect(pictures).toMatchObject([
    { type: 'image/png', bytes: Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10) },
  ]);
  expect(missing).toBe(0);
  expect(convert(clipboard.word).missing).toBe(1);
});

test('pages of other sites: formulas, code without line numbers, tasks, notes, direct links', () => {
  const { katex, zhihu, github, hexo, csdn } = clipboard.pages;
  expect(textOf(katex)).toBe('由 $a_1 + \\frac{1}{2}$ 得\n\n$$\nb = c\n$$');
  expect(textOf(zhihu)).toBe('设 $x^2$ 与 $y_i$\n\n[原文](https://example.com/a)');
  expect(textOf(github)).toBe(
    '- [ ] 未完\n- [x] 已完\n\n```rust\nfn main() {}\n```\n\n注[^1]。\n\n[^1]: 解释',
  );
  expect(textOf(hexo)).toBe('```js\nlet a;\na = 1;\n```');
  expect(textOf(csdn)).toBe('```python\nx = 1\nprint(x)\n```');
});

test('pictures: data is kept as bytes, own pictures stay, the same address is fetched once', () => {
  const html =
    '<p><img src="data:image/png;base64,iVBORw==" alt="截图"><img src="https://a.test/1.png"><img src="//a.test/2.png" alt="二"><img src="https://a.test/1.png"></p><p><img src="https://site.test/files/ab/c.webp"><img src="/files/ab/d.webp"><img src="https://a.test/pixel" width="1" height="1"><img src="blob:https://a.test/x"><img src="javascript:alert(1)"></p>';
  const { text, pictures, missing } = convert(html, { origin: 'https://site.test' });
  expect(text).toBe(
    '![截图](uploading:token1)![](https://a.test/1.png)![二](https://a.test/2.png)![](https://a.test/1.png)\n\n![](/files/ab/c.webp)![](/files/ab/d.webp)',
  );
  expect(pictures).toEqual([
    { token: 'token1', name: '截图', type: 'image/png', bytes: Uint8Array.of(0x89, 0x50, 0x4e, 0x47) },
    { token: 'token2', name: '图片 2', url: 'https://a.test/1.png' },
    { token: 'token3', name: '二', url: 'https://a.test/2.png' },
  ]);
  expect(missing).toBe(2);
});

test('marks are joined, and punctuation at their edges is moved out where Markdown would not see the mark', () => {
  expect(
    textOf('<p><strong>注意：</strong>后面<b>甲</b><b>乙 </b>丙，说<strong>（重点）</strong>呢</p>'),
  ).toBe('**注意**：后面**甲乙** 丙，说（**重点**）呢');
  expect(textOf('<p>用<strong>C++</strong>写，<strong>100%</strong>。<strong>完。</strong></p>')).toBe(
    '用**C++** 写，**100%**。**完。**',
  );
});

test('drops scripts, styles, unknown protocols and frames around one cell', () => {
  expect(
    textOf(
      '<style>p{color:red}</style><script>alert(1)</script><table><tr><td><p>框里的<a href="javascript:alert(1)">字</a></p></td></tr></table><p style="font-weight:normal"><span style="font-weight:700;font-style:italic">重</span><b style="font-weight:normal">轻</b></p>',
    ),
  ).toBe('框里的字\n\n***重***轻');
});

test('does not hang on broken or hostile markup', () => {
  expect(readRtfPictures(`${'{\\pict'.repeat(2000)}${'{'.repeat(2000)}`)).toEqual([]);
  expect(() => textOf('<table>'.repeat(300) + '<td rowspan=99999 colspan=99999>x'.repeat(50))).not.toThrow();
  expect(textOf('<ul><ul><li>甲</li></ul></ul>')).toBe('- - 甲');
  expect(textOf('<p>a<p>b</div></p><li>c')).toContain('b');
});

test('takes at most 200 pictures along, however they are contained', () => {
  const picture = '<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">';
  const { pictures, missing, text } = htmlToMarkdown(`<p>前</p>${picture.repeat(300)}<p>后</p>`, {
    createToken: () => 'abcdef0123',
  });
  expect(pictures).toHaveLength(200);
  expect(missing).toBe(100);
  expect(text.match(/uploading:/g)).toHaveLength(200);
});
