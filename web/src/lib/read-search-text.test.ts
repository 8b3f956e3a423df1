import { expect, test } from 'vitest';
import { readSearchText } from './read-search-text.ts';

const read = (text: string, maxLength: number) =>
  readSearchText(new URLSearchParams({ q: text }), 'q', maxLength);

test('trims and truncates the text without splitting a character', () => {
  expect(read('  缓存 ', 10)).toBe('缓存');
  expect(read('一二三四', 2)).toBe('一二');
  expect(read(`a${'😀'.repeat(3)}`, 4)).toBe('a😀');
  expect(read(`${'𠮷'.repeat(3)}`, 4)).toBe('𠮷𠮷');
  expect(readSearchText(new URLSearchParams(), 'q', 4)).toBe('');
});
