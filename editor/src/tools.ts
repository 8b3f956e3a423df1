import { startCompletion } from '@codemirror/autocomplete';
import type { EditorView } from '@codemirror/view';
import * as commands from './commands.ts';
import { openFind } from './find/open-find.ts';
import type { ToolIconName } from './tool-icons.ts';

export interface ToolItem {
  label: string;
  icon: ToolIconName;
  keys?: string;
  run: (view: EditorView) => unknown;
}

const isMac = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform);
export const shortcutLabel = (keys: string): string => (isMac ? keys.replace('Ctrl', '⌘') : keys);
export const toolTitle = ({ label, keys }: { label: string; keys?: string | undefined }): string =>
  keys === undefined ? label : `${label}　${shortcutLabel(keys)}`;

export const formatTools: readonly (readonly ToolItem[])[] = [
  [
    { label: '撤销', icon: 'undo', keys: 'Ctrl Z', run: commands.undoChange },
    { label: '重做', icon: 'redo', keys: 'Ctrl Y', run: commands.redoChange },
  ],
  [
    { label: '标题', icon: 'heading', run: commands.cycleHeading },
    { label: '加粗', icon: 'bold', keys: 'Ctrl B', run: commands.toggleBold },
    { label: '着重号', icon: 'stress', keys: 'Ctrl I', run: commands.toggleEmphasis },
    { label: '删除线', icon: 'strike', keys: 'Ctrl Shift X', run: commands.toggleStrikethrough },
  ],
  [
    { label: '引用', icon: 'quote', keys: 'Ctrl Shift 9', run: commands.toggleQuote },
    { label: '列表', icon: 'toc', keys: 'Ctrl Shift 8', run: commands.toggleList },
    { label: '编号列表', icon: 'numbers', keys: 'Ctrl Shift 7', run: commands.toggleNumbers },
    { label: '任务列表', icon: 'task', run: commands.toggleTasks },
  ],
];

export const insertTools: readonly ToolItem[] = [
  { label: '公式', icon: 'sigma', run: commands.insertMath },
  { label: '流程图', icon: 'diagram', run: commands.insertDiagram },
  { label: '脚注', icon: 'footnote', run: commands.insertFootnote },
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

export const slashTool: ToolItem = { label: '插入菜单', icon: 'slash', keys: '/', run: openSlashMenu };
export const searchTool: ToolItem = {
  label: '查找和替换',
  icon: 'search',
  keys: 'Ctrl F',
  run: openFind,
};
