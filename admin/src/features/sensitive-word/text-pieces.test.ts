import { expect, test } from 'vitest';
import { splitByHits } from './text-pieces.ts';

const piecesOf = (text: string, ...hits: Parameters<typeof splitByHits>[1]) =>
  splitByHits(text, hits).map((piece) => [piece.text, piece.level]);

test('returns one piece without hits, and none for empty text', () => {
  expect(piecesOf('干净')).toEqual([['干净', null]]);
  expect(piecesOf('')).toEqual([]);
});

test('splits before, between and after hits', () => {
  expect(
    piecesOf('甲赌乙毒', { start: 1, end: 2, level: 'hold' }, { start: 3, end: 4, level: 'mask' }),
  ).toEqual([
    ['甲', null],
    ['赌', 'hold'],
    ['乙', null],
    ['毒', 'mask'],
  ]);
});

test('uses the strictest level where hits overlap', () => {
  const hits = [
    { start: 0, end: 4, level: 'mask' as const },
    { start: 2, end: 5, level: 'refuse' as const },
    { start: 3, end: 6, level: 'hold' as const },
  ];
  expect(piecesOf('一二三四五六', ...hits)).toEqual([
    ['一二', 'mask'],
    ['三四五', 'refuse'],
    ['六', 'hold'],
  ]);
});

test('accepts a hit that extends beyond the text', () => {
  expect(piecesOf('赌', { start: 0, end: 2, level: 'hold' })).toEqual([['赌', 'hold']]);
});
