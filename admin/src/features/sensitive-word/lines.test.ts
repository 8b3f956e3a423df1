import { expect, test } from 'vitest';
import { problemOfLines, readLines } from './lines.ts';

test('one word a line, without empty ones, notes and repetitions', () => {
  expect(readLines('甲\r\n\n 乙 \n# 备注\n甲\nhello world')).toEqual(['甲', '乙', 'hello world']);
});

test('says what is wrong, naming the word', () => {
  expect(problemOfLines('甲\n乙')).toBeUndefined();
  expect(problemOfLines('\n# 只有备注')).toBe('请填写敏感词，每行一个');
  expect(problemOfLines(`甲\n${'长'.repeat(51)}`)).toMatch(/^「长{10}…」太长/);
  expect(problemOfLines('甲\n，。')).toBe('「，。」里没有文字');
});
