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

function setUp(given: Partial<AutosaveSetup> = {}) {
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
  const keep = vi.fn();
  const onSaved = vi.fn();
  const autosave = createAutosave({
    saved: null,
    creating: null,
    newRequestId: () => 'request',
    read: () => draft,
    create,
    update,
    keep,
    onSaved,
    onCreating: vi.fn(),
    ...given,
  });
  const write = (changes: Partial<Draft>) => {
    draft = { ...draft, ...changes };
    autosave.changed();
  };
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
  return { autosave, create, update, keep, onSaved, write, pass };
}

const saved = { id: 'essay', version: 3, draft: { ...emptyDraft, title: '题', content: '文' } };

test('every change is kept in the browser at once and sent within three seconds of a pause', async () => {
  const { autosave, create, keep, write, pass } = setUp();
  write({ content: '一' });
  expect(autosave.get().at).toBe('waiting');
  await pass(200);
  expect(keep).toHaveBeenLastCalledWith(expect.objectContaining({ content: expect.any(String) }));
  expect(create).not.toHaveBeenCalled();
  await pass(2800);
  expect(create).toHaveBeenCalledTimes(1);
  expect(autosave.get().at).toBe('saved');
  expect(keep).toHaveBeenLastCalledWith(null);
});

test('who never pauses is saved all the same', async () => {
  const { create, write, pass } = setUp();
  for (let key = 0; key < 30; key += 1) {
    write({ content: '字'.repeat(key + 1) });
    await pass(500);
  }
  expect(create).toHaveBeenCalledTimes(1);
});

test('an empty page makes no essay', async () => {
  const { create, write, pass } = setUp();
  write({ content: ' ' });
  await pass(20_000);
  expect(create).not.toHaveBeenCalled();
});

test('one save at a time; what changes meanwhile goes with the next, and only what changed', async () => {
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
  expect(autosave.get().at).toBe('saving');
  write({ content: '文一二' });
  await pass(9000);
  expect(update).toHaveBeenCalledTimes(1);
  expect(update).toHaveBeenLastCalledWith({ content: '文一', id: 'essay', version: 3, auto: 1 });
  answer?.();
  await pass(3000);
  expect(update).toHaveBeenCalledTimes(2);
  expect(update).toHaveBeenLastCalledWith({ content: '文一二', id: 'essay', version: 4, auto: 1 });
});

test('without a network it waits longer each time, and goes on at once when it is back', async () => {
  const { autosave, update, write, pass } = setUp({ saved });
  update.mockRejectedValue(new CallError('UNAVAILABLE'));
  write({ title: '题', content: '离线' });
  await pass(3000);
  expect(autosave.get().at).toBe('offline');
  expect(update).toHaveBeenCalledTimes(1);
  await pass(2000);
  expect(update).toHaveBeenCalledTimes(2);
  await pass(2000);
  expect(update).toHaveBeenCalledTimes(2);
  write({ content: '离线也写' });
  update.mockResolvedValue({ id: 'essay', version: 4 });
  autosave.retry();
  await pass(0);
  expect(autosave.get().at).toBe('saved');
  expect(update).toHaveBeenLastCalledWith(expect.objectContaining({ content: '离线也写' }));
});

test('a first save whose answer was lost is said again word for word, then the rest follows', async () => {
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

test('without a session it waits for one', async () => {
  const { autosave, update, write, pass } = setUp({ saved });
  update.mockRejectedValueOnce(new CallError('SIGN_IN_REQUIRED'));
  write({ title: '题', content: '过期' });
  await pass(3000);
  expect(autosave.get().at).toBe('signIn');
  await pass(60_000);
  expect(update).toHaveBeenCalledTimes(1);
  autosave.retry();
  await pass(0);
  expect(autosave.get().at).toBe('saved');
});

test('a newer version elsewhere stops it until somebody has chosen', async () => {
  const { autosave, update, keep, write, pass } = setUp({ saved });
  update.mockRejectedValueOnce(new CallError('STALE_VERSION'));
  write({ title: '题', content: '我的' });
  await pass(3000);
  expect(autosave.get().at).toBe('conflict');
  write({ content: '我的更多' });
  await pass(30_000);
  expect(update).toHaveBeenCalledTimes(1);
  expect(keep).toHaveBeenLastCalledWith(expect.objectContaining({ content: expect.any(String) }));
  expect(await autosave.flush()).toBe(false);
  autosave.adopt({ id: 'essay', version: 9, draft: { ...saved.draft, content: '对方的' } });
  await pass(3000);
  expect(update).toHaveBeenLastCalledWith({ content: '我的更多', id: 'essay', version: 9, auto: 1 });
});

test('a refused field is told; the text goes on without it until it changes', async () => {
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
  expect(autosave.get().at).toBe('saved');
});

test('a flush waits for what is under way, then makes a version of its own', async () => {
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

test('left before the pause is over, it is kept and sent at once', async () => {
  const { autosave, update, keep, write, pass } = setUp({ saved });
  write({ title: '题', content: '走之前' });
  autosave.stop();
  expect(keep).toHaveBeenLastCalledWith(expect.objectContaining({ content: '走之前' }));
  await pass(0);
  expect(update).toHaveBeenCalledTimes(1);
  await pass(60_000);
  expect(update).toHaveBeenCalledTimes(1);
});

test('of an essay that was removed the text becomes a new one', async () => {
  const { autosave, create, update, write, pass } = setUp({ saved });
  update.mockRejectedValueOnce(new CallError('GONE'));
  write({ title: '题', content: '还在' });
  await pass(3000);
  expect(autosave.get().at).toBe('gone');
  autosave.startAnew();
  await pass(0);
  expect(create).toHaveBeenCalledTimes(1);
  expect(autosave.get().at).toBe('saved');
});
