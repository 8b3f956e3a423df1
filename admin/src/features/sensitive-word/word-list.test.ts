import { expect, test } from 'vitest';
import { parseWords, validateWords } from './word-list.ts';

test('parses one word per line, without empty lines, comments and duplicates', () => {
  expect(parseWords('甲\r\n\n 乙 \n# 备注\n甲\nhello world')).toEqual(['甲', '乙', 'hello world']);
});

test('error messages name the invalid word', () => {
  expect(validateWords('甲\n乙')).toBeUndefined();
  expect(validateWords('\n# 只有备注')).toBe('请填写敏感词，每行一个');
  expect(validateWords(`甲\n${'长'.repeat(51)}`)).toMatch(/^「长{10}…」太长/);
  expect(validateWords('甲\n，。')).toBe('「，。」里没有文字');
});
