import { indentLess, indentMore } from '@codemirror/commands';
import { insertNewlineContinueMarkupCommand } from '@codemirror/lang-markdown';
import type { ChangeSpec, EditorState } from '@codemirror/state';
import type { Command } from '@codemirror/view';
import type { SyntaxNode } from '@lezer/common';
import { parseTo } from './parse-to.ts';

/** Enter continues a list or quote; in an empty item it ends it at once, without making the list a loose one. */
export const continueList: Command = insertNewlineContinueMarkupCommand({ nonTightLists: false });

/** The list item that starts on the line of the cursor, outside quotes, whose marks would be in the way. */
function itemAtCursor(state: EditorState): SyntaxNode | null {
  const { from, to } = state.selection.main;
  const line = state.doc.lineAt(from);
  if (to > line.to) return null;
  const start = line.from + line.text.search(/\S|$/);
  let found: SyntaxNode | null = null;
  for (
    let node: SyntaxNode | null = parseTo(state, line.to).resolveInner(start, 1);
    node !== null;
    node = node.parent
  ) {
    if (node.name === 'Blockquote') return null;
    if (node.name === 'ListItem' && node.from === start) found ??= node;
  }
  return found;
}

const columnOf = (state: EditorState, at: number): number => at - state.doc.lineAt(at).from;

const linesOf = (state: EditorState, { from, to }: SyntaxNode) => {
  const first = state.doc.lineAt(from).number;
  const count = state.doc.lineAt(to).number - first + 1;
  return Array.from({ length: count }, (_, index) => state.doc.line(first + index));
};

/** Moves the item with its content below the item before it; the first item of a list stays where it is. */
export const indentItem: Command = (view) => {
  const { state } = view;
  const item = itemAtCursor(state);
  if (item === null) return indentMore(view);
  const before = item.prevSibling;
  const mark = before?.getChild('ListMark');
  if (before?.name !== 'ListItem' || !mark) return true;
  const spaces = ' '.repeat(columnOf(state, mark.to) + 1 - columnOf(state, item.from));
  const changes: ChangeSpec[] = linesOf(state, item)
    .filter(({ text }) => text.trim() !== '')
    .map(({ from }) => ({ from, insert: spaces }));
  const own = item.getChild('ListMark');
  const isFirst = before.getChild('OrderedList') === null;
  if (own && isFirst && /\d/.test(state.sliceDoc(own.from, own.to)))
    changes.push({ from: own.from, to: own.to - 1, insert: '1' });
  view.dispatch({ changes, userEvent: 'input.indent', scrollIntoView: true });
  return true;
};

/** Moves the item with its content to the level of the item that contains it. */
export const outdentItem: Command = (view) => {
  const { state } = view;
  const item = itemAtCursor(state);
  const outer = item?.parent?.parent;
  if (!item || outer?.name !== 'ListItem') return indentLess(view);
  const width = columnOf(state, item.from) - columnOf(state, outer.from);
  const changes: ChangeSpec[] = linesOf(state, item).map(({ from, text }) => ({
    from,
    to: from + Math.min(width, text.search(/\S|$/)),
  }));
  const [own, above] = [item.getChild('ListMark'), outer.getChild('ListMark')];
  const number = above ? Number.parseInt(state.sliceDoc(above.from, above.to), 10) : Number.NaN;
  if (own && number >= 0 && /\d/.test(state.sliceDoc(own.from, own.to)))
    changes.push({ from: own.from, to: own.to - 1, insert: `${number + 1}` });
  view.dispatch({ changes, userEvent: 'delete.dedent', scrollIntoView: true });
  return true;
};
