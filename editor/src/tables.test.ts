import fc from 'fast-check';
import { expect, test } from 'vitest';
import { displayWidth } from './display-width.ts';
import { editorWith } from './editor-fixture.ts';
import {
  applyTableChange,
  canChangeTable,
  formatTable,
  parseTable,
  type TableText,
  tableChanges,
} from './table-text.ts';
import {
  cellBelow,
  changeTable,
  insertTable,
  isInTable,
  nextCell,
  previousCell,
  tableInfoAt,
} from './tables.ts';

test('inserts a table, moves between cells, adds and removes rows and columns', () => {
  const { view, text, selected } = editorWith('‸');
  insertTable(view, 2, 2);
  expect(text()).toBe('| 标题 | 标题 |\n| --- | --- |\n| 　 | 　 |\n');
  expect(selected()).toBe('标题');
  for (let i = 0; i < 4; i += 1) nextCell(view);
  expect(text()).toBe('| 标题 | 标题 |\n| ---- | ---- |\n|      |      |\n|      |      |\n');
  changeTable(view, 'addColumn');
  expect(text().split('\n')[0]).toBe('| 标题 |     | 标题 |');
  changeTable(view, 'removeColumn');
  changeTable(view, 'removeRow');
  expect(text()).toBe('| 标题 | 标题 |\n| ---- | ---- |\n|      |      |\n');
});

test('keeps an escaped bar inside its cell, also in code', () => {
  const { view, text } = editorWith('| a | b |\n| - | - |\n| `x \\| y`‸ | z |');
  changeTable(view, 'moveColumnRight');
  expect(text()).toBe('| b   | a        |\n| --- | -------- |\n| z   | `x \\| y` |');
});

test('a moved column takes its alignment with it', () => {
  const { view, text } = editorWith('| 甲‸ | 乙 |\n| ---: | --- |\n| 1 | 2 |');
  changeTable(view, 'moveColumnRight');
  expect(text().split('\n')[1]).toBe('| --- | --: |');
});

test('aligns columns, counting a Chinese character as two, and the same alignment again removes it', () => {
  const { view, text } = editorWith('|名称|数量‸|\n|-|-|\n|砚|3400|');
  changeTable(view, 'alignRight');
  expect(text()).toBe('| 名称 | 数量 |\n| ---- | ---: |\n| 砚   | 3400 |');
  changeTable(view, 'alignCenter');
  expect(text().split('\n')[1]).toBe('| ---- | :--: |');
  changeTable(view, 'alignCenter');
  expect(text().split('\n')[1]).toBe('| ---- | ---- |');
});

test('fills ragged rows and loses no cell', () => {
  const { view, text } = editorWith('| a | b |\n| - | - |\n| 1‸ |\n| 1 | 2 | 3 |');
  changeTable(view, 'format');
  expect(text()).toBe('| a   | b   |     |\n| --- | --- | --- |\n| 1   |     |     |\n| 1   | 2   | 3   |');
});

test('keeps the marks of a quote and the indentation of a list', () => {
  const quote = editorWith('> | a | b |\n> | - | - |\n> | 1 | 2‸ |\n\n后');
  nextCell(quote.view);
  expect(quote.text()).toBe('> | a   | b   |\n> | --- | --- |\n> | 1   | 2   |\n> |     |     |\n\n后');
  const list = editorWith('- | a | b |\n  | - | - |\n  | 1‸ | 2 |');
  changeTable(list.view, 'addRowAbove');
  expect(list.text()).toBe('- | a   | b   |\n  | --- | --- |\n  |     |     |\n  | 1   | 2   |');
});

test('Enter goes down, adds a row, and leaves the table from an empty last row', () => {
  const { view, text, selected } = editorWith('| 甲‸ | 乙 |\n| --- | --- |\n| 一 | 二 |');
  cellBelow(view);
  expect(selected()).toBe('一');
  cellBelow(view);
  expect(text()).toBe('| 甲  | 乙  |\n| --- | --- |\n| 一  | 二  |\n|     |     |');
  cellBelow(view);
  expect(text()).toBe('| 甲  | 乙  |\n| --- | --- |\n| 一  | 二  |\n\n');
  expect(isInTable(view.state)).toBe(false);
  const typed = editorWith('| 甲 | 乙 |\n| --- | --- |‸');
  cellBelow(typed.view);
  expect(typed.text()).toBe('| 甲  | 乙  |\n| --- | --- |\n|     |     |');
  expect(tableInfoAt(typed.view.state)).toMatchObject({ line: 2, column: 0 });
});

