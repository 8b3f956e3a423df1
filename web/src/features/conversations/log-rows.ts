import type { ChatMessage } from '@mozhan/contract/chats.ts';

interface MessageGroup {
  type: 'group';
  messages: ChatMessage[];
}

/** Consecutive removed messages of one sender, shown as one line. */
interface RemovedGroup {
  type: 'gone';
  messages: ChatMessage[];
}

export type LogRow = MessageGroup | RemovedGroup | { type: 'time'; at: string } | { type: 'unread' };

/** A time is shown after a gap of this length. */
const TIME_GAP_MS = 10 * 60_000;

const isAfterGap = (before: ChatMessage | undefined, { createdAt }: ChatMessage): boolean =>
  before === undefined || Date.parse(createdAt) - Date.parse(before.createdAt) > TIME_GAP_MS;

/** Converts messages to display rows: times after gaps, groups by sender, and a line above unread messages. */
export function toRows(messages: readonly ChatMessage[], unreadFrom: number): LogRow[] {
  const rows: LogRow[] = [];
  let before: ChatMessage | undefined;
  for (const message of messages) {
    if (isAfterGap(before, message)) rows.push({ type: 'time', at: message.createdAt });
    if (message.seq === unreadFrom) rows.push({ type: 'unread' });
    const type = message.removed ? 'gone' : 'group';
    const last = rows.at(-1);
    const isSame = before !== undefined && before.from?.id === message.from?.id;
    if (last?.type === type && isSame) last.messages.push(message);
    else rows.push({ type, messages: [message] });
    before = message;
  }
  return rows;
}
