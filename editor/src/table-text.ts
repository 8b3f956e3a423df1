import { displayWidth } from './display-width.ts';

export type Align = 'left' | 'center' | 'right' | null;

/** A Markdown table without its line prefixes. The first row is the header; all rows have as many cells as `aligns`. */
export interface TableText {
  aligns: Align[];
  rows: string[][];
}

/** The line of the table that contains the alignments. */
export const DELIMITER_LINE = 1;

/** Splits a line at bars that are not escaped; a bar in code must be escaped too, as everywhere in Markdown tables. */
export function cellsOf(line: string): string[] {
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

const alignOf = (delimiter: string): Align => {
  const [left, right] = [delimiter.startsWith(':'), delimiter.length > 1 && delimiter.endsWith(':')];
  if (left && right) return 'center';
  return left ? 'left' : right ? 'right' : null;
};

/** Rows with missing cells are filled up, and the header is widened for rows with more cells, so that nothing is lost. */
export function parseTable(lines: readonly string[]): TableText {
  const [header = [], delimiters = [], ...body] = lines.map(cellsOf);
  const rows = [header, ...body];
  const width = Math.max(1, ...rows.map(({ length }) => length));
  const fill = (cells: readonly string[]) => Array.from({ length: width }, (_, x) => cells[x] ?? '');
  return { aligns: fill(delimiters).map(alignOf), rows: rows.map(fill) };
}

const MIN_WIDTH = 3;
/** A wider table would wrap in the editor, so its cells are not padded. */
const MAX_TABLE_WIDTH = 120;

function pad(text: string, width: number, align: Align): string {
  const space = Math.max(0, width - displayWidth(text));
  if (align === 'right') return ' '.repeat(space) + text;
  const before = align === 'center' ? Math.floor(space / 2) : 0;
  return ' '.repeat(before) + text + ' '.repeat(space - before);
}

function delimiterOf(align: Align, width: number): string {
  const line = '-'.repeat(width - (align === 'center' ? 2 : align === null ? 0 : 1));
  return `${align === 'left' || align === 'center' ? ':' : ''}${line}${align === 'right' || align === 'center' ? ':' : ''}`;
}

export interface FormattedTable {
  lines: string[];
  /** Where the text of a cell is in its line. */
  cellRange: (line: number, column: number) => { from: number; to: number };
}

/** Writes the table with columns of equal width; a Chinese character is as wide as two others. */
export function formatTable({ aligns, rows }: TableText): FormattedTable {
  const natural = aligns.map((_, x) =>
    Math.max(MIN_WIDTH, ...rows.map((cells) => displayWidth(cells[x] ?? ''))),
  );
  const isWide = natural.reduce((sum, width) => sum + width + 3, 1) > MAX_TABLE_WIDTH;
  const widths = isWide ? natural.map(() => MIN_WIDTH) : natural;
  const padded = rows.map((cells) =>
    cells.map((text, x) => (isWide ? text : pad(text, widths[x] ?? MIN_WIDTH, aligns[x] ?? null))),
  );
  const delimiters = aligns.map((align, x) => delimiterOf(align, widths[x] ?? MIN_WIDTH));
  const [header = [], ...body] = padded;
  const grid = [header, delimiters, ...body];
  return {
    lines: grid.map((cells) => `| ${cells.join(' | ')} |`),
    cellRange(line, column) {
      const cells = grid[line] ?? [];
      const start = cells.slice(0, column).reduce((sum, cell) => sum + cell.length + 3, 2);
      const cell = cells[column] ?? '';
      const text = cell.trim();
      // The cursor of an empty cell is at its beginning.
      const from = start + (text === '' ? 0 : cell.indexOf(text));
      return { from, to: from + text.length };
    },
  };
}

export const tableChanges = [
  ...(['addRowAbove', 'addRow', 'moveRowUp', 'moveRowDown', 'removeRow'] as const),
  ...(['addColumnBefore', 'addColumn', 'moveColumnLeft', 'moveColumnRight', 'removeColumn'] as const),
  ...(['alignLeft', 'alignCenter', 'alignRight', 'format'] as const),
] as const;
export type TableChange = (typeof tableChanges)[number];

/** A cell by the line of the table, in which line 1 is the delimiter, and the column. */
export interface TablePosition {
  line: number;
  column: number;
}

export interface TableSize {
  /** Number of lines, including the delimiter. */
  lines: number;
  columns: number;
}

/** The header stays where it is, and the last column cannot be removed. */
export function canChangeTable(
  change: TableChange,
  { line, column }: TablePosition,
  { lines, columns }: TableSize,
): boolean {
  switch (change) {
    case 'addRowAbove':
    case 'removeRow':
      return line > DELIMITER_LINE;
    case 'moveRowUp':
      return line > DELIMITER_LINE + 1;
    case 'moveRowDown':
      return line > DELIMITER_LINE && line < lines - 1;
    case 'moveColumnLeft':
      return column > 0;
    case 'moveColumnRight':
      return column < columns - 1;
    case 'removeColumn':
      return columns > 1;
    default:
      return true;
  }
}

const inserted = <T>(list: readonly T[], at: number, item: T): T[] => [
  ...list.slice(0, at),
  item,
  ...list.slice(at),
];
const removed = <T>(list: readonly T[], at: number): T[] => [...list.slice(0, at), ...list.slice(at + 1)];
/** Moves an item to a neighbouring place. */
const moved = <T>(list: readonly T[], at: number, to: number): T[] => {
  const copy = [...list];
  copy.splice(to, 0, ...copy.splice(at, 1));
  return copy;
};

const newAligns: Partial<Record<TableChange, Align>> = {
  alignLeft: 'left',
  alignCenter: 'center',
  alignRight: 'right',
};

/** Returns the changed table and the new position of the cursor; the same table if the change is not possible. */
export function applyTableChange(
  table: TableText,
  change: TableChange,
  at: TablePosition,
): { table: TableText; at: TablePosition } {
  const { aligns, rows } = table;
  const column = Math.min(at.column, aligns.length - 1);
  const { line } = at;
  const position = { line, column };
  if (!canChangeTable(change, position, { lines: rows.length + 1, columns: aligns.length }))
    return { table, at: position };
  /** The index in `rows`, which has no delimiter. */
  const row = Math.max(0, line - 1);
  const empty = aligns.map(() => '');
  const withRows = (next: string[][], nextRow: number) => ({
    table: { aligns, rows: next },
    at: { line: nextRow + 1, column },
  });
  const withColumns = (edit: <T>(list: readonly T[], item: T) => T[], nextColumn: number) => ({
    table: { aligns: edit<Align>(aligns, null), rows: rows.map((cells) => edit(cells, '')) },
    at: { line, column: Math.max(0, nextColumn) },
  });
  switch (change) {
    case 'addRowAbove':
      return withRows(inserted(rows, row, empty), row);
    case 'addRow':
      return withRows(inserted(rows, row + 1, empty), row + 1);
    case 'removeRow':
      return {
        table: { aligns, rows: removed(rows, row) },
        // The row below, or the one above the last; the header if no other is left.
        at: { line: rows.length === 2 ? 0 : Math.min(line, rows.length - 1), column },
      };
    case 'moveRowUp':
      return withRows(moved(rows, row, row - 1), row - 1);
    case 'moveRowDown':
      return withRows(moved(rows, row, row + 1), row + 1);
    case 'addColumnBefore':
      return withColumns((list, item) => inserted(list, column, item), column);
    case 'addColumn':
      return withColumns((list, item) => inserted(list, column + 1, item), column + 1);
    case 'removeColumn':
      return withColumns((list) => removed(list, column), Math.min(column, aligns.length - 2));
    case 'moveColumnLeft':
      return withColumns((list) => moved(list, column, column - 1), column - 1);
    case 'moveColumnRight':
      return withColumns((list) => moved(list, column, column + 1), column + 1);
    case 'format':
      return { table, at: position };
    default: {
      // The same alignment again removes it.
      const align = newAligns[change] ?? null;
      const next = aligns.map((each, x) => (x === column ? (each === align ? null : align) : each));
      return { table: { aligns: next, rows }, at: position };
    }
  }
}
