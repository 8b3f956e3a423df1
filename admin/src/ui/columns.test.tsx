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

/** What a cell shows, as HTML. */
function shown<T>(column: Column<T>, of: T): string {
  const cell = column.show?.(of) ?? column.text(of);
  return isValidElement(cell) ? renderToStaticMarkup(cell) : String(cell);
}

test('text is shown as it is, arrays are joined, and nothing is a dash', () => {
  expect(text<Row>('name', '名称').text(row)).toBe('墨栈');
  expect(text<Row>('tags', '标签').text(row)).toBe('甲、乙');
  expect(text<Row>('tags', '标签').text({ ...row, tags: [] })).toBe('-');
  expect(text<Row>('note', '备注').text(row)).toBe('-');
  expect(personName<Row>('by', '处理人').text(row)).toBe('-');
  expect(text.of<Row>('both', '两者', ({ name, tags }) => name + tags.length).text(row)).toBe('墨栈2');
});

test('code and long text have their look, and the same text in a file', () => {
  expect(shown(code<Row>('name', '名称'), row)).toBe('<code>墨栈</code>');
  expect(shown(line<Row>('name', '名称'), row)).toContain('title="墨栈"');
  expect(line<Row>('name', '名称').text(row)).toBe('墨栈');
});

test('amounts are yuan with a sign on the screen and plain numbers in a file, sorted by fen', () => {
  const column = money<Row>('amount', '金额（元）');
  expect([shown(column, row), column.text(row), column.by?.(row)]).toEqual([
    '¥ 1,234.50',
    '1234.50',
    123_450,
  ]);
});

test('large numbers are grouped on the screen alone', () => {
  const column = figure<Row>('amount', '数');
  expect([shown(column, row), column.text(row), column.align]).toEqual(['123,450', '123450', 'end']);
  expect(shown(count<Row>('amount', '数'), row)).toBe('123450');
});

test('times are exact in a file, on the clock of the site', () => {
  expect(time<Row>('doneAt', '时间').text(row)).toBe('2026-01-02 11:04:05');
  expect(ago<Row>('doneAt', '时间').text(row)).toBe('2026-01-02 11:04:05');
  expect(shown(ago<Row>('doneAt', '时间'), { ...row, doneAt: null })).toBe('-');
});

test('a state has the label and colour of its table', () => {
  const column = tag<Row, 0 | 1>('status', '状态', { 0: '停', 1: { label: '行', color: 'success' } });
  expect(column.text(row)).toBe('行');
  expect(shown(column, row)).toContain('ant-tag-success');
  expect(column.text({ ...row, status: 0 })).toBe('停');
});

test('a column is sorted by its field, or by another that the server knows', () => {
  expect(time<Row>('doneAt', '时间', { sort: true }).sort).toBe('doneAt');
  expect(time<Row>('doneAt', '时间', { sort: 'endedAt' }).sort).toBe('endedAt');
  expect(time<Row>('doneAt', '时间')).not.toHaveProperty('sort');
  expect(time<Row>('doneAt', '时间', { hidden: true }).hidden).toBe(true);
});

test('a field that is not there, or of another type, does not compile', () => {
  // @ts-expect-error: no such field
  text<Row>('nmae', '名称');
  // @ts-expect-error: a name is no amount
  money<Row>('name', '金额');
  // @ts-expect-error: no label for a state
  tag<Row, 0 | 1>('status', '状态', { 0: '停' });
});
