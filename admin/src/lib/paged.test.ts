import { createClient } from '@mozhan/contract/client.ts';
import { expect, test } from 'vitest';
import { collectRows } from './paged.ts';

/** Client that returns `total` users in pages, by cursor. */
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

const run = (total: number, maxRows: number) => {
  const progress: number[] = [];
  const { signal } = new AbortController();
  const onProgress = (fraction: number) => void progress.push(fraction);
  return collectRows(usersOf(total), 'GET core/sys/user/', {}, { maxRows, signal, onProgress }).then(
    (rows) => ({
      ids: rows.map((row) => row.id),
      progress,
    }),
  );
};

test('collects all pages and reports progress', async () => {
  const { ids, progress } = await run(250, 1000);
  expect(ids).toEqual(Array.from({ length: 250 }, (_, index) => String(index)));
  expect(progress).toEqual([0.4, 0.8, 1]);
});

test('stops at the maximum number of rows', async () => {
  const { ids, progress } = await run(1000, 150);
  expect(ids).toHaveLength(150);
  expect(progress.at(-1)).toBeGreaterThanOrEqual(1);
});

test('returns nothing for an empty list', async () => {
  expect((await run(0, 10)).ids).toEqual([]);
});
