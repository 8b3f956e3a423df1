import { ensureSyntaxTree } from '@codemirror/language';
import { EditorState, type Range } from '@codemirror/state';
import type { Decoration } from '@codemirror/view';
import { expect, test } from 'vitest';
import { createValueStore } from '../store.ts';
import { codeLanguages, findCodeLanguage } from './code-languages.ts';
import { formatFormulaBlocks, formatRange } from './format-rules.ts';
import { liveMarkdown } from './live-formatting.ts';
import type { Uploads } from './widgets.ts';

const uploads: Uploads = createValueStore([]);

/** `‸` in the text is the cursor; without it the editor has no focus. */
function stateOf(marked: string) {
  const cursor = marked.indexOf('‸');
  const state = EditorState.create({
    doc: marked.replace('‸', ''),
    selection: { anchor: Math.max(0, cursor) },
    extensions: liveMarkdown(),
  });
  ensureSyntaxTree(state, state.doc.length, 5000);
  // A transaction takes over the finished tree.
  return { state: state.update({}).state, isFocused: cursor >= 0 };
}

function widgetText({ spec }: Decoration): string {
  const { widget } = spec;
  if (widget === undefined) return '';
  const [value] = ['formula', 'url', 'token', 'name', 'isDone'].flatMap((key) => widget[key] ?? []);
  return `⟦${value ?? widget.constructor.name}⟧`;
}

/** The text as it is seen: hidden marks left out, widgets in brackets. */
function seen(marked: string): string {
  const { state, isFocused } = stateOf(marked);
  const ranges: Range<Decoration>[] = [
    ...formatRange(state, { from: 0, to: state.doc.length }, isFocused, uploads),
    ...formatFormulaBlocks(state, { from: 0, to: state.doc.length }, isFocused),
  ].filter(({ value, from, to }) => value.spec.widget !== undefined || (from < to && value.point));
  ranges.sort((a, b) => a.from - b.from || b.to - a.to);
  let text = '';
  let at = 0;
  for (const { from, to, value } of ranges) {
    if (from < at) continue;
    text += state.sliceDoc(at, from) + widgetText(value);
    at = to;
  }
  return text + state.sliceDoc(at);
}

function classesAt(marked: string, text: string): string[] {
  const { state, isFocused } = stateOf(marked);
  const at = state.doc.toString().indexOf(text);
  const line = state.doc.lineAt(at).from;
  return formatRange(state, { from: 0, to: state.doc.length }, isFocused, uploads)
    .filter(({ from, to, value }) =>
      from === to ? from === line && value.spec.widget === undefined : from <= at && to > at,
    )
    .map(({ value }) => value.spec.class)
    .filter(Boolean);
}

test('hides the marks of inline text unless the cursor is in it', () => {
  const text = '**重**要，*着重*，~~删~~，`代码`，[链接](https://a.cn "题")，\\*';
  expect(seen(text)).toBe('重要，着重，删，代码，链接，*');
  expect(seen('**重‸**要，*着重*')).toBe('**重**要，着重');
  expect(seen('**重**‸要，*着重*')).toBe('**重**要，着重');
  expect(seen('**重**要‸，*着重*')).toBe('重要，着重');
  expect(seen('[链‸接](https://a.cn)')).toBe('[链接](https://a.cn)');
  expect(classesAt(text, '着重')).toEqual(['lf-stress']);
  expect(seen('[](https://a.cn) [脚注][^1]')).toBe('[](https://a.cn) [脚注][^1]');
});

test('forms headings, quotes, lists and rules, and shows their marks on the line of the cursor', () => {
  expect(seen('## 题 ##\n\n> 引\n> 用\n\n---')).toBe('题\n\n引\n用\n\n⟦RuleWidget⟧');
  expect(seen('## 题‸\n\n> 引')).toBe('## 题\n\n引');
  expect(seen('题\n\n> 引\n> 用‸')).toBe('题\n\n引\n> 用');
  expect(seen('- 一\n  - 二\n\n1. 三\n')).toBe('⟦BulletWidget⟧一\n⟦BulletWidget⟧二\n\n1. 三\n');
  expect(seen('- 一‸')).toBe('⟦BulletWidget⟧一');
  expect(seen('‸- 一')).toBe('- 一');
  expect(seen('- [ ] 做\n- [x] 完')).toBe('⟦false⟧做\n⟦true⟧完');
  expect(classesAt('### 三级', '三级')).toEqual(['lf-heading lf-h3']);
  expect(classesAt('- 一\n  - 二', '二')).toEqual(expect.arrayContaining(['lf-list lf-d2', 'lf-item']));
});

