import { expect, test } from 'vitest';
import { describeChange } from './measures.ts';

test('describes the change from the previous period', () => {
  const words = ([now, before]: [number, number]) => {
    const change = describeChange(now, before);
    return change && `${change.trend} ${change.text}`;
  };
  const cases: [number, number][] = [
    [0, 0],
    [5, 0],
    [0, 5],
    [112, 100],
    [88, 100],
    [1001, 1000],
    [2400, 200],
  ];
  expect(cases.map(words)).toEqual([null, null, 'down 100%', 'up 12%', 'down 12%', 'same 持平', 'up 12 倍']);
});
