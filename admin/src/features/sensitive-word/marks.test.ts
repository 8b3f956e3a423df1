import { expect, test } from 'vitest';
import { markPieces } from './marks.ts';

const cut = (text: string, ...hits: Parameters<typeof markPieces>[1]) =>
  markPieces(text, hits).map((piece) => [piece.text, piece.level]);

test('a text without hits is one piece, an empty one none', () => {
  expect(cut('干净')).toEqual([['干净', null]]);
  expect(cut('')).toEqual([]);
});

test('pieces before, between and behind hits', () => {
  expect(cut('甲赌乙毒', { start: 1, end: 2, level: 'hold' }, { start: 3, end: 4, level: 'mask' })).toEqual([
    ['甲', null],
    ['赌', 'hold'],
    ['乙', null],
    ['毒', 'mask'],
  ]);
});

test('where they overlap, the strongest shows', () => {
  const hits = [
    { start: 0, end: 4, level: 'mask' as const },
    { start: 2, end: 5, level: 'refuse' as const },
    { start: 3, end: 6, level: 'hold' as const },
  ];
  expect(cut('一二三四五六', ...hits)).toEqual([
    ['一二', 'mask'],
    ['三四五', 'refuse'],
    ['六', 'hold'],
  ]);
});

test('a hit from before the last letters were deleted does no harm', () => {
  expect(cut('赌', { start: 0, end: 2, level: 'hold' })).toEqual([['赌', 'hold']]);
});
