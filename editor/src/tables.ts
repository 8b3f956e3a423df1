import { isolateHistory } from '@codemirror/commands';
import type { EditorState } from '@codemirror/state';
import type { Command, EditorView, KeyBinding } from '@codemirror/view';
import { insertBlock } from './commands.ts';
import { parseTo } from './parse-to.ts';
import {
  type Align,
  applyTableChange,
  cellsOf,
  DELIMITER_LINE,
  formatTable,
  parseTable,
  type TableChange,
  type TablePosition,
  type TableText,
} from './table-text.ts';

interface FoundTable extends TablePosition {
  from: number;
  to: number;
  /** Per line what is before the table: the marks of a quote or the indentation of a list. */
  prefixes: string[];
  lines: string[];
}

const barsIn = (text: string): number => text.replace(/\\./g, '').split('|').length - 1;

function tableNode(state: EditorState) {
  const { head } = state.selection.main;
  let node = parseTo(state, head).resolveInner(head, -1);
  while (node.name !== 'Table' && node.parent !== null) node = node.parent;
  return node.name === 'Table' ? node : null;
}

export const isInTable = (state: EditorState): boolean => tableNode(state) !== null;

/** In a quote or a list, the lines of a table begin with its marks. */
const prefixOf = (line: string): string => /^[\s>]*/.exec(line)?.[0] ?? '';

function columnAt(lineText: string, offset: number): number {
  const before = lineText.slice(0, Math.max(0, offset)).trimStart();
  return barsIn(before.replace(/^\|/, ''));
}

export interface TableInfo extends TablePosition {
  lineCount: number;
  columns: number;
  align: Align;
}

/** Where the cursor is in a table. Reads three lines of it, because it is called whenever the cursor moves. */
export function tableInfoAt(state: EditorState): TableInfo | null {
  const node = tableNode(state);
  if (node === null) return null;
  const { head } = state.selection.main;
  const first = state.doc.lineAt(node.from);
  const last = state.doc.lineAt(node.to);
  const current = state.doc.lineAt(head);
  const start = current.number === first.number ? node.from - first.from : prefixOf(current.text).length;
  const header = first.text.slice(node.from - first.from);
  const second = state.doc.line(Math.min(first.number + DELIMITER_LINE, state.doc.lines)).text;
  const { aligns } = parseTable([header, second.slice(prefixOf(second).length)]);
  const own = cellsOf(current.text.slice(start)).length;
  const columns = Math.max(aligns.length, own);
  const column = Math.min(columnAt(current.text.slice(start), head - current.from - start), columns - 1);
  return {
    line: current.number - first.number,
    column,
    lineCount: last.number - first.number + 1,
    columns,
    align: aligns[column] ?? null,
  };
}

function tableAt(state: EditorState): FoundTable | null {
  const node = tableNode(state);
  const info = tableInfoAt(state);
  if (node === null || info === null) return null;
  const first = state.doc.lineAt(node.from);
  const texts = Array.from(
    { length: info.lineCount },
    (_, index) => state.doc.line(first.number + index).text,
  );
  const prefixes = texts.map((text, index) =>
    index === 0 ? text.slice(0, node.from - first.from) : prefixOf(text),
  );
  return {
    from: first.from,
    to: state.doc.line(first.number + info.lineCount - 1).to,
    prefixes,
    lines: texts.map((text, index) => text.slice(prefixes[index]?.length)),
    line: info.line,
    column: info.column,
  };
}

/** Writes the table and selects the cell, in one step of the history; without a difference only the selection changes. */
function writeTable(
  view: EditorView,
  found: FoundTable,
  table: TableText,
  { line, column }: TablePosition,
): void {
  const { from, to, prefixes } = found;
  const { lines, cellRange } = formatTable(table);
  const prefixAt = (index: number) => prefixes[index === 0 ? 0 : Math.min(index, prefixes.length - 1)] ?? '';
  const written = lines.map((text, index) => prefixAt(index) + text);
  const start =
    from + written.slice(0, line).reduce((sum, text) => sum + text.length + 1, prefixAt(line).length);
  const range = cellRange(line, column);
  const insert = written.join('\n');
  const isSame = insert === view.state.sliceDoc(from, to);
  view.dispatch({
    ...(isSame ? {} : { changes: { from, to, insert }, annotations: isolateHistory.of('full') }),
    selection: { anchor: start + range.from, head: start + range.to },
    userEvent: isSame ? 'select' : 'input',
    scrollIntoView: true,
  });
  view.focus();
}

