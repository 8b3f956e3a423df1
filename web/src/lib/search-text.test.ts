import { expect, test } from 'vitest';
import { searchText } from './search-text.ts';

const of = (text: string, most: number) => searchText(new URLSearchParams({ q: text }), 'q', most);

test('a text is cut to what a call takes, between characters', () => {
  expect(of('  缓存 ', 10)).toBe('缓存');
  expect(of('一二三四', 2)).toBe('一二');
  expect(of(`a${'😀'.repeat(3)}`, 4)).toBe('a😀');
  expect(of(`${'𠮷'.repeat(3)}`, 4)).toBe('𠮷𠮷');
  expect(searchText(new URLSearchParams(), 'q', 4)).toBe('');
});
