import { CallError } from '@mozhan/contract/errors.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type AutosaveSetup, createAutosave } from './autosave.ts';
import { type Draft, emptyDraft } from './draft.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function setUp(overrides: Partial<AutosaveSetup> = {}) {
  let draft: Draft = emptyDraft;
  let version = 0;
  const create = vi.fn<AutosaveSetup['create']>(async () => {
    version = 1;
    return { id: 'essay', version };
  });
  const update = vi.fn<AutosaveSetup['update']>(async () => {
    version += 1;
    return { id: 'essay', version };
  });
  const storeLocally = vi.fn();
  const onSaved = vi.fn();
  const autosave = createAutosave({
    saved: null,
    creating: null,
    newRequestId: () => 'request',
    read: () => draft,
    create,
    update,
    storeLocally,
    onSaved,
    onCreating: vi.fn(),
    ...overrides,
  });
  const write = (changes: Partial<Draft>) => {
    draft = { ...draft, ...changes };
    autosave.notifyChange();
  };
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
  return { autosave, create, update, storeLocally, onSaved, write, pass };
}

const saved = { id: 'essay', version: 3, draft: { ...emptyDraft, title: '题', content: '文' } };

test('stores every change in the browser at once and sends it within three seconds of a pause', async () => {
  const { autosave, create, storeLocally, write, pass } = setUp();
  write({ content: '一' });
  expect(autosave.get().kind).toBe('waiting');
  await pass(200);
  expect(storeLocally).toHaveBeenLastCalledWith(expect.objectContaining({ content: expect.any(String) }));
  expect(create).not.toHaveBeenCalled();
  await pass(2800);
  expect(create).toHaveBeenCalledTimes(1);
  expect(autosave.get().kind).toBe('saved');
  expect(storeLocally).toHaveBeenLastCalledWith(null);
});

test('saves even when typing never pauses', async () => {
  const { create, write, pass } = setUp();
  for (let key = 0; key < 30; key += 1) {
    write({ content: '字'.repeat(key + 1) });
    await pass(500);
  }
  expect(create).toHaveBeenCalledTimes(1);
});

test('does not create an essay for an empty text', async () => {
  const { create, write, pass } = setUp();
  write({ content: ' ' });
  await pass(20_000);
  expect(create).not.toHaveBeenCalled();
});

test('runs one save at a time and sends later changes, and only those, with the next', async () => {
  let answer: (() => void) | undefined;
  const { autosave, update, write, pass } = setUp({ saved });
  update.mockImplementationOnce(
    () =>
      new Promise((resolve) => {
        answer = () => resolve({ id: 'essay', version: 4 });
      }),
  );
  write({ title: '题', content: '文一' });
  await pass(3000);
  expect(autosave.get().kind).toBe('saving');
  write({ content: '文一二' });
  await pass(9000);
  expect(update).toHaveBeenCalledTimes(1);
  expect(update).toHaveBeenLastCalledWith({ content: '文一', id: 'essay', version: 3, auto: 1 });
  answer?.();
  await pass(0);
  expect(autosave.get().kind, 'the rest is not saved yet').toBe('waiting');
  await pass(3000);
  expect(autosave.get().kind).toBe('saved');
  expect(update).toHaveBeenCalledTimes(2);
  expect(update).toHaveBeenLastCalledWith({ content: '文一二', id: 'essay', version: 4, auto: 1 });
});

test('retries with growing delays while offline, and at once when the network is back', async () => {
  const { autosave, update, write, pass } = setUp({ saved });
  update.mockRejectedValue(new CallError('UNAVAILABLE'));
  write({ title: '题', content: '离线' });
  await pass(3000);
  expect(autosave.get().kind).toBe('offline');
  expect(update).toHaveBeenCalledTimes(1);
  await pass(2000);
  expect(update).toHaveBeenCalledTimes(2);
  await pass(2000);
  expect(update).toHaveBeenCalledTimes(2);
  write({ content: '离线也写' });
  update.mockResolvedValue({ id: 'essay', version: 4 });
  autosave.retry();
  await pass(0);
  expect(autosave.get().kind).toBe('saved');
  expect(update).toHaveBeenLastCalledWith(expect.objectContaining({ content: '离线也写' }));
});

