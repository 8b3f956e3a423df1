import { expect, test } from 'vitest';
import { mentionAt, mentionsIn } from './mentions.ts';

test('a name is being typed after an @, also in the middle of a sentence', () => {
  expect(mentionAt('@', 1)).toEqual({ start: 0, keyword: '' });
  expect(mentionAt('谢谢@林', 4)).toEqual({ start: 2, keyword: '林' });
  expect(mentionAt('谢谢 @林砚 说得对', 6)).toEqual({ start: 3, keyword: '林砚' });
  expect(mentionAt('谢谢 @林砚 说得对', 8)).toBeNull();
});

test('an address is no name', () => {
  expect(mentionAt('写信给 me@example', 14)).toBeNull();
  expect(mentionAt('没有', 2)).toBeNull();
});

test('only names that still stand in the text count, in their order', () => {
  const picked = [
    { id: 'a', name: '林砚' },
    { id: 'b', name: '沈舟' },
    { id: 'c', name: '叶青禾' },
  ];
  expect(mentionsIn('@沈舟 和 @林砚 都说过', picked)).toEqual(['b', 'a']);
});

test('of two with one name each takes a place, and the longer name is meant where it stands', () => {
  const picked = [
    { id: 'a', name: '林' },
    { id: 'b', name: '林砚' },
    { id: 'c', name: '林' },
  ];
  expect(mentionsIn('@林 @林砚 @林 @林', picked)).toEqual(['a', 'b', 'c']);
});
