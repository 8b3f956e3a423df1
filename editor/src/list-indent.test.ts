import { expect, test } from 'vitest';
import { editorWith } from './editor-fixture.ts';
import { continueList, indentItem, outdentItem } from './list-indent.ts';

test.each([
  ['- 甲\n- 乙‸', '- 甲\n  - 乙'],
  ['1. 甲\n2. 乙‸\n3. 丙', '1. 甲\n   1. 乙\n3. 丙'],
  ['1. 甲\n   1. 子\n2. 乙‸', '1. 甲\n   1. 子\n   2. 乙'],
  ['- 甲\n- 乙‸\n  - 丙', '- 甲\n  - 乙\n    - 丙'],
  ['- [ ] 甲\n- [ ] ‸', '- [ ] 甲\n  - [ ] '],
])('Tab moves the item below the one before it: %j', (marked, expected) => {
  const { view, text } = editorWith(marked);
  indentItem(view);
  expect(text()).toBe(expected);
});

test('Tab twice does not turn an item into code', () => {
  const { view, text } = editorWith('- 甲\n- 乙‸');
  indentItem(view);
  indentItem(view);
  expect(text()).toBe('- 甲\n  - 乙');
});

test('the first item of a list stays where it is', () => {
  const { view, text } = editorWith('段落\n\n- 甲‸\n- 乙');
  expect(indentItem(view)).toBe(true);
  expect(text()).toBe('段落\n\n- 甲\n- 乙');
});

test.each([
  ['1. 甲\n   1. 乙‸', '1. 甲\n2. 乙'],
  ['- 甲\n  - 乙‸\n    - 丙', '- 甲\n- 乙\n  - 丙'],
])('Shift+Tab moves the item to the level above: %j', (marked, expected) => {
  const { view, text } = editorWith(marked);
  outdentItem(view);
  expect(text()).toBe(expected);
});

test.each([
  ['- 甲‸', '- 甲\n- '],
  ['- 甲\n- ‸', '- 甲\n'],
  ['1. 甲\n2. ‸', '1. 甲\n'],
])('Enter continues a list, and ends it in an empty item: %j', (marked, expected) => {
  const { view, text } = editorWith(marked);
  continueList(view);
  expect(text()).toBe(expected);
});
