import { expect, test } from 'vitest';
import * as commands from './commands.ts';
import { editorWith } from './editor-fixture.ts';

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