test('replaces a picture, and keeps it below its Markdown while that is edited', () => {
  expect(seen('前\n\n![图](/files/a.png)\n')).toBe('前\n\n⟦/files/a.png⟧\n');
  expect(seen('![图‸](/files/a.png)')).toBe('![图](/files/a.png)⟦/files/a.png⟧');
  expect(seen('![图](uploading:0123456789)')).toBe('⟦0123456789⟧');
});

test('forms a picture with a width, and leaves other HTML as typed', () => {
  const tag = '<img src="/files/a.png" alt="图" width="50%">';
  expect(seen(`前\n\n${tag}\n\n后`)).toBe('前\n\n⟦/files/a.png⟧\n\n后');
  expect(seen(`前 ${tag} 后`)).toBe('前 ⟦/files/a.png⟧ 后');
  expect(seen(`${tag}‸`)).toBe(`${tag}⟦/files/a.png⟧`);
  expect(seen('<img src="/files/a.png" width="30">')).toBe('<img src="/files/a.png" width="30">');
  expect(seen('按 <kbd>F11</kbd>')).toBe('按 <kbd>F11</kbd>');
});

test('forms formulas by the rules of the server', () => {
  expect(seen('当 $a^2$ 时，$$b$$')).toBe('当 ⟦a^2⟧ 时，⟦b⟧');
  expect(seen('当 $a^‸2$ 时')).toBe('当 $a^2$ 时');
  expect(seen('从 $5 到 $10。\n\n\\$x$ 与 $ y $ 与 $z$3')).toBe('从 $5 到 $10。\n\n$x$ 与 $ y $ 与 $z$3');
  expect(seen('`$a$` 与 $*a*$')).toBe('$a$ 与 ⟦*a*⟧');
  expect(seen('前\n$$\nx = 1\n$$\n后')).toBe('前\n⟦x = 1⟧\n后');
  expect(seen('$$\nx‸\n$$\n后')).toBe('$$\nx\n$$⟦x⟧\n后');
  expect(seen('$$\n没有结束')).toBe('$$\n没有结束');
  expect(seen('> $$\n> x\n> $$')).toBe('$$\nx\n$$');
});

test('shows the language of a code block in place of its fences, and no marks inside', () => {
  expect(seen('```ts {1,3}\nconst **a** = 1\n```\n')).toBe('⟦ts⟧\nconst **a** = 1\n\n');
  expect(seen('```ts\nconst‸ a\n```')).toBe('```ts\nconst a\n```');
  expect(classesAt('```\n甲\n```', '甲')).toEqual(['lf-code']);
});

test('highlights code by the language after its fence', async () => {
  await findCodeLanguage('ts {1}')?.load();
  expect(classesAt('```ts {1}\nconst a = "甲"\n```', 'const')).toContain('tk-keyword');
  expect(classesAt('```ts {1}\nconst a = "甲"\n```', '甲')).toContain('tk-string');
  expect(findCodeLanguage('没有这种')).toBeNull();
});

test('every language can be loaded, and its names are unique', async () => {
  const names = codeLanguages.flatMap(({ alias }) => alias);
  expect(new Set(names).size).toBe(names.length);
  for (const each of codeLanguages) await expect(each.load()).resolves.toBeDefined();
});

test('decorates only what is visible', () => {
  const { state } = stateOf('**甲**\n\n'.repeat(1000));
  const found = formatRange(state, { from: 3500, to: 3600 }, false, uploads);
  expect(found.length).toBeGreaterThan(0);
  expect(found.every(({ from, to }) => from >= 3490 && to <= 3610)).toBe(true);
});
