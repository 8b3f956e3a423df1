import { markdown, markdownLanguage } from '@codemirror/lang-markdown';
import { EditorState, type TransactionSpec } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { expect, test } from 'vitest';
import * as commands from './commands.ts';
import { changeTable, insertTable, nextCell } from './tables.ts';

/** `«` and `»` in the text mark the start and end of the selection, `‸` a cursor. */
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

test('bold is toggled and keeps the selection', () => {
  const { view, text, selected } = editorWith('很«重要»的');
  commands.toggleBold(view);
  expect(text()).toBe('很**重要**的');
  expect(selected()).toBe('重要');
  commands.toggleBold(view);
  expect(text()).toBe('很重要的');
});

test('lines become a list, another type of list, and plain text again', () => {
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

test('each use of the heading command lowers the level, then removes it', () => {
  const { view, text } = editorWith('‸标题');
  for (const expected of ['## 标题', '### 标题', '#### 标题', '标题']) {
    commands.cycleHeading(view);
    expect(text()).toBe(expected);
  }
});

test('inserts a block on lines of its own', () => {
  const { view, text, selected } = editorWith('前面‸\n后面');
  commands.insertDiagram(view);
  expect(text()).toBe('前面\n\n```mermaid\nflowchart LR\n  开始 --> 结束\n```\n\n后面');
  expect(selected()).toBe('开始');
});

test('a footnote gets the next number and its text is added at the end', () => {
  const { view, text } = editorWith('甲[^3]乙‸\n\n[^3]: 三');
  commands.insertFootnote(view);
  expect(text()).toBe('甲[^3]乙[^4]\n\n[^3]: 三\n\n[^4]: ');
});

test('creates a link from a selected URL or from selected text', () => {
  const urlLink = editorWith('«https://example.com»');
  commands.insertLink(urlLink.view);
  expect(urlLink.text()).toBe('[](https://example.com)');
  const textLink = editorWith('«这里»');
  commands.insertLink(textLink.view);
  expect(textLink.text()).toBe('[这里](https://)');
});

test('inserts a table, moves between cells, adds and removes rows and columns', () => {
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

test('keeps an escaped bar inside its cell', () => {
  const { view, text } = editorWith('| a | b |\n| - | - |\n| x \\| y‸ | z |');
  changeTable(view, 'removeColumn');
  expect(text()).toBe('| b |\n| - |\n| z |');
});
