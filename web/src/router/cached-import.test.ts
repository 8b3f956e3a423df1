import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { cachedImport } from './cached-import.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('imports once', async () => {
  const fetch = vi.fn(async () => 'code');
  const read = cachedImport(fetch);
  expect(await read()).toBe('code');
  expect(read()).toMatchObject({ status: 'fulfilled', value: 'code' });
  expect(fetch).toHaveBeenCalledTimes(1);
});

test('a failed import fails for those who ask at once, and is tried again later', async () => {
  const fetch = vi.fn(async () => 'code').mockRejectedValueOnce(new Error('offline'));
  const read = cachedImport(fetch);
  await expect(read()).rejects.toThrow('offline');
  await expect(read()).rejects.toThrow('offline');
  expect(fetch).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(5000);
  expect(await read()).toBe('code');
});
