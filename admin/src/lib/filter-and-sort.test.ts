import { expect, test } from 'vitest';
import { filterAndSort, flatten } from './filter-and-sort.ts';

interface Row {
  id: string;
  size?: number;
  children?: readonly Row[];
}

const ids = (rows: readonly Row[]): string =>
  flatten(rows)
    .map(({ id }) => id)
    .join(' ');
const all = () => true;

test('sorts numbers by size and text by locale, and keeps the order without a sort key', () => {
  const rows: Row[] = [{ id: '丙', size: 10 }, { id: '甲', size: 9 }, { id: '第10条' }, { id: '第9条' }];
  expect(ids(filterAndSort(rows, { test: all, order: 0 }))).toBe('丙 甲 第10条 第9条');
  const sized = rows.slice(0, 2);
  expect(ids(filterAndSort(sized, { test: all, by: (row) => row.size ?? 0, order: 0 }))).toBe('甲 丙');
  expect(ids(filterAndSort(sized, { test: all, by: (row) => row.size ?? 0, order: 1 }))).toBe('丙 甲');
  const named = rows.slice(2);
  expect(ids(filterAndSort(named, { test: all, by: (row) => row.id, order: 0 }))).toBe('第9条 第10条');
});

test('keeps the ancestors and all descendants of a matching row', () => {
  const rows: Row[] = [
    { id: '内容', children: [{ id: '文章', children: [{ id: '下架' }] }, { id: '评论' }] },
    { id: '系统', children: [{ id: '设置' }] },
  ];
  const named = (name: string) => ids(filterAndSort(rows, { test: ({ id }) => id === name, order: 0 }));
  expect(named('文章')).toBe('内容 文章 下架');
  expect(named('下架')).toBe('内容 文章 下架');
  expect(named('系统')).toBe('系统 设置');
  expect(named('没有')).toBe('');
});
