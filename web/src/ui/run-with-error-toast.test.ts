import { CallError } from '@mozhan/contract/errors.ts';
import { afterEach, expect, test } from 'vitest';
import { runWithErrorToast } from './run-with-error-toast.ts';
import { dismissToast, getToasts } from './toast-queue.ts';

afterEach(() => {
  for (const { id } of getToasts()) dismissToast(id);
});

test('returns true and shows nothing on success', async () => {
  expect(await runWithErrorToast(async () => 'done')).toBe(true);
  expect(getToasts()).toEqual([]);
});

test('returns false and shows the error message on failure', async () => {
  expect(
    await runWithErrorToast(() => Promise.reject(new CallError('NOT_FOUND', { message: '没有这篇文章' }))),
  ).toBe(false);
  expect(getToasts()).toMatchObject([{ text: '没有这篇文章', tone: 'warn' }]);
});
