import { EditorState, type TransactionSpec } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { describe, expect, test } from 'vitest';
import { findHints } from './find-hints.ts';
import { markdownParser } from './markdown-parser.ts';
import { acceptHints, listHints, showHints, textHints } from './text-hints.ts';
import type { TextHint } from './typography.ts';

const hintsOf = (text: string, kind?: TextHint['kind']) =>
  findHints(markdownParser.parse(text), text).filter((hint) => kind === undefined || hint.kind === kind);

/** The text with all suggestions accepted. */
function accept(text: string, kind?: TextHint['kind']): string {
  let result = text;
  for (const { from, to, insert } of hintsOf(text, kind).reverse())
    result = result.slice(0, from) + insert + result.slice(to);
  return result;
}

describe('spaces between Chinese and Latin or digits', () => {
  test.each([
    ['用PostgreSQL存任务', '用 PostgreSQL 存任务'],
    ['增加了5种写法', '增加了 5 种写法'],
    ['快了30%左右', '快了 30% 左右'],
    ['在Node里用TypeScript', '在 Node 里用 TypeScript'],
    ['## 为什么用Redis', '## 为什么用 Redis'],
    ['- 列表里的API', '- 列表里的 API'],
  ])('%s', (text, expected) => expect(accept(text)).toBe(expected));

  test.each([
    '用 PostgreSQL 存任务',
    '2026年11月18日',
    '第3版',
    '一件T恤和一次B超',
    '把文件放进U盘',
    '全是中文。',
    'only English here',
    '',
  ])('leaves %s', (text) => expect(hintsOf(text)).toEqual([]));
});

describe('full-width punctuation after Chinese', () => {
  test.each([
    ['你好,世界', '你好，世界'],
    ['你好, 世界', '你好，世界'],
    ['真的吗?', '真的吗？'],
    ['太好了!', '太好了！'],
    ['注意:这里', '注意：这里'],
    ['写完了.', '写完了。'],
    ['写完了.再看', '写完了。再看'],
    ['后来...', '后来……'],
    ['后来。。。', '后来……'],
    ['牛顿(一位英国人)说', '牛顿（一位英国人）说'],
    ['他说「好」,然后走了', '他说「好」，然后走了'],
  ])('%s', (text, expected) => expect(accept(text)).toBe(expected));

  test.each([
    'Hello, world.',
    '你好，世界。',
    '版本 1.2.3',
    '见 a.ts',
    '高兴:smile:',
    '函数 f(x) 的值',
    '表头::注',
    '1,000 元',
  ])('leaves %s', (text) => expect(hintsOf(text, 'punctuation')).toEqual([]));
});

describe('repeated words', () => {
  test.each([
    ['这是我的的书', '这是我的书'],
    ['我们我们一起', '我们一起'],
    ['他在在家', '他在家'],
    ['因为因为下雨', '因为下雨'],
    ['see the the page', 'see the page'],
  ])('%s', (text, expected) => expect(accept(text, 'repeated')).toBe(expected));

  test.each([
    '看看',
    '试试看',
    '想想办法',
    '研究研究',
    '讨论讨论再说',
    '不了了之',
    '的的确确',
    '是是非非',
    '个个都好',
    '天天向上',
    '妈妈和爸爸',
    '谢谢你',
    '慢慢来',
    'bye bye',
    '哈哈哈哈',
    '为了了解情况',
    '我现在在北京',
    '达到目的的办法',
    '关键是是否可行',
    '请帮我把把关',
    '从从容容',
    '和和气气',
    '以这种行为为例',
    '成都都有地铁了',
    '在在线文档里改',
    '一个一个来',
  ])('leaves %s', (text) => expect(hintsOf(text, 'repeated')).toEqual([]));
});

