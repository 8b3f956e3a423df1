import { createClient } from '@mozhan/contract/client.ts';
import { expect, test } from 'vitest';
import { collect } from './paged.ts';

/** Answers with `total` users, a page at a time, by cursor. */
const usersOf = (total: number) =>
  createClient(async ({ input }) => {
    const from = Number(input.cursor ?? 0);
    const to = Math.min(total, from + Number(input.pageSize));
    return {
      list: Array.from({ length: to - from }, (_, index) => ({ id: String(from + index) })),
      total,
      next: to < total ? String(to) : null,
    };
  });

const run = (total: number, most: number) => {
  const progress: number[] = [];
  const { signal } = new AbortController();
  const onProgress = (fraction: number) => void progress.push(fraction);
  return collect(usersOf(total), 'GET core/sys/user/', {}, { most, signal, onProgress }).then((rows) => ({
    ids: rows.map((row) => row.id),
    progress,
  }));
};

test('walks to the end, telling how far it is', async () => {
  const { ids, progress } = await run(250, 1000);
  expect(ids).toEqual(Array.from({ length: 250 }, (_, index) => String(index)));
  expect(progress).toEqual([0.4, 0.8, 1]);
});

test('stops at the most that was asked for', async () => {
  const { ids, progress } = await run(1000, 150);
  expect(ids).toHaveLength(150);
  expect(progress.at(-1)).toBeGreaterThanOrEqual(1);
});

test('nothing is nothing', async () => {
  expect((await run(0, 10)).ids).toEqual([]);
});
