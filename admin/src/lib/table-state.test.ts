import { expect, test } from 'vitest';
import { readTableState, writeTableState } from './table-state.ts';

const filters = [{ name: 'roleId' }, { name: 'enabled' }, { name: 'staff', initial: '1' }];
const read = (search: string) => readTableState(new URLSearchParams(search), filters);
const write = (state: ReturnType<typeof read>) => writeTableState(state, filters);

test('reads back the state that was written', () => {
  const state = {
    page: 3,
    pageSize: 50,
    keyword: '林砚 & co',
    sort: 'createdAt',
    order: 1 as const,
    filters: { enabled: '0', staff: '0' },
  };
  expect(read(write(state))).toEqual(state);
});

test('writes nothing for the initial state', () => {
  expect(write(read(''))).toBe('');
});

test('ignores invalid values in the URL', () => {
  expect(read('?page=-1&pageSize=7&order=x&other=1')).toEqual(read(''));
  expect(read('?page=1.5').page).toBe(1);
});

test('supports filters with an initial value', () => {
  expect(read('').filters).toEqual({ staff: '1' });
  expect(write({ ...read(''), filters: { staff: '0' } })).toBe('?staff=0');
});

test('keeps unrelated query parameters', () => {
  const before = new URLSearchParams('?tab=plan&keyword=old&page=3&enabled=1');
  const state = { ...read(''), filters: { staff: '1', enabled: '0' } };
  expect(writeTableState(state, filters, before)).toBe('?tab=plan&enabled=0');
});
