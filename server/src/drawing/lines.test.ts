import { expect, test } from 'vitest';
import {
  balanceLines,
  breakLines,
  cutLines,
  divide,
  dropSpaces,
  type Line,
  type Piece,
  toPlain,
} from './lines.ts';

/** Chinese as wide as it is high, Latin half of it. */
const toPieces = (text: string): Piece[] =>
  dropSpaces(
    divide(toPlain(text)).map((part) => ({
      text: part,
      width: /^[ -~]/.test(part) ? part.length / 2 : 1,
      isSpace: part === ' ',
    })),
  );
const textOf = (lines: Line[]) => lines.map(({ pieces }) => pieces.map(({ piece }) => piece.text).join(''));
const broken = (text: string, width: number) => textOf(breakLines(toPieces(text), width));

test('Chinese breaks anywhere, Latin words and numbers nowhere', () => {
  expect(broken('把消息队列换回一张表', 4)).toEqual(['把消息队', '列换回一', '张表']);
  expect(broken('用 PostgreSQL 存 100000 行', 6)).toEqual(['用', 'PostgreSQL', '存 100000 行']);
  expect(broken('I don’t know', 4)).toEqual(["I don't", 'know']);
});

test('no line begins with a closing mark or ends with an opening one', () => {
  expect(broken('一二三四，五六七八。', 4)).toEqual(['一二三', '四，五六', '七八。']);
  expect(broken('一二三《四五》六七', 4)).toEqual(['一二三', '《四五》', '六七']);
  for (const width of [3, 4, 5, 6, 7, 8]) {
    const lines = broken(
      '（一）二三，“四五”六：七《八九》！十（十一）十二——十三……十四；Redis，十五 100%',
      width,
    );
    for (const line of lines.slice(1)) expect(line).not.toMatch(/^[，。、；：！？）》”…%]/);
    for (const line of lines) expect(line).not.toMatch(/[（《“]$/);
  }
});

test('dashes and ellipses of two stay together', () => {
  for (const width of [3, 4, 5]) {
    for (const line of broken('一二三——四五六——七八', width))
      expect(line.match(/—+/g) ?? []).not.toContain('—');
  }
});

test('nothing is lost, nothing is wider than the line, whatever is written', () => {
  const texts = [
    'a'.repeat(50),
    '，'.repeat(30),
    '（'.repeat(30),
    '字',
    '',
    '   ',
    'a '.repeat(40),
    '（a）'.repeat(20),
  ];
  for (const text of texts) {
    const pieces = toPieces(text).flatMap((piece) =>
      piece.width > 5
        ? [...piece.text].map((letter) => ({ text: letter, width: 0.5, isSpace: false }))
        : [piece],
    );
    const lines = breakLines(pieces, 5);
    expect(textOf(lines).join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
    for (const line of lines) expect(line.width).toBeLessThanOrEqual(5);
  }
});

test('too many lines end in an ellipsis, not behind a mark', () => {
  const cut = (text: string, most: number) => textOf(cutLines(breakLines(toPieces(text), 5), most, 5));
  expect(cut('一二三四五六七八九十', 1)).toEqual(['一二三四…']);
  expect(cut('一二三，四五六七八九', 1)).toEqual(['一二三…']);
  expect(cut('一二三四五', 1)).toEqual(['一二三四五']);
});

test('a title has lines of even length and whole words', () => {
  expect(textOf(balanceLines(toPieces('为什么我们把消息队列换回了一张表'), 11))).toEqual([
    '为什么我们把消息',
    '队列换回了一张表',
  ]);
  expect(textOf(balanceLines(toPieces('短'), 11))).toEqual(['短']);
});

test('marks give up their empty half beside others, and Latin stands a little off', () => {
  const [line] = breakLines(toPieces('《一》（二）'), 20);
  // Six characters; at the beginning, between the marks and at the end half of one is saved.
  expect(line?.width).toBe(4.5);
  expect(breakLines(toPieces('用Go写'), 20)[0]?.width).toBe(3.25);
});

test('spaces beside full marks and of lost signs are dropped', () => {
  expect(broken('你好 ，世界', 20)).toEqual(['你好，世界']);
  expect(broken('a  b', 20)).toEqual(['a b']);
});