describe('quotes', () => {
  test.each([
    ['他说"好的"就走了', '他说「好的」就走了'],
    ['他说“好的"就走了', '他说“好的”就走了'],
    ['“甲”和“乙”，还有「丙」', '“甲”和“乙”，还有“丙”'],
    ['「甲」和「乙」，还有“丙”', '「甲」和「乙」，还有「丙」'],
    ['“甲”之后说"乙"', '“甲”之后说“乙”'],
  ])('%s', (text, expected) => expect(accept(text, 'quotes')).toBe(expected));

  test.each(['他说「好」', '“甲”与“乙”', 'He said "fine".', '屏幕 15" 大', '「甲」与“乙”'])(
    'leaves %s',
    (text) => expect(hintsOf(text, 'quotes')).toEqual([]),
  );
});

describe('text that would be taken for HTML', () => {
  test.each([
    ['返回 List<String> 就行', '返回 `List<String>` 就行'],
    ['用 Map<String, List<Integer>> 存', '用 `Map<String, List<Integer>>` 存'],
    ['组件 <MyButton> 不见了', '组件 `<MyButton>` 不见了'],
    ['Promise<Data>', '`Promise<Data>`'],
    ['一行 Array<Span>[] 也是', '一行 `Array<Span>[]` 也是'],
    ['<Foo>\n\n正文', '`<Foo>`\n\n正文'],
    ['写 <script> 会怎样', '写 `<script>` 会怎样'],
  ])('%s', (text, expected) => expect(accept(text, 'html')).toBe(expected));

  test.each([
    '`List<String>` 已是代码',
    '```java\nList<String> x;\n```',
    '按 <kbd>Ctrl</kbd> 键',
    'H<sub>2</sub>O',
    '1 < 2 而 3 > 2',
    '#include <stdio.h>',
    '<https://example.com>',
    '<details><summary>看</summary>里面</details>',
  ])('leaves %s', (text) => expect(hintsOf(text, 'html')).toEqual([]));
});

test('never touches code, formulas, addresses and HTML', () => {
  for (const text of [
    '`中文API,的的`',
    '```\n中文API,的的\n```',
    '    中文API,的的',
    '$中文API,的的$',
    '$$\n中文API,的的\n$$',
    '[看](https://example.com/中文API,的的)',
    '<https://example.com/中文API>',
    'https://example.com/中文API',
    '<span title="中文API,的的">好</span>',
    '好[^注API]\n\n[^注API]: 说明',
    '[ref]: /中文API "标题API"',
    '| 甲 | 乙 |\n| :--- | ---: |\n| 一 | 二 |',
  ])
    expect([text, hintsOf(text)]).toEqual([text, []]);
  // Between Chinese and code nothing is suggested, since the code has an edge of its own.
  expect(hintsOf('用`API`来')).toEqual([]);
});

test('suggestions never overlap, so that all can be accepted at once', () => {
  const text = '用API,的的"好API"吗?List<String>和Map<A, B>,他说“好"...\n'.repeat(50);
  let end = 0;
  for (const { from, to } of hintsOf(text)) {
    expect(from).toBeGreaterThanOrEqual(end);
    end = to;
  }
  expect(hintsOf(accept(text)).length).toBeLessThan(hintsOf(text).length / 4);
});

test('a suggestion that was listed before the text changed is accepted at its current place', () => {
  const doc = '我的的书,用API写';
  let state = EditorState.create({ doc, extensions: textHints({ onChange() {}, onIgnore() {} }) });
  const view = {
    get state() {
      return state;
    },
    dispatch: (spec: TransactionSpec) => {
      state = state.update(spec).state;
    },
  } as unknown as EditorView;
  showHints(view, hintsOf(doc));
  const [first, ...others] = listHints(view.state);
  if (first === undefined) throw new Error('no suggestion');
  acceptHints(view, [first]);
  acceptHints(view, others);
  acceptHints(view, [first]);
  expect(view.state.doc.toString()).toBe('我的书，用 API 写');
});

test('finds each of very many places once', () => {
  const text = '中a<Tx>'.repeat(27_000);
  const hints = hintsOf(text);
  expect(hints).toHaveLength(27_000 * 2);
  expect(hints.every(({ from }, index) => from >= (hints[index - 1]?.to ?? 0))).toBe(true);
});
