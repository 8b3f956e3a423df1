import type { ChatMessage, ChatMessages } from '@mozhan/contract/chats.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  applyMessage,
  emptyLog,
  hasOlder,
  isBehind,
  lastSeq,
  type MessageLog,
  markRead,
  mergeResponse,
  restartAt,
} from './message-log.ts';

const createMessage = (seq: number, more: Partial<ChatMessage> = {}): ChatMessage => ({
  id: String(seq),
  seq,
  clientId: `client-${seq}`,
  from: null,
  kind: 'text',
  content: `第 ${seq} 句`,
  html: `<p>第 ${seq} 句</p>`,
  image: null,
  essay: null,
  replyTo: null,
  removed: false,
  createdAt: '2026-11-20T04:00:00Z',
  ...more,
});

const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => createMessage(from + at));

const createResponse = (
  list: ChatMessage[],
  lastSeq: number,
  more: Partial<ChatMessages> = {},
): ChatMessages => ({
  list,
  more: false,
  lastSeq,
  readSeq: 0,
  otherReadSeq: 0,
  removed: [],
  canSend: true,
  why: '',
  mutedUntil: null,
  ...more,
});

const seqs = ({ messages }: MessageLog) => messages.map(({ seq }) => seq);
const open = (from: number, to: number) => mergeResponse(emptyLog, createResponse(range(from, to), to));

test('appends the next message and ignores a known one', () => {
  const log = applyMessage(open(1, 3), createMessage(4));
  expect(seqs(log)).toEqual([1, 2, 3, 4]);
  expect(seqs(applyMessage(log, createMessage(4)))).toEqual([1, 2, 3, 4]);
  expect(seqs(applyMessage(emptyLog, createMessage(1)))).toEqual([1]);
});

test('detects a gap and closes it by loading the messages after the last one', () => {
  const behind = applyMessage(open(1, 3), createMessage(6));
  expect(seqs(behind)).toEqual([1, 2, 3]);
  expect(isBehind(behind)).toBe(true);
  const caughtUp = mergeResponse(behind, createResponse(range(4, 6), 6));
  expect(seqs(caughtUp)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(isBehind(caughtUp)).toBe(false);
});

test('prepends older messages without duplicates', () => {
  const log = open(51, 100);
  expect(hasOlder(log)).toBe(true);
  const older = mergeResponse(log, createResponse(range(1, 60), 100));
  expect(seqs(older)).toEqual(Array.from({ length: 100 }, (_, at) => at + 1));
  expect(hasOlder(older)).toBe(false);
});

test('clears removed messages, by live event or response, permanently', () => {
  const live = applyMessage(open(1, 3), createMessage(2, { removed: true, content: '', html: '' }));
  expect(live.messages[1]).toMatchObject({ removed: true, content: '' });
  const late = mergeResponse(live, createResponse(range(1, 3), 3));
  expect(late.messages[1]).toMatchObject({ removed: true, content: '', html: '' });
  const response = mergeResponse(open(1, 3), createResponse([], 3, { removed: [3] }));
  expect(response.messages[2]).toMatchObject({ removed: true, content: '', html: '' });
});

test('restarts at a distant message and does not follow newer ones', () => {
  const found = restartAt(open(900, 950), createResponse(range(10, 60), 950));
  expect(seqs(found)[0]).toBe(10);
  expect(isBehind(applyMessage(found, createMessage(951)))).toBe(false);
  expect(lastSeq(applyMessage(found, createMessage(951)))).toBe(60);
  const end = mergeResponse(found, createResponse(range(61, 951), 951));
  expect(end.followsEnd).toBe(true);
});

test('never decreases the read positions', () => {
  const log = markRead(markRead(open(1, 9), 'me', 7), 'other', 5);
  expect(markRead(log, 'me', 3)).toMatchObject({ readSeq: 7, otherReadSeq: 5 });
  expect(mergeResponse(log, createResponse([], 9, { readSeq: 2, otherReadSeq: 9 }))).toMatchObject({
    readSeq: 7,
    otherReadSeq: 9,
  });
});

test('becomes complete by catching up after lost, duplicate or reordered events', () => {
  const events = fc.array(fc.record({ seq: fc.integer({ min: 1, max: 40 }), asks: fc.boolean() }));
  fc.assert(
    fc.property(events, fc.integer({ min: 0, max: 20 }), (events, start) => {
      let log = mergeResponse(emptyLog, createResponse(range(1, start), start));
      let newest = start;
      for (const { seq, asks } of events) {
        newest = Math.max(newest, seq);
        log = applyMessage(log, createMessage(seq));
        if (asks && isBehind(log))
          log = mergeResponse(log, createResponse(range(lastSeq(log) + 1, newest), newest));
        expect(seqs(log)).toEqual(Array.from({ length: log.messages.length }, (_, at) => at + 1));
      }
      log = mergeResponse(log, createResponse(range(lastSeq(log) + 1, newest), newest));
      expect(log.messages).toHaveLength(newest);
      expect(isBehind(log)).toBe(false);
    }),
  );
});
