import { expect, test } from 'vitest';
import { refreshRows, type Selection, updateSelection } from './selection.ts';

const first = { id: '1', enabled: 1 };
const second = { id: '2', enabled: 1 };
const third = { id: '3', enabled: 1 };
const rows = [first, second];
const selectedRows = [first, third];

/** The first page is visible; its first row and a row of another page are selected. */
const before: Selection<typeof first> = { scope: '', page: '1', rows, selected: selectedRows };
const ids = ({ selected }: typeof before) => selected.map(({ id }) => id);

test('clears the selection when search or filters change', () => {
  const other = updateSelection(before, { scope: '林', page: '1', rows: undefined });
  expect(other.selected).toEqual([]);
  const late = { ...other, selected: [third] };
  expect(updateSelection(late, { scope: '林', page: '1', rows }).selected).toEqual([]);
});

test('clears rows of the previous list that were selected before the new list was sorted and loaded', () => {
  const searched = updateSelection(before, { scope: '林', page: '1', rows: undefined });
  const sorted = updateSelection(searched, { scope: '林', page: 'name', rows: undefined });
  const late = { ...sorted, selected: [second, third] };
  expect(ids(updateSelection(late, { scope: '林', page: 'name', rows: [third] }))).toEqual(['3']);
});

test('keeps the selection when the page changes', () => {
  const turning = updateSelection(before, { scope: '', page: '2', rows: undefined });
  expect(turning).toBe(before);
  expect(ids(updateSelection(turning, { scope: '', page: '2', rows: [third] }))).toEqual(['1', '3']);
});

test('deselects a row that disappeared from its page, also after a page change', () => {
  const after = updateSelection(before, { scope: '', page: '1', rows: [second] });
  expect(ids(after)).toEqual(['3']);
  expect(ids(updateSelection(after, { scope: '', page: '2', rows: [] }))).toEqual(['3']);
});

test('a selected row has the data that was loaded last', () => {
  const disabled = rows.map((row) => ({ ...row, enabled: 0 }));
  const after = updateSelection(before, { scope: '', page: '1', rows: disabled });
  expect(after.selected).toEqual([
    { id: '1', enabled: 0 },
    { id: '3', enabled: 1 },
  ]);
  expect(updateSelection(after, { scope: '', page: '2', rows: [] }).selected).toEqual(after.selected);
});

test('returns the same object without changes', () => {
  expect(updateSelection(before, { scope: '', page: '1', rows })).toBe(before);
});

test('removes rows that are no longer in an unpaged list', () => {
  expect(refreshRows(selectedRows, [{ id: '1', enabled: 0 }])).toEqual([{ id: '1', enabled: 0 }]);
});