export function changeTable(view: EditorView, change: TableChange): void {
  const found = tableAt(view.state);
  if (found === null || view.state.readOnly) return;
  const { table, at } = applyTableChange(parseTable(found.lines), change, found);
  writeTable(view, found, table, at);
}

const toTableLine = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;

export function insertTable(view: EditorView, rows: number, columns: number): void {
  const blank = toTableLine(Array<string>(columns).fill('　'));
  const head = toTableLine(Array.from({ length: columns }, (_, index) => (index === 0 ? '⟨标题⟩' : '标题')));
  const body = Array.from({ length: rows - 1 }, () => blank);
  insertBlock(view, [head, toTableLine(Array<string>(columns).fill('---')), ...body].join('\n'));
}

const moveToCell =
  (step: 1 | -1): Command =>
  (view) => {
    const found = tableAt(view.state);
    if (found === null || view.state.readOnly) return false;
    const table = parseTable(found.lines);
    const width = table.aligns.length;
    let { line, column } = found;
    column += step;
    if (column >= width) [line, column] = [line + 1, 0];
    if (column < 0) [line, column] = [line - 1, width - 1];
    if (line === DELIMITER_LINE) line += step;
    if (line < 0) return false;
    if (line > table.rows.length) {
      const { table: longer } = applyTableChange(table, 'addRow', { line: table.rows.length, column: 0 });
      writeTable(view, found, longer, { line, column: 0 });
    } else writeTable(view, found, table, { line, column });
    return true;
  };

export const nextCell = moveToCell(1);
export const previousCell = moveToCell(-1);

/** Removes the empty last row and continues below the table. */
function leaveTable(view: EditorView, found: FoundTable, table: TableText): void {
  const prefix = found.prefixes.at(-1) ?? '';
  const { lines } = formatTable({ ...table, rows: table.rows.slice(0, -1) });
  const written = lines.map((text, index) => (found.prefixes[index] ?? prefix) + text).join('\n');
  const insert = `${written}\n${prefix.trimEnd()}\n${prefix}`;
  view.dispatch({
    changes: { from: found.from, to: found.to, insert },
    selection: { anchor: found.from + insert.length },
    annotations: isolateHistory.of('full'),
    userEvent: 'input',
    scrollIntoView: true,
  });
}

/** Goes to the cell below; below the last row it adds one, and from an empty last row it leaves the table. */
export const cellBelow: Command = (view) => {
  const found = tableAt(view.state);
  const { main } = view.state.selection;
  if (
    found === null ||
    view.state.readOnly ||
    view.state.doc.lineAt(main.from).number !== view.state.doc.lineAt(main.to).number
  )
    return false;
  const table = parseTable(found.lines);
  const isLast = found.line >= table.rows.length;
  if (isLast && found.line > DELIMITER_LINE + 1 && table.rows.at(-1)?.every((cell) => cell === '')) {
    leaveTable(view, found, table);
    return true;
  }
  const current = view.state.doc.lineAt(main.head);
  // After the last bar the row is complete, so the next one begins with its first cell.
  const isComplete =
    current.text.slice(main.head - current.from).trim() === '' && /\|\s*$/.test(current.text);
  const column = isComplete ? 0 : found.column;
  if (isLast) {
    const { table: longer } = applyTableChange(table, 'addRow', { line: table.rows.length, column });
    writeTable(view, found, longer, { line: table.rows.length + 1, column });
  } else writeTable(view, found, table, { line: found.line === 0 ? 2 : found.line + 1, column });
  return true;
};

/** A line break would end the row. */
const breakInCell: Command = (view) => {
  if (!isInTable(view.state) || view.state.readOnly) return false;
  view.dispatch(view.state.replaceSelection('<br>'), { userEvent: 'input', scrollIntoView: true });
  return true;
};

const moveRow =
  (change: 'moveRowUp' | 'moveRowDown'): Command =>
  (view) => {
    if (!isInTable(view.state) || view.state.readOnly) return false;
    changeTable(view, change);
    return true;
  };

/** CodeMirror does not run these while a character is being composed. */
export const tableKeymap: KeyBinding[] = [
  { key: 'Tab', run: nextCell, shift: previousCell },
  { key: 'Enter', run: cellBelow, shift: breakInCell },
  { key: 'Alt-ArrowUp', run: moveRow('moveRowUp') },
  { key: 'Alt-ArrowDown', run: moveRow('moveRowDown') },
];
