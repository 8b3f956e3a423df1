import { isValidElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { ago, code, count, figure, line, money, personName, tag, text, time } from './columns.tsx';
import type { Column } from './use-columns.ts';

interface Row {
  name: string;
  note: string | null;
  tags: string[];
  amount: number;
  status: 0 | 1;
  doneAt: string | null;
  by: {
    id: string;
    displayName: string;
    headImg: string;
    curIdentity: 1;
    isMember: boolean;
    title: string;
  } | null;
}

const row: Row = {
  name: '墨栈',
  note: null,
  tags: ['甲', '乙'],
  amount: 123_450,
  status: 1,
  doneAt: '2026-01-02T03:04:05.000Z',
  by: null,
};

/** The cell's HTML. */
function renderCell<T>(column: Column<T>, of: T): string {
  const cell = column.show?.(of) ?? column.text(of);
  return isValidElement(cell) ? renderToStaticMarkup(cell) : String(cell);
}

test('displays text, joins arrays, and displays a dash for empty values', () => {
  expect(text<Row>('name', '名称').text(row)).toBe('墨栈');
  expect(text<Row>('tags', '标签').text(row)).toBe('甲、乙');
  expect(text<Row>('tags', '标签').text({ ...row, tags: [] })).toBe('-');
  expect(text<Row>('note', '备注').text(row)).toBe('-');
  expect(personName<Row>('by', '处理人').text(row)).toBe('-');
  expect(text.of<Row>('both', '两者', ({ name, tags }) => name + tags.length).text(row)).toBe('墨栈2');
});

test('formats code and long text on screen only, not in exports', () => {
  expect(renderCell(code<Row>('name', '名称'), row)).toBe('<code>墨栈</code>');
  expect(renderCell(line<Row>('name', '名称'), row)).toContain('title="墨栈"');
  expect(line<Row>('name', '名称').text(row)).toBe('墨栈');
});

test('formats amounts as yuan on screen, as plain numbers in exports, and sorts by fen', () => {
  const column = money<Row>('amount', '金额（元）');
  expect([renderCell(column, row), column.text(row), column.by?.(row)]).toEqual([
    '¥ 1,234.50',
    '1234.50',
    123_450,
  ]);
});

test('uses thousands separators on screen only', () => {
  const column = figure<Row>('amount', '数');
  expect([renderCell(column, row), column.text(row), column.align]).toEqual(['123,450', '123450', 'end']);
  expect(renderCell(count<Row>('amount', '数'), row)).toBe('123450');
});

test('exports exact times in the time zone of the site', () => {
  expect(time<Row>('doneAt', '时间').text(row)).toBe('2026-01-02 11:04:05');
  expect(ago<Row>('doneAt', '时间').text(row)).toBe('2026-01-02 11:04:05');
  expect(renderCell(ago<Row>('doneAt', '时间'), { ...row, doneAt: null })).toBe('-');
});

test('a tag uses the label and colour of its value', () => {
  const column = tag<Row, 0 | 1>('status', '状态', { 0: '停', 1: { label: '行', color: 'success' } });
  expect(column.text(row)).toBe('行');
  expect(renderCell(column, row)).toContain('ant-tag-success');
  expect(column.text({ ...row, status: 0 })).toBe('停');
});

test('sorts by the own field or by another field of the server', () => {
  expect(time<Row>('doneAt', '时间', { sort: true }).sort).toBe('doneAt');
  expect(time<Row>('doneAt', '时间', { sort: 'endedAt' }).sort).toBe('endedAt');
  expect(time<Row>('doneAt', '时间')).not.toHaveProperty('sort');
  expect(time<Row>('doneAt', '时间', { hidden: true }).hidden).toBe(true);
});

test('an unknown field or a field of the wrong type does not compile', () => {
  // @ts-expect-error: no such field
  text<Row>('nmae', '名称');
  // @ts-expect-error: the field is not a number
  money<Row>('name', '金额');
  // @ts-expect-error: a label is missing
  tag<Row, 0 | 1>('status', '状态', { 0: '停' });
});
