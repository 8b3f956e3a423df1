import { expect, test } from 'vitest';
import { findMentionedIds, findMentionQuery } from './mentions.ts';

test('finds the name typed after an @, also inside a sentence', () => {
  expect(findMentionQuery('@', 1)).toEqual({ start: 0, keyword: '' });
  expect(findMentionQuery('谢谢@林', 4)).toEqual({ start: 2, keyword: '林' });
  expect(findMentionQuery('谢谢 @林砚 说得对', 6)).toEqual({ start: 3, keyword: '林砚' });
  expect(findMentionQuery('谢谢 @林砚 说得对', 8)).toBeNull();
});

test('ignores e-mail addresses', () => {
  expect(findMentionQuery('写信给 me@example', 14)).toBeNull();
  expect(findMentionQuery('没有', 2)).toBeNull();
});

test('returns only users whose names are still in the text, in text order', () => {
  const picked = [
    { id: 'a', name: '林砚' },
    { id: 'b', name: '沈舟' },
    { id: 'c', name: '叶青禾' },
  ];
  expect(findMentionedIds('@沈舟 和 @林砚 都说过', picked)).toEqual(['b', 'a']);
});

test('assigns equal names in selection order and prefers the longer name', () => {
  const picked = [
    { id: 'a', name: '林' },
    { id: 'b', name: '林砚' },
    { id: 'c', name: '林' },
  ];
  expect(findMentionedIds('@林 @林砚 @林 @林', picked)).toEqual(['a', 'b', 'c']);
});
