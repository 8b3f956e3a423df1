import { CallError } from '@mozhan/contract/errors.ts';
import { afterEach, expect, test } from 'vitest';
import { attempt } from './attempt.ts';
import { dismiss, shown } from './toast-queue.ts';

afterEach(() => {
  for (const { id } of shown()) dismiss(id);
});

test('tells that it went well, and says nothing', async () => {
  expect(await attempt(async () => 'done')).toBe(true);
  expect(shown()).toEqual([]);
});

test('says why it failed, and tells so', async () => {
  expect(await attempt(() => Promise.reject(new CallError('NOT_FOUND', { message: '没有这篇文章' })))).toBe(
    false,
  );
  expect(shown()).toMatchObject([{ text: '没有这篇文章', tone: 'warn' }]);
});
