import { expect, test } from 'vitest';
import {
  balanceLines,
  breakLines,
  type Line,
  removeRedundantSpaces,
  splitPieces,
  type TextPiece,
  toSingleLine,
  truncateLines,
} from './lines.ts';

/** Chinese characters have the width 1, Latin ones 0.5. */
const toPieces = (text: string): TextPiece[] =>
  removeRedundantSpaces(
    splitPieces(toSingleLine(text)).map((part) => ({
      text: part,
      width: /^[ -~]/.test(part) ? part.length / 2 : 1,
      isSpace: part === ' ',
    })),
  );
const linesToText = (lines: Line[]) =>
  lines.map(({ pieces }) => pieces.map(({ piece }) => piece.text).join(''));
const breakText = (text: string, width: number) => linesToText(breakLines(toPieces(text), width));

test('breaks between Chinese characters, but not within Latin words and numbers', () => {
  expect(breakText('把消息队列换回一张表', 4)).toEqual(['把消息队', '列换回一', '张表']);
  expect(breakText('用 PostgreSQL 存 100000 行', 6)).toEqual(['用', 'PostgreSQL', '存 100000 行']);
  expect(breakText('I don’t know', 4)).toEqual(["I don't", 'know']);
});

test('no line starts with closing punctuation or ends with opening punctuation', () => {
  expect(breakText('一二三四，五六七八。', 4)).toEqual(['一二三', '四，五六', '七八。']);
  expect(breakText('一二三《四五》六七', 4)).toEqual(['一二三', '《四五》', '六七']);
  for (const width of [3, 4, 5, 6, 7, 8]) {
    const lines = breakText(
      '（一）二三，“四五”六：七《八九》！十（十一）十二——十三……十四；Redis，十五 100%',
      width,
    );
    for (const line of lines.slice(1)) expect(line).not.toMatch(/^[，。、；：！？）》”…%]/);
    for (const line of lines) expect(line).not.toMatch(/[（《“]$/);
  }
});

test('does not break double dashes and ellipses', () => {
  for (const width of [3, 4, 5]) {
    for (const line of breakText('一二三——四五六——七八', width))
      expect(line.match(/—+/g) ?? []).not.toContain('—');
  }
});

test('keeps all text and never exceeds the line width', () => {
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
    expect(linesToText(lines).join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
    for (const line of lines) expect(line.width).toBeLessThanOrEqual(5);
  }
});

test('truncates with an ellipsis that does not follow punctuation', () => {
  const truncate = (text: string, maxLines: number) =>
    linesToText(truncateLines(breakLines(toPieces(text), 5), maxLines, 5));
  expect(truncate('一二三四五六七八九十', 1)).toEqual(['一二三四…']);
  expect(truncate('一二三，四五六七八九', 1)).toEqual(['一二三…']);
  expect(truncate('一二三四五', 1)).toEqual(['一二三四五']);
});

test('balances the lines of a title without breaking words', () => {
  expect(linesToText(balanceLines(toPieces('为什么我们把消息队列换回了一张表'), 11))).toEqual([
    '为什么我们把消息',
    '队列换回了一张表',
  ]);
  expect(linesToText(balanceLines(toPieces('短'), 11))).toEqual(['短']);
});

test('compresses adjacent punctuation and adds space between Chinese and Latin', () => {
  const [line] = breakLines(toPieces('《一》（二）'), 20);
  // Six characters, minus half a character at the start, between the brackets and at the end.
  expect(line?.width).toBe(4.5);
  expect(breakLines(toPieces('用Go写'), 20)[0]?.width).toBe(3.25);
});

test('removes spaces next to full-width punctuation and repeated spaces', () => {
  expect(breakText('你好 ，世界', 20)).toEqual(['你好，世界']);
  expect(breakText('a  b', 20)).toEqual(['a b']);
});
