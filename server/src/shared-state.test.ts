import { expect, test } from 'vitest';
import { createSharedState } from './shared-state.ts';

test('a refresh during a refresh loads once more, so that the last value wins', async () => {
  const pending: ((value: number) => void)[] = [];
  const changes: number[] = [];
  const state = createSharedState({
    initial: 0,
    load: () => new Promise<number>((resolve) => pending.push(resolve)),
    onChange: (value) => changes.push(value),
    onError: () => {},
  });
  const first = state.refresh();
  await Promise.resolve();
  const second = state.refresh();
  const third = state.refresh();
  pending[0]?.(1);
  await expect.poll(() => pending.length).toBe(2);
  pending[1]?.(2);
  await Promise.all([first, second, third]);
  expect(pending).toHaveLength(2);
  expect(state.current()).toBe(2);
  expect(changes).toEqual([1, 2]);
});

test('keeps the current value while loading fails', async () => {
  const errors: unknown[] = [];
  const state = createSharedState({
    initial: 'before',
    load: async () => {
      throw new Error('no database');
    },
    onError: (error) => errors.push(error),
  });
  await state.refresh();
  expect(state.current()).toBe('before');
  expect(errors).toHaveLength(1);
});

test('a committed value applies at once, and only a changed value is reported', async () => {
  let stored = 'a';
  const changes: string[] = [];
  const state = createSharedState({
    initial: 'a',
    load: async () => stored,
    onChange: (value) => changes.push(value),
    onError: () => {},
  });
  await state.refresh();
  stored = 'b';
  state.set('b');
  expect(state.current()).toBe('b');
  await state.refresh();
  expect(changes).toEqual(['b']);
});
