import { markdown, markdownLanguage } from '@codemirror/lang-markdown';
import { EditorState, type TransactionSpec } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { expect, test } from 'vitest';
import * as commands from './commands.ts';
import { changeTable, insertTable, nextCell } from './tables.ts';

/** `«` and `»` in the text are where the selection begins and ends, `‸` is a cursor alone. */
function editorWith(marked: string) {
  const anchor = marked.includes('«') ? marked.indexOf('«') : marked.indexOf('‸');
  const head = marked.includes('»') ? marked.indexOf('»') - 1 : anchor;
  const view = {
    state: EditorState.create({
      doc: marked.replace(/[«»‸]/g, ''),
      selection: { anchor, head },
      extensions: markdown({ base: markdownLanguage }),
    }),
    dispatch(spec: TransactionSpec) {
      view.state = view.state.update(spec).state;
    },
    focus: () => {},
  };
  return {
    view: view as unknown as EditorView,
    text: () => view.state.doc.toString(),
    selected: () => view.state.sliceDoc(view.state.selection.main.from, view.state.selection.main.to),
  };
}

test('bold goes on and off, and keeps the selection', () => {
  const { view, text, selected } = editorWith('很«重要»的');
  commands.bold(view);
  expect(text()).toBe('很**重要**的');
  expect(selected()).toBe('重要');
  commands.bold(view);
  expect(text()).toBe('很重要的');
});

test('lines become a list, another kind of list, and plain again', () => {
  const { view, text } = editorWith('«一\n二»');
  commands.toggleList(view);
  expect(text()).toBe('- 一\n- 二');
  commands.toggleTasks(view);
  expect(text()).toBe('- [ ] 一\n- [ ] 二');
  commands.toggleNumbers(view);
  expect(text()).toBe('1. 一\n2. 二');
  commands.toggleNumbers(view);
  expect(text()).toBe('一\n二');
});

test('a heading grows smaller with each use', () => {
  const { view, text } = editorWith('‸标题');
  for (const wanted of ['## 标题', '### 标题', '#### 标题', '标题']) {
    commands.cycleHeading(view);
    expect(text()).toBe(wanted);
  }
});

test('a block gets lines of its own', () => {
  const { view, text, selected } = editorWith('前面‸\n后面');
  commands.insertDiagram(view);
  expect(text()).toBe('前面\n\n```mermaid\nflowchart LR\n  开始 --> 结束\n```\n\n后面');
  expect(selected()).toBe('开始');
});

test('a footnote takes the next number, its text at the end', () => {
  const { view, text } = editorWith('甲[^3]乙‸\n\n[^3]: 三');
  commands.insertFootnote(view);
  expect(text()).toBe('甲[^3]乙[^4]\n\n[^3]: 三\n\n[^4]: ');
});

test('a link from an address, and from words', () => {
  const address = editorWith('«https://example.com»');
  commands.insertLink(address.view);
  expect(address.text()).toBe('[](https://example.com)');
  const words = editorWith('«这里»');
  commands.insertLink(words.view);
  expect(words.text()).toBe('[这里](https://)');
});

test('a table: made, walked through, made larger and smaller', () => {
  const { view, text, selected } = editorWith('‸');
  insertTable(view, 2, 2);
  expect(text()).toBe('| 标题 | 标题 |\n| --- | --- |\n| 　 | 　 |\n');
  expect(selected()).toBe('标题');
  nextCell(view);
  nextCell(view);
  nextCell(view);
  nextCell(view);
  expect(text()).toBe('| 标题 | 标题 |\n| --- | --- |\n|  |  |\n|  |  |\n');
  changeTable(view, 'addColumn');
  expect(text().split('\n')[0]).toBe('| 标题 |  | 标题 |');
  changeTable(view, 'removeColumn');
  changeTable(view, 'removeRow');
  expect(text()).toBe('| 标题 | 标题 |\n| --- | --- |\n|  |  |\n');
});

test('a bar that is escaped stays in its cell', () => {
  const { view, text } = editorWith('| a | b |\n| - | - |\n| x \\| y‸ | z |');
  changeTable(view, 'removeColumn');
  expect(text()).toBe('| b |\n| - |\n| z |');
});
