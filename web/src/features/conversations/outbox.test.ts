import { readItem, writeItem } from '@mozhan/client/storage.ts';
import type { ChatMessage } from '@mozhan/contract/chats.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createOutbox, type OutboxMessage } from './outbox.ts';

const createMessage = (clientId: string, userId = 'friend'): OutboxMessage => ({
  clientId,
  talk: { userId },
  kind: 'text',
  content: clientId,
  at: '2026-11-20T04:00:00Z',
});

/** A server that stores each clientId once, in order. */
function setUp() {
  const server = { received: [] as string[], fails: undefined as CallError | undefined };
  const send = vi.fn(async ({ clientId }: OutboxMessage) => {
    await Promise.resolve();
    if (server.fails !== undefined) throw server.fails;
    if (!server.received.includes(clientId)) server.received.push(clientId);
    return { clientId, seq: server.received.indexOf(clientId) + 1 } as ChatMessage;
  });
  const onSent = vi.fn();
  const onRefused = vi.fn();
  const open = () => createOutbox({ userId: 'me', send, onSent, onRefused });
  return { server, send, onSent, onRefused, open };
}

const stored = () => JSON.parse(readItem('outbox:me') ?? '[]').map(({ clientId }: OutboxMessage) => clientId);

beforeEach(() => {
  vi.useFakeTimers();
  writeItem('outbox:me', null);
});
afterEach(() => {
  vi.useRealTimers();
});

test('sends messages one after the other and removes sent ones from the storage', async () => {
  const { server, open, onSent } = setUp();
  const outbox = open();
  for (const id of ['a', 'b', 'c']) outbox.add(createMessage(id));
  expect(stored()).toEqual(['a', 'b', 'c']);
  await vi.runAllTimersAsync();
  expect(server.received).toEqual(['a', 'b', 'c']);
  expect(stored()).toEqual([]);
  expect(onSent).toHaveBeenCalledTimes(3);
  expect(outbox.list().map(({ seq }) => seq)).toEqual([1, 2, 3]);
});

test('keeps the order without a network and after a reload, and sends each message once', async () => {
  const { server, open, send } = setUp();
  server.fails = new CallError('UNAVAILABLE');
  const outbox = open();
  for (const id of ['a', 'b', 'c']) outbox.add(createMessage(id));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(outbox.isOffline()).toBe(true);
  expect(send.mock.calls.every(([{ clientId }]) => clientId === 'a')).toBe(true);

  const reloaded = open();
  expect(reloaded.list().map(({ clientId }) => clientId)).toEqual(['a', 'b', 'c']);
  server.fails = undefined;
  reloaded.flush();
  outbox.flush();
  await vi.runAllTimersAsync();
  expect(server.received).toEqual(['a', 'b', 'c']);
  expect(stored()).toEqual([]);
});

test('retries after a lost response without sending twice', async () => {
  const { server, open, send } = setUp();
  send.mockImplementationOnce(async ({ clientId }) => {
    server.received.push(clientId);
    throw new CallError('TIMEOUT');
  });
  const outbox = open();
  outbox.add(createMessage('a'));
  await vi.runAllTimersAsync();
  expect(send).toHaveBeenCalledTimes(2);
  expect(server.received).toEqual(['a']);
  expect(outbox.isOffline()).toBe(false);
});

test('keeps a refused message with its reason and sends the others', async () => {
  const { server, open, onRefused } = setUp();
  server.fails = new CallError('STRANGER_LIMIT', { message: '先等等吧' });
  const outbox = open();
  outbox.add(createMessage('a'));
  await vi.runAllTimersAsync();
  expect(outbox.list()).toMatchObject([{ clientId: 'a', refused: '先等等吧' }]);
  expect(onRefused).toHaveBeenCalledOnce();
  server.fails = undefined;
  outbox.add(createMessage('b'));
  await vi.runAllTimersAsync();
  expect(server.received).toEqual(['b']);
  outbox.retry('a');
  await vi.runAllTimersAsync();
  expect(server.received).toEqual(['b', 'a']);
});

test('stops after repeated failures, and the message can be removed', async () => {
  const { server, open, send } = setUp();
  server.fails = new CallError('INTERNAL');
  const outbox = open();
  outbox.add(createMessage('a'));
  await vi.runAllTimersAsync();
  expect(send.mock.calls.length).toBeLessThan(10);
  expect(outbox.list()[0]?.refused).toBeTruthy();
  outbox.remove('a');
  expect(stored()).toEqual([]);
});

test('does not lose messages added by another tab', async () => {
  const { server, open } = setUp();
  server.fails = new CallError('UNAVAILABLE');
  const [one, two] = [open(), open()];
  one.add(createMessage('a'));
  two.add(createMessage('b', 'somebody'));
  one.remove('a');
  expect(stored()).toEqual(['b']);
  expect(two.list().map(({ clientId }) => clientId)).toContain('b');
});
