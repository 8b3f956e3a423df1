import { expect, test } from 'vitest';
import { diffKeys, diffLines } from './diff.ts';

const marks = { both: ' ', old: '-', new: '+' };
const drawn = (before: string, after: string) =>
  diffLines(before, after).map(({ side, text }) => marks[side] + text);

test('lines that were added, removed and kept', () => {
  expect(drawn('一\n二\n三', '一\n二点五\n三\n四')).toEqual([' 一', '-二', '+二点五', ' 三', '+四']);
  expect(drawn('同', '同')).toEqual([' 同']);
  expect(drawn('a\nb', 'b\na')).toEqual(['-a', ' b', '+a']);
});

test('texts too long to compare are shown one after the other', () => {
  const long = Array.from({ length: 2500 }, (_, line) => String(line)).join('\n');
  expect(diffLines(long, `${long}\nmore`).filter((line) => line.side === 'both')).toEqual([]);
});

test('keys that differ come first', () => {
  expect(diffKeys({ name: '运营', sort: 1 }, { name: '运营', sort: 2, icon: '' })).toEqual([
    { key: 'sort', before: 1, after: 2, changed: true },
    { key: 'icon', before: undefined, after: '', changed: true },
    { key: 'name', before: '运营', after: '运营', changed: false },
  ]);
  expect(diffKeys(null, { name: '新' })).toHaveLength(1);
});
