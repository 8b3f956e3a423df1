import { COMMENT_STATUS } from '@mozhan/contract/enums.ts';
import { expect, test } from 'vitest';
import { createPassageCounter } from './highlights.ts';

test.each([
  [4, [false, true, true]],
  [6, [false, true, true]],
  [9, [false, false, true]],
])('a sentence that ends behind the public part of %i characters is locked', (publicEnd, expected) => {
  const counter = createPassageCounter({
    text: '公开的。一半公开。锁住的。',
    ends: Uint32Array.from([4, 9, 13]),
    publicEnd,
  });
  for (const [startAt, endAt] of [
    [0, 4],
    [4, 9],
    [9, 13],
  ] as const)
    counter.add({
      userId: 'reader',
      startAt,
      endAt,
      state: 'found',
      thoughtStatus: COMMENT_STATUS.visible,
    });
  expect(counter.passages().map(({ locked }) => locked)).toEqual(expected);
});
