import type { ChatMessage } from '@mozhan/contract/chats.ts';

/** What somebody said in one go. */
interface Group {
  type: 'group';
  messages: ChatMessage[];
}

/** What was taken away, in one line. */
interface Gone {
  type: 'gone';
  messages: ChatMessage[];
}

export type Row = Group | Gone | { type: 'time'; at: string } | { type: 'unread' };

/** After a silence of this length the time is said again. */
const SILENCE_MS = 10 * 60_000;

const isSilence = (before: ChatMessage | undefined, { createdAt }: ChatMessage): boolean =>
  before === undefined || Date.parse(createdAt) - Date.parse(before.createdAt) > SILENCE_MS;

/** A log as it is read: times after silences, neighbours of one person together, a line above what is new. */
export function rowsOf(messages: readonly ChatMessage[], unreadFrom: number): Row[] {
  const rows: Row[] = [];
  let before: ChatMessage | undefined;
  for (const message of messages) {
    if (isSilence(before, message)) rows.push({ type: 'time', at: message.createdAt });
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
