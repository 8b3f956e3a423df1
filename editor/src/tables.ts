import { syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';
import type { Command, EditorView } from '@codemirror/view';
import { insertBlock } from './commands.ts';

interface Table {
  from: number;
  to: number;
  rows: string[][];
  /** The row and column of the cursor; row 1 is the delimiter row. */
  row: number;
  column: number;
}

/** Splits a row at bars that are not escaped. */
function cellsOf(line: string): string[] {
  const texts: string[] = [];
  let cell = '';
  for (const [part] of line
    .trim()
    .replace(/^\|/, '')
    .matchAll(/\\.|\||[^|\\]+|\\/g)) {
    if (part !== '|') cell += part;
    else {
      texts.push(cell.trim());
      cell = '';
    }
  }
  return cell.trim() === '' ? texts : [...texts, cell.trim()];
}

const barsIn = (text: string): number => text.replace(/\\./g, '').split('|').length - 1;

const withoutItem = <T>(list: readonly T[], at: number): T[] => [...list.slice(0, at), ...list.slice(at + 1)];
const withInserted = <T>(list: readonly T[], at: number, item: T): T[] => [
  ...list.slice(0, at),
  item,
  ...list.slice(at),
];

function tableNode(state: EditorState) {
  let node = syntaxTree(state).resolveInner(state.selection.main.head, -1);
  while (node.name !== 'Table' && node.parent !== null) node = node.parent;
  return node.name === 'Table' ? node : null;
}

export const isInTable = (state: EditorState): boolean => tableNode(state) !== null;

function tableAt(state: EditorState): Table | null {
  const { head } = state.selection.main;
  const node = tableNode(state);
  if (node === null) return null;
  const first = state.doc.lineAt(node.from);
  const last = state.doc.lineAt(node.to);
  const lines = Array.from({ length: last.number - first.number + 1 }, (_, index) =>
    state.doc.line(first.number + index),
  );
  const current = state.doc.lineAt(head);
  const before = current.text.slice(0, head - current.from).trimStart();
  return {
    from: first.from,
    to: last.to,
    rows: lines.map(({ text }) => cellsOf(text)),
    row: current.number - first.number,
    column: barsIn(before.replace(/^\|/, '')),
  };
}

const DELIMITER_ROW = 1;

const toTableLine = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;

function writeTable(
  view: EditorView,
  { from, to }: Table,
  rows: string[][],
  row: number,
  column: number,
): void {
  const lines = rows.map(toTableLine);
  const start = from + lines.slice(0, row).reduce((sum, line) => sum + line.length + 1, 0);
  const cells = rows[row] ?? [];
  const inside = cells.slice(0, column).reduce((sum, cell) => sum + cell.length + 3, 2);
  view.dispatch({
    changes: { from, to, insert: lines.join('\n') },
    selection: { anchor: start + inside, head: start + inside + (cells[column]?.length ?? 0) },
    userEvent: 'input',
    scrollIntoView: true,
  });
  view.focus();
}

const padRows = ({ rows }: Table): string[][] => {
  const width = Math.max(...rows.map(({ length }) => length));
  return rows.map((row, index) => [
    ...row,
    ...Array.from({ length: width - row.length }, () => (index === DELIMITER_ROW ? '---' : '')),
  ]);
};

export type TableChange = 'addRow' | 'addColumn' | 'removeRow' | 'removeColumn';

export function changeTable(view: EditorView, change: TableChange): void {
  const table = tableAt(view.state);
  if (table === null || view.state.readOnly) return;
  const { row, column } = table;
  const rows = padRows(table);
  const width = rows[0]?.length ?? 1;
  if (change === 'addRow') {
    const at = Math.max(row, DELIMITER_ROW) + 1;
    writeTable(view, table, withInserted(rows, at, Array<string>(width).fill('')), at, 0);
  } else if (change === 'addColumn') {
    const wider = rows.map((cells, index) =>
      withInserted(cells, column + 1, index === DELIMITER_ROW ? '---' : ''),
    );
    writeTable(view, table, wider, row, column + 1);
  } else if (change === 'removeRow') {
    if (row > DELIMITER_ROW) writeTable(view, table, withoutItem(rows, row), row - 1, column);
  } else if (width > 1) {
    const narrower = rows.map((cells) => withoutItem(cells, column));
    writeTable(view, table, narrower, row, Math.max(0, column - 1));
  }
}

export function insertTable(view: EditorView, rows: number, columns: number): void {
  const blank = toTableLine(Array<string>(columns).fill('　'));
  const head = toTableLine(Array.from({ length: columns }, (_, index) => (index === 0 ? '⟨标题⟩' : '标题')));
  const body = Array.from({ length: rows - 1 }, () => blank);
  insertBlock(view, [head, toTableLine(Array<string>(columns).fill('---')), ...body].join('\n'));
}

const moveToCell =
  (step: 1 | -1): Command =>
  (view) => {
    const table = tableAt(view.state);
    if (table === null || view.state.readOnly) return false;
    const rows = padRows(table);
    const width = rows[0]?.length ?? 1;
    let { row, column } = table;
    column += step;
    if (column >= width) [row, column] = [row + 1, 0];
    if (column < 0) [row, column] = [row - 1, width - 1];
    if (row === DELIMITER_ROW) row += step;
    if (row < 0) return false;
    if (row >= rows.length) {
      changeTable(view, 'addRow');
      return true;
    }
    writeTable(view, table, rows, row, column);
    return true;
  };

export const nextCell = moveToCell(1);
export const previousCell = moveToCell(-1);
