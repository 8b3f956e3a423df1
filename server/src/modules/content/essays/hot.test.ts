import { defaultSettings } from '@mozhan/contract/default-settings.ts';
import { describe, expect, test } from 'vitest';
import { engagementOf, hotScore, recentDays } from './rules/hot.ts';

const NOW = new Date('2026-11-17T12:00:00Z');
const DAY_MS = 86_400_000;

interface Example {
  /** Days since the publication. */
  age: number;
  reads?: number;
  likes?: number;
  /** The part of the engagement that is of the last days. */
  recent?: number;
}

const countsOf = ({ reads = 0, likes = 0, recent = 0 }: Example) => ({
  readCount: reads,
  likeCount: likes,
  cmtCount: 0,
  collectCount: 0,
  shareCount: 0,
  rewardCount: 0,
  recentEngagement: recent,
});

const scoreOf = (example: Example, settings = {}) =>
  hotScore(countsOf(example), new Date(NOW.getTime() - example.age * DAY_MS), {
    ...defaultSettings,
    ...settings,
  });

/** In each row the first essay is hotter than the second. */
const hotter: [rule: string, first: Example, second: Example, settings?: object][] = [
  ['of the same age, the one with more readers', { age: 1, reads: 200 }, { age: 1, reads: 100 }],
  ['a like weighs as much as ten reads', { age: 1, reads: 100, likes: 1 }, { age: 1, reads: 109 }],
  ['with the same readers, the newer one', { age: 1, reads: 200 }, { age: 2, reads: 200 }],
  ['ten times the attention outweighs six days', { age: 6, reads: 2000 }, { age: 0, reads: 200 }],
  ['eight days outweigh ten times the attention', { age: 0, reads: 200 }, { age: 8, reads: 2000 }],
  [
    'with 30 days, ten times the attention outweighs 29 days',
    { age: 29, reads: 2000 },
    { age: 0, reads: 200 },
    { hotDays: 30 },
  ],
  [
    'with one day, two days outweigh ten times the attention',
    { age: 0, reads: 200 },
    { age: 2, reads: 2000 },
    { hotDays: 1 },
  ],
  [
    '300 readers of the last days outweigh 1,000 of earlier ones',
    { age: 30, reads: 300, recent: 300 },
    { age: 30, reads: 1000 },
  ],
  [
    'as many readers of all time do not outweigh those of the last days',
    { age: 30, reads: 1000, recent: 500 },
    { age: 30, reads: 1000, recent: 100 },
  ],
  ['an essay that reaches the floor, however old', { age: 3000, reads: 20 }, { age: 0, reads: 19 }],
  ['likes count for the floor', { age: 3000, likes: 2 }, { age: 0, reads: 19, recent: 19 }],
  ['below the floor, the newer one', { age: 0, reads: 2 }, { age: 8, reads: 19 }],
  ['below the floor, the one with more readers', { age: 1, reads: 19 }, { age: 1, reads: 2 }],
  ['a floor of zero is none', { age: 0, reads: 2 }, { age: 30, reads: 100 }, { hotFloor: 0 }],
  ['a higher floor', { age: 300, reads: 100 }, { age: 0, reads: 99 }, { hotFloor: 100 }],
];

describe('the hot list', () => {
  test.each(hotter)('%s', (_, first, second, settings) => {
    expect(scoreOf(first, settings)).toBeGreaterThan(scoreOf(second, settings));
  });

  test('exactly ten times the attention equals exactly the days of the setting', () => {
    for (const hotDays of [1, 7, 30])
      expect(scoreOf({ age: hotDays, reads: 999 }, { hotDays })).toBeCloseTo(
        scoreOf({ age: 0, reads: 99 }, { hotDays }),
        9,
      );
  });

  test('withdrawn likes of earlier days do not make an essay colder than one without recent readers', () => {
    expect(scoreOf({ age: 1, reads: 50, recent: -10 })).toBe(scoreOf({ age: 1, reads: 50 }));
  });

  test('the order of two essays does not change with time', () => {
    const difference = (later: number) =>
      scoreOf({ age: 3 + later, reads: 500 }) - scoreOf({ age: 1 + later, reads: 90 });
    expect(difference(40)).toBeCloseTo(difference(0), 9);
  });
});

test('engagement is counted in reads', () => {
  const counts = { readCount: 1, likeCount: 1, cmtCount: 1, collectCount: 1, shareCount: 1, rewardCount: 1 };
  expect(engagementOf(counts)).toBe(1 + 10 + 20 + 20 + 20 + 50);
});

test('recent are today and two days before, in China', () => {
  expect(recentDays(new Date('2026-03-01T15:59:59Z'))).toEqual(['2026-03-01', '2026-02-28', '2026-02-27']);
  expect(recentDays(new Date('2026-03-01T16:00:00Z'))).toEqual(['2026-03-02', '2026-03-01', '2026-02-28']);
});
