import { expect, test } from 'vitest';
import { diffKeys, diffLines, MAX_COMPARISONS } from './diff.ts';

const marks = { both: ' ', old: '-', new: '+' };
const drawn = (before: string, after: string) =>
  diffLines(before, after).map(({ side, text }) => marks[side] + text);

test('finds added, removed and unchanged lines', () => {
  expect(drawn('一\n二\n三', '一\n二点五\n三\n四')).toEqual([' 一', '-二', '+二点五', ' 三', '+四']);
  expect(drawn('同', '同')).toEqual([' 同']);
  expect(drawn('a\nb', 'b\na')).toEqual(['-a', ' b', '+a']);
});

test('reports only the changes at both ends of a long text', () => {
  const long = Array.from({ length: 5000 }, (_, line) => `第 ${line} 行`).join('\n');
  const changed = drawn(`头\n${long}`, `${long}\n尾`).filter((line) => !line.startsWith(' '));
  expect(changed).toEqual(['-头', '+尾']);
});

test('the old and the new text can be rebuilt from the difference', () => {
  const letters = 'abcd';
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return Math.floor((seed / 2147483648) * below);
  };
  const text = () => Array.from({ length: random(12) }, () => letters[random(4)]).join('\n');
  for (let turn = 0; turn < 300; turn += 1) {
    const [before, after] = [text(), text()];
    const lines = diffLines(before, after);
    const of = (side: string) =>
      lines
        .filter((line) => line.side !== side)
        .map((line) => line.text)
        .join('\n');
    expect([of('new'), of('old')]).toEqual([before, after]);
  }
});

test('finds the changed words within a changed line', () => {
  const [old, fresh] = diffLines('今天天气很好，我们去公园散步。', '今天天气不错，我们去公园跑步。');
  const side = (line: typeof old, which: string) =>
    line?.words?.filter((word) => word.side === which).map((word) => word.text);
  expect(side(old, 'old')?.join('')).toContain('散步');
  expect(side(fresh, 'new')?.join('')).toContain('跑步');
  expect(side(old, 'both')?.join('')).toContain('我们去公园');
  expect(diffLines('完全不同的一行', 'nothing alike').every((line) => line.words === undefined)).toBe(true);
});

test('returns the full old text, then the new one, when there are too many changes', () => {
  const long = (mark: string) => Array.from({ length: 800 }, (_, line) => `${mark}${line}`).join('\n');
  const lines = diffLines(`同\n${long('a')}\n同`, `同\n${long('b')}\n同`);
  expect(lines.filter((line) => line.side === 'both')).toEqual([]);
  expect(lines).toHaveLength(1604);
});

const MAX_TEXT_LENGTH = 200_000;
const linesOf = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => line(index)).join('\n');
/** Deterministic pseudo-random bits. */
function bits(seed: number): () => boolean {
  let state = seed;
  return () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state > 1073741824;
  };
}
const [one, other] = [bits(1), bits(99)];

test.each([
  ['many lines that all differ', linesOf(10_000, (i) => `旧${i}`), linesOf(10_000, (i) => `新${i}`)],
  [
    'lines of one character',
    linesOf(MAX_TEXT_LENGTH / 2, () => 'a'),
    linesOf(MAX_TEXT_LENGTH / 2, () => 'b'),
  ],
  [
    'lines of many words that all differ',
    linesOf(266, (i) => '!'.repeat(745) + i),
    linesOf(266, (i) => '?'.repeat(745) + i),
  ],
  [
    'lines that repeat each other out of step',
    linesOf(MAX_TEXT_LENGTH / 2, (i) => (i % 2 ? 'a' : 'b')),
    linesOf(MAX_TEXT_LENGTH / 2, (i) => (i % 3 ? 'a' : 'b')),
  ],
  [
    'two kinds of lines in any order',
    linesOf(MAX_TEXT_LENGTH / 2, () => (one() ? 'a' : 'b')),
    linesOf(MAX_TEXT_LENGTH / 2, () => (other() ? 'a' : 'b')),
  ],
  ['one line', '!?'.repeat(MAX_TEXT_LENGTH / 2), '?!!'.repeat(MAX_TEXT_LENGTH / 3)],
])('limits the number of comparisons for long texts: %s', (_what, before, after) => {
  const budget = { left: MAX_COMPARISONS };
  const lines = diffLines(before, after, budget);
  // A comparison in progress may exceed the budget until it ends.
  expect(budget.left).toBeGreaterThan(-before.length - after.length);
  const without = (side: string) => lines.filter((line) => line.side !== side).map(({ text }) => text);
  expect(without('new').join('\n') === before).toBe(true);
  expect(without('old').join('\n') === after).toBe(true);
});

test('skips the comparison by words when the budget is used up', () => {
  const changed = (budget?: { left: number }) =>
    diffLines('同\n旧的第一行\n同\n旧的第二行', '同\n新的第一行\n同\n新的第二行', budget)
      .filter(({ side }) => side !== 'both')
      .map(({ text, words }) => [text, words !== undefined]);
  const lines = ['旧的第一行', '新的第一行', '旧的第二行', '新的第二行'];
  expect(changed()).toEqual(lines.map((line) => [line, true]));
  expect(changed({ left: 20 })).toEqual(lines.map((line) => [line, false]));
});

test('lists changed keys first', () => {
  expect(diffKeys({ name: '运营', sort: 1 }, { name: '运营', sort: 2, icon: '' })).toEqual([
    { key: 'sort', before: 1, after: 2, changed: true },
    { key: 'icon', before: undefined, after: '', changed: true },
    { key: 'name', before: '运营', after: '运营', changed: false },
  ]);
  expect(diffKeys(null, { name: '新' })).toHaveLength(1);
});
