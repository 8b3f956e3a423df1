import type { ChatMessage } from '@mozhan/contract/chats.ts';
import { expect, test } from 'vitest';
import { excerptOf } from './excerpt.ts';
import { toRows } from './log-rows.ts';
import { formatListTime, formatMessageTime } from './times.ts';

const createMessage = (seq: number, name: string, minute: number, more: Partial<ChatMessage> = {}) =>
  ({
    seq,
    from: { id: name },
    kind: 'text',
    content: '一句',
    essay: null,
    removed: false,
    createdAt: new Date(Date.UTC(2026, 10, 20, 4, minute)).toISOString(),
    ...more,
  }) as ChatMessage;

test('groups messages of one sender until another sender, a time gap or the unread line', () => {
  const rows = toRows(
    [
      createMessage(1, 'a', 0),
      createMessage(2, 'a', 1),
      createMessage(3, 'b', 2),
      createMessage(4, 'b', 3),
      createMessage(5, 'b', 20),
      createMessage(6, 'b', 21, { removed: true }),
    ],
    4,
  );
  const shape = rows.map((row) => ('messages' in row ? row.messages.map(({ seq }) => seq) : row.type));
  expect(shape).toEqual(['time', [1, 2], [3], 'unread', [4], 'time', [5], [6]]);
  expect(rows.at(-1)?.type).toBe('gone');
});

test('formats times in the time zone of the site', () => {
  const now = Date.parse('2026-11-20T04:00:00Z');
  expect(formatMessageTime('2026-11-20T03:05:00Z', now)).toBe('今天 11:05');
  expect(formatMessageTime('2026-11-19T15:59:00Z', now)).toBe('昨天 23:59');
  expect(formatMessageTime('2026-11-19T16:01:00Z', now)).toBe('今天 00:01');
  expect(formatListTime('2026-11-20T03:05:00Z', now)).toBe('11:05');
  expect(formatListTime('2026-11-17T03:05:00Z', now)).toBe('周二');
  expect(formatListTime('2026-11-09T03:05:00Z', now)).toBe('11-09');
  expect(formatListTime('2025-11-09T03:05:00Z', now)).toBe('2025-11-09');
});

test('strips Markdown from excerpts and labels messages without text', () => {
  expect(
    excerptOf(createMessage(1, 'a', 0, { content: '看 **这里**：[文档](https://a.example)\n`code`' })),
  ).toBe('看 这里：文档 code');
  expect(excerptOf(createMessage(1, 'a', 0, { content: '> 引用\n`a_b > c` 与 *C#*，2 * 3 * 4' }))).toBe(
    '引用 a_b > c 与 C#，2 * 3 * 4',
  );
  expect(excerptOf(createMessage(1, 'a', 0, { kind: 'image' }))).toBe('[图片]');
  expect(excerptOf(createMessage(1, 'a', 0, { removed: true }))).toBe('消息已撤回');
});
