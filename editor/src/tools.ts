import { startCompletion } from '@codemirror/autocomplete';
import { openSearchPanel } from '@codemirror/search';
import type { EditorView } from '@codemirror/view';
import * as commands from './commands.ts';
import type { ToolShape } from './tool-shapes.ts';

export interface ToolItem {
  label: string;
  shape: ToolShape;
  keys?: string;
  run: (view: EditorView) => unknown;
}

const isMac = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform);
export const shortcut = (keys: string): string => (isMac ? keys.replace('Ctrl', '⌘') : keys);
export const titleOf = ({ label, keys }: { label: string; keys?: string | undefined }): string =>
  keys === undefined ? label : `${label}　${shortcut(keys)}`;

/** How the text is written. */
export const formatTools: readonly (readonly ToolItem[])[] = [
  [
    { label: '撤销', shape: 'undo', keys: 'Ctrl Z', run: commands.undoChange },
    { label: '重做', shape: 'redo', keys: 'Ctrl Y', run: commands.redoChange },
  ],
  [
    { label: '标题', shape: 'heading', run: commands.cycleHeading },
    { label: '加粗', shape: 'bold', keys: 'Ctrl B', run: commands.bold },
    { label: '着重号', shape: 'stress', keys: 'Ctrl I', run: commands.stress },
    { label: '删除线', shape: 'strike', keys: 'Ctrl Shift X', run: commands.strike },
  ],
  [
    { label: '引用', shape: 'quote', keys: 'Ctrl Shift 9', run: commands.toggleQuote },
    { label: '列表', shape: 'toc', keys: 'Ctrl Shift 8', run: commands.toggleList },
    { label: '编号列表', shape: 'numbers', keys: 'Ctrl Shift 7', run: commands.toggleNumbers },
    { label: '任务列表', shape: 'task', run: commands.toggleTasks },
  ],
];

/** What can be put into it. */
export const insertTools: readonly ToolItem[] = [
  { label: '公式', shape: 'sigma', run: commands.insertMath },
  { label: '流程图', shape: 'diagram', run: commands.insertDiagram },
  { label: '脚注', shape: 'footnote', run: commands.insertFootnote },
];

function openSlashMenu(view: EditorView): void {
  const { from } = view.state.selection.main;
  const line = view.state.doc.lineAt(from);
  const insert = line.text.trim() === '' ? '/' : '\n\n/';
  const at = line.text.trim() === '' ? from : line.to;
  view.dispatch({ changes: { from: at, insert }, selection: { anchor: at + insert.length } });
  view.focus();
  startCompletion(view);
}

export const slashTool: ToolItem = { label: '插入菜单', shape: 'slash', keys: '/', run: openSlashMenu };
export const searchTool: ToolItem = {
  label: '查找和替换',
  shape: 'search',
  keys: 'Ctrl F',
  run: openSearchPanel,
};