test('repeats a first save whose response was lost with the same content, then sends the rest', async () => {
  const { create, update, write, pass } = setUp();
  create.mockRejectedValueOnce(new CallError('TIMEOUT'));
  write({ content: '开头' });
  await pass(3000);
  write({ content: '开头和后面' });
  await pass(3000);
  expect(create.mock.calls.map(([creating]) => creating)).toEqual([
    { requestId: 'request', draft: { ...emptyDraft, content: '开头' } },
    { requestId: 'request', draft: { ...emptyDraft, content: '开头' } },
  ]);
  await pass(3000);
  expect(update).toHaveBeenLastCalledWith({ content: '开头和后面', id: 'essay', version: 1, auto: 1 });
});

test('waits for a session when there is none', async () => {
  const { autosave, update, write, pass } = setUp({ saved });
  update.mockRejectedValueOnce(new CallError('SIGN_IN_REQUIRED'));
  write({ title: '题', content: '过期' });
  await pass(3000);
  expect(autosave.get().kind).toBe('signIn');
  await pass(60_000);
  expect(update).toHaveBeenCalledTimes(1);
  autosave.retry();
  await pass(0);
  expect(autosave.get().kind).toBe('saved');
});

test('stops on a newer version until the conflict is resolved', async () => {
  const { autosave, update, storeLocally, write, pass } = setUp({ saved });
  update.mockRejectedValueOnce(new CallError('STALE_VERSION'));
  write({ title: '题', content: '我的' });
  await pass(3000);
  expect(autosave.get().kind).toBe('conflict');
  write({ content: '我的更多' });
  await pass(30_000);
  expect(update).toHaveBeenCalledTimes(1);
  expect(storeLocally).toHaveBeenLastCalledWith(expect.objectContaining({ content: expect.any(String) }));
  expect(await autosave.flush()).toBe(false);
  autosave.continueFrom({ id: 'essay', version: 9, draft: { ...saved.draft, content: '对方的' } });
  await pass(3000);
  expect(update).toHaveBeenLastCalledWith({ content: '我的更多', id: 'essay', version: 9, auto: 1 });
});

test('saves the other fields without a rejected one until it changes', async () => {
  const { autosave, update, write, pass } = setUp({ saved });
  update.mockRejectedValueOnce(new CallError('INVALID', { fields: { columnId: '没有这个专栏' } }));
  write({ title: '题', content: '文字', columnId: 'c'.repeat(32) });
  await pass(1800);
  expect(update).toHaveBeenLastCalledWith(expect.objectContaining({ columnId: 'c'.repeat(32) }));
  await pass(100);
  expect(update).toHaveBeenCalledTimes(2);
  expect(update.mock.lastCall?.[0]).not.toHaveProperty('columnId');
  write({ columnId: null, content: '文字再改' });
  await pass(3000);
  expect(update).toHaveBeenLastCalledWith(expect.objectContaining({ content: '文字再改' }));
  expect(autosave.get().kind).toBe('saved');
});

test('flush waits for a pending save, then creates a version of its own', async () => {
  const { autosave, update, write, pass } = setUp({ saved });
  write({ title: '题', content: '写完' });
  const flushed = autosave.flush();
  await pass(0);
  expect(await flushed).toBe(true);
  expect(update).toHaveBeenCalledTimes(1);
  expect(update).toHaveBeenLastCalledWith({ content: '写完', id: 'essay', version: 3, auto: undefined });
  await pass(20_000);
  expect(update).toHaveBeenCalledTimes(1);
});

test('stores and sends at once when the page is left before the delay is over', async () => {
  const { autosave, update, storeLocally, write, pass } = setUp({ saved });
  write({ title: '题', content: '走之前' });
  autosave.stop();
  expect(storeLocally).toHaveBeenLastCalledWith(expect.objectContaining({ content: '走之前' }));
  await pass(0);
  expect(update).toHaveBeenCalledTimes(1);
  await pass(60_000);
  expect(update).toHaveBeenCalledTimes(1);
});

test('creates a new essay from the text of a removed one', async () => {
  const { autosave, create, update, write, pass } = setUp({ saved });
  update.mockRejectedValueOnce(new CallError('GONE'));
  write({ title: '题', content: '还在' });
  await pass(3000);
  expect(autosave.get().kind).toBe('gone');
  autosave.saveAsNewEssay();
  await pass(0);
  expect(create).toHaveBeenCalledTimes(1);
  expect(autosave.get().kind).toBe('saved');
});
