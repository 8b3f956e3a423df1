import { expect, test } from 'vitest';
import { matchesItem, startsItem } from './slash-menu.ts';

const numbers = { name: 'number', label: '编号列表', pinyin: 'bian hao lie biao', terms: 'ol ordered' };

test.each(['', '编号', '列表', 'bhlb', 'bh', 'bian', 'bianhao', 'liebiao', 'number', 'ol', 'ordered'])(
  'the item is found by 「%s」',
  (typed) => expect(matchesItem(numbers, typed)).toBe(true),
);

test.each(['表列', 'hb', 'umber', 'bhx', '图'])('the item is not found by 「%s」', (typed) =>
  expect(matchesItem(numbers, typed)).toBe(false),
);

test('items that begin with what was typed come first', () => {
  const table = { name: 'table', label: '表格', pinyin: 'biao ge' };
  for (const typed of ['表', 'biao', 'tab']) {
    expect(startsItem(table, typed)).toBe(true);
    expect(startsItem(numbers, typed)).toBe(false);
  }
});
