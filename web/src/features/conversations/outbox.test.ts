import { readItem, writeItem } from '@mozhan/client/storage.ts';
import type { ChatMessage } from '@mozhan/contract/chats.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createOutbox, type Outgoing } from './outbox.ts';

const written = (clientId: string, userId = 'friend'): Outgoing => ({
  clientId,
  talk: { userId },
  kind: 'text',
  content: clientId,
  at: '2026-11-20T04:00:00Z',
});

/** A server that keeps each clientId once, in order. */
function setUp() {
  const server = { said: [] as string[], fails: undefined as CallError | undefined };
  const send = vi.fn(async ({ clientId }: Outgoing) => {
    await Promise.resolve();
    if (server.fails !== undefined) throw server.fails;
    if (!server.said.includes(clientId)) server.said.push(clientId);
    return { clientId, seq: server.said.indexOf(clientId) + 1 } as ChatMessage;
  });
  const onSent = vi.fn();
  const onRefused = vi.fn();
  const open = () => createOutbox({ userId: 'me', send, onSent, onRefused });
  return { server, send, onSent, onRefused, open };
}

const stored = () => JSON.parse(readItem('outbox:me') ?? '[]').map(({ clientId }: Outgoing) => clientId);

beforeEach(() => {
  vi.useFakeTimers();
  writeItem('outbox:me', null);
});
afterEach(() => {
  vi.useRealTimers();
});

test('messages go out one after the other, and are forgotten once they are said', async () => {
  const { server, open, onSent } = setUp();
  const outbox = open();
  for (const id of ['a', 'b', 'c']) outbox.add(written(id));
  expect(stored()).toEqual(['a', 'b', 'c']);
  await vi.runAllTimersAsync();
  expect(server.said).toEqual(['a', 'b', 'c']);
  expect(stored()).toEqual([]);
  expect(onSent).toHaveBeenCalledTimes(3);
  expect(outbox.list().map(({ seq }) => seq)).toEqual([1, 2, 3]);
});

test('without a network they wait, in order, through a reload, and are said once', async () => {
  const { server, open, send } = setUp();
  server.fails = new CallError('UNAVAILABLE');
  const outbox = open();
  for (const id of ['a', 'b', 'c']) outbox.add(written(id));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(outbox.isStuck()).toBe(true);
  expect(send.mock.calls.every(([{ clientId }]) => clientId === 'a')).toBe(true);

  const reloaded = open();
  expect(reloaded.list().map(({ clientId }) => clientId)).toEqual(['a', 'b', 'c']);
  server.fails = undefined;
  reloaded.flush();
  outbox.flush();
  await vi.runAllTimersAsync();
  expect(server.said).toEqual(['a', 'b', 'c']);
  expect(stored()).toEqual([]);
});

test('a lost answer is asked for again and does not double the message', async () => {
  const { server, open, send } = setUp();
  send.mockImplementationOnce(async ({ clientId }) => {
    server.said.push(clientId);
    throw new CallError('TIMEOUT');
  });
  const outbox = open();
  outbox.add(written('a'));
  await vi.runAllTimersAsync();
  expect(send).toHaveBeenCalledTimes(2);
  expect(server.said).toEqual(['a']);
  expect(outbox.isStuck()).toBe(false);
});

test('a refused message says why and waits for its writer; the others go on', async () => {
  const { server, open, onRefused } = setUp();
  server.fails = new CallError('STRANGER_LIMIT', { message: '先等等吧' });
  const outbox = open();
  outbox.add(written('a'));
  await vi.runAllTimersAsync();
  expect(outbox.list()).toMatchObject([{ clientId: 'a', refused: '先等等吧' }]);
  expect(onRefused).toHaveBeenCalledOnce();
  server.fails = undefined;
  outbox.add(written('b'));
  await vi.runAllTimersAsync();
  expect(server.said).toEqual(['b']);
  outbox.retry('a');
  await vi.runAllTimersAsync();
  expect(server.said).toEqual(['b', 'a']);
});

test('what fails again and again is not tried for ever; it can be thrown away', async () => {
  const { server, open, send } = setUp();
  server.fails = new CallError('INTERNAL');
  const outbox = open();
  outbox.add(written('a'));
  await vi.runAllTimersAsync();
  expect(send.mock.calls.length).toBeLessThan(10);
  expect(outbox.list()[0]?.refused).toBeTruthy();
  outbox.remove('a');
  expect(stored()).toEqual([]);
});

test('another tab of the same account takes nothing away', async () => {
  const { server, open } = setUp();
  server.fails = new CallError('UNAVAILABLE');
  const [one, two] = [open(), open()];
  one.add(written('a'));
  two.add(written('b', 'somebody'));
  one.remove('a');
  expect(stored()).toEqual(['b']);
  expect(two.list().map(({ clientId }) => clientId)).toContain('b');
});
