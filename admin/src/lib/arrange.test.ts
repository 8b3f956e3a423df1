import { expect, test } from 'vitest';
import { arrange, flatten } from './arrange.ts';

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

test('rows keep their order until one is chosen, numbers by size and names as they are looked up', () => {
  const rows: Row[] = [{ id: '丙', size: 10 }, { id: '甲', size: 9 }, { id: '第10条' }, { id: '第9条' }];
  expect(ids(arrange(rows, { test: all, order: 0 }))).toBe('丙 甲 第10条 第9条');
  const sized = rows.slice(0, 2);
  expect(ids(arrange(sized, { test: all, by: (row) => row.size ?? 0, order: 0 }))).toBe('甲 丙');
  expect(ids(arrange(sized, { test: all, by: (row) => row.size ?? 0, order: 1 }))).toBe('丙 甲');
  const named = rows.slice(2);
  expect(ids(arrange(named, { test: all, by: (row) => row.id, order: 0 }))).toBe('第9条 第10条');
});

test('of a tree, what is above a row that passes stays, and all below it', () => {
  const rows: Row[] = [
    { id: '内容', children: [{ id: '文章', children: [{ id: '下架' }] }, { id: '评论' }] },
    { id: '系统', children: [{ id: '设置' }] },
  ];
  const named = (name: string) => ids(arrange(rows, { test: ({ id }) => id === name, order: 0 }));
  expect(named('文章')).toBe('内容 文章 下架');
  expect(named('下架')).toBe('内容 文章 下架');
  expect(named('系统')).toBe('系统 设置');
  expect(named('没有')).toBe('');
});
