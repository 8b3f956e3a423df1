import type { ChatMessage, ChatMessages } from '@mozhan/contract/chats.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { emptyLog, hasOlder, isBehind, type Log, lastSeq, markRead, merge, receive, startAt } from './log.ts';

const said = (seq: number, more: Partial<ChatMessage> = {}): ChatMessage => ({
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

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => said(from + at));

const answer = (list: ChatMessage[], lastSeq: number, more: Partial<ChatMessages> = {}): ChatMessages => ({
  list,
  more: false,
  lastSeq,
  readSeq: 0,
  otherReadSeq: 0,
  removed: [],
  canSend: true,
  why: '',
  ...more,
});

const seqs = ({ messages }: Log) => messages.map(({ seq }) => seq);
const open = (from: number, to: number) => merge(emptyLog, answer(range(from, to), to));

test('the next message is appended, one that is known already changes nothing', () => {
  const log = receive(open(1, 3), said(4));
  expect(seqs(log)).toEqual([1, 2, 3, 4]);
  expect(seqs(receive(log, said(4)))).toEqual([1, 2, 3, 4]);
  expect(seqs(receive(emptyLog, said(1)))).toEqual([1]);
});

test('a gap is noticed and closed by asking for what comes after the last', () => {
  const behind = receive(open(1, 3), said(6));
  expect(seqs(behind)).toEqual([1, 2, 3]);
  expect(isBehind(behind)).toBe(true);
  const caughtUp = merge(behind, answer(range(4, 6), 6));
  expect(seqs(caughtUp)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(isBehind(caughtUp)).toBe(false);
});

test('what is older goes before, what overlaps is not doubled', () => {
  const log = open(51, 100);
  expect(hasOlder(log)).toBe(true);
  const older = merge(log, answer(range(1, 60), 100));
  expect(seqs(older)).toEqual(Array.from({ length: 100 }, (_, at) => at + 1));
  expect(hasOlder(older)).toBe(false);
});

test('what was taken away loses its words, live, by the list of an answer, and for good', () => {
  const live = receive(open(1, 3), said(2, { removed: true, content: '', html: '' }));
  expect(live.messages[1]).toMatchObject({ removed: true, content: '' });
  const late = merge(live, answer(range(1, 3), 3));
  expect(late.messages[1]).toMatchObject({ removed: true, content: '', html: '' });
  const told = merge(open(1, 3), answer([], 3, { removed: [3] }));
  expect(told.messages[2]).toMatchObject({ removed: true, content: '', html: '' });
});

test('a place far away begins a log of its own, which does not run after what is newer', () => {
  const found = startAt(open(900, 950), answer(range(10, 60), 950));
  expect(seqs(found)[0]).toBe(10);
  expect(isBehind(receive(found, said(951)))).toBe(false);
  expect(lastSeq(receive(found, said(951)))).toBe(60);
  const end = merge(found, answer(range(61, 951), 951));
  expect(end.follows).toBe(true);
});

test('reading goes forward only', () => {
  const log = markRead(markRead(open(1, 9), 'me', 7), 'other', 5);
  expect(markRead(log, 'me', 3)).toMatchObject({ readSeq: 7, otherReadSeq: 5 });
  expect(merge(log, answer([], 9, { readSeq: 2, otherReadSeq: 9 }))).toMatchObject({
    readSeq: 7,
    otherReadSeq: 9,
  });
});

test('whatever is lost, doubled or out of order on the way, catching up makes it whole', () => {
  const events = fc.array(fc.record({ seq: fc.integer({ min: 1, max: 40 }), asks: fc.boolean() }));
  fc.assert(
    fc.property(events, fc.integer({ min: 0, max: 20 }), (events, start) => {
      let log = merge(emptyLog, answer(range(1, start), start));
      let newest = start;
      for (const { seq, asks } of events) {
        newest = Math.max(newest, seq);
        log = receive(log, said(seq));
        if (asks && isBehind(log)) log = merge(log, answer(range(lastSeq(log) + 1, newest), newest));
        expect(seqs(log)).toEqual(Array.from({ length: log.messages.length }, (_, at) => at + 1));
      }
      log = merge(log, answer(range(lastSeq(log) + 1, newest), newest));
      expect(log.messages).toHaveLength(newest);
      expect(isBehind(log)).toBe(false);
    }),
  );
});