test('each change is one step of the history, and moving between aligned cells is none', () => {
  const start = '| a   | b   |\n| --- | --- |\n| 1   | 2   |';
  const { view, text, undo } = editorWith(start.replace('1', '1‸'));
  nextCell(view);
  previousCell(view);
  changeTable(view, 'addColumn');
  const wide = text();
  changeTable(view, 'addRow');
  undo();
  expect(text()).toBe(wide);
  undo();
  expect(text()).toBe(start);
  undo();
  expect(text()).toBe(start);
});

test('does not touch the text outside a table, the header or the only column', () => {
  const outside = editorWith('没有表‸');
  changeTable(outside.view, 'addRow');
  expect(nextCell(outside.view)).toBe(false);
  expect(cellBelow(outside.view)).toBe(false);
  expect(outside.text()).toBe('没有表');
  const header = editorWith('| a‸   |\n| --- |\n| 1   |');
  for (const change of ['removeRow', 'moveRowDown', 'addRowAbove', 'removeColumn'] as const)
    changeTable(header.view, change);
  expect(header.text()).toBe('| a   |\n| --- |\n| 1   |');
});

test('a very wide table is not padded', () => {
  const { view, text } = editorWith(`| a‸ | b |\n| - | - |\n| ${'字'.repeat(60)} | 2 |`);
  changeTable(view, 'format');
  expect(text()).toBe(`| a | b |\n| --- | --- |\n| ${'字'.repeat(60)} | 2 |`);
});

const cell = fc
  .array(fc.constantFrom('a', '字', '｜', '\\|', '\\\\', '`', ' ', '-', ':', '*', '😀', '<br>', '1'), {
    maxLength: 8,
  })
  .map((parts) => parts.join('').trim());
const tables: fc.Arbitrary<TableText> = fc
  .record({ columns: fc.integer({ min: 1, max: 5 }), rows: fc.integer({ min: 1, max: 6 }) })
  .chain(({ columns, rows }) =>
    fc.record({
      aligns: fc.array(fc.constantFrom('left', 'center', 'right', null), {
        minLength: columns,
        maxLength: columns,
      }),
      rows: fc.array(fc.array(cell, { minLength: columns, maxLength: columns }), {
        minLength: rows,
        maxLength: rows,
      }),
    }),
  );

test('what is written is read again unchanged, and its lines have the same width', () => {
  fc.assert(
    fc.property(tables, (table) => {
      const { lines } = formatTable(table);
      expect(parseTable(lines)).toEqual(table);
      expect(formatTable(parseTable(lines)).lines).toEqual(lines);
      expect(new Set(lines.map(displayWidth)).size).toBe(1);
    }),
  );
});

test('after any changes the table is read again, keeps its cells, and the cursor is inside', () => {
  fc.assert(
    fc.property(
      tables,
      fc.array(fc.constantFrom(...tableChanges), { maxLength: 12 }),
      fc.nat(),
      fc.nat(),
      (table, changes, x, y) => {
        let current = table;
        let at = { line: [0, 2, 3, 4, 5, 6][y % table.rows.length] ?? 0, column: x % table.aligns.length };
        for (const change of changes) {
          const size = { lines: current.rows.length + 1, columns: current.aligns.length };
          const before = current.rows
            .flat()
            .filter((text) => text !== '')
            .sort();
          const result = applyTableChange(current, change, at);
          if (!canChangeTable(change, at, size)) expect(result.table).toBe(current);
          ({ table: current, at } = result);
          expect(parseTable(formatTable(current).lines)).toEqual(current);
          if (!change.startsWith('remove'))
            expect(
              current.rows
                .flat()
                .filter((text) => text !== '')
                .sort(),
            ).toEqual(before);
          expect(at.line).not.toBe(1);
          expect(at.line === 0 || at.line <= current.rows.length).toBe(true);
          expect(at.column).toBeLessThan(current.aligns.length);
        }
      },
    ),
  );
});

test('random changes in the editor leave one table and can all be undone', () => {
  fc.assert(
    fc.property(
      tables,
      fc.array(fc.constantFrom(...tableChanges), { minLength: 1, maxLength: 6 }),
      (table, changes) => {
        // Lines that Markdown would not read as a table, such as a header of dashes, are not the subject here.
        const named = {
          ...table,
          rows: table.rows.map((cells, y) =>
            cells.map((text, x) => (y === 0 || x === 0 ? `n${text.replace(/[`\\|<>*]/g, '')}` : text)),
          ),
        };
        const start = `前\n\n${formatTable(named).lines.join('\n')}\n\n后`;
        const { view, text, undo } = editorWith(start.replace('n', '‸n'));
        expect(isInTable(view.state)).toBe(true);
        for (const change of changes) {
          changeTable(view, change);
          expect(isInTable(view.state)).toBe(true);
        }
        expect(text().startsWith('前\n\n|') && text().endsWith('|\n\n后')).toBe(true);
        for (const _ of changes) undo();
        expect(text()).toBe(start);
      },
    ),
    { numRuns: 40 },
  );
});
