import type { ChatMessage, ChatMessages } from '@mozhan/contract/chats.ts';

/**
 * The loaded part of a conversation: a contiguous range of messages. The server numbers messages from 1 without gaps, so
 * a missing message is detected by its number.
 */
export interface MessageLog {
  /** Ordered by seq, without duplicates. */
  messages: readonly ChatMessage[];
  /** The highest seq known to exist. */
  lastSeq: number;
  /** Last message read by the reader and by the other participant. */
  readSeq: number;
  otherReadSeq: number;
  canSend: boolean;
  denialReason: string;
  /** End of the mute of the reader in a room. */
  mutedUntil: string | null;
  /** Set once the log has reached the end: newer messages are then loaded at once. */
  followsEnd: boolean;
}

export const emptyLog: MessageLog = {
  messages: [],
  lastSeq: 0,
  readSeq: 0,
  otherReadSeq: 0,
  canSend: false,
  denialReason: '',
  mutedUntil: null,
  followsEnd: false,
};

export const firstSeq = ({ messages }: MessageLog): number => messages[0]?.seq ?? 1;
export const lastSeq = ({ messages }: MessageLog): number => messages.at(-1)?.seq ?? 0;

export const hasOlder = (log: MessageLog): boolean => firstSeq(log) > 1;
export const hasNewer = (log: MessageLog): boolean => lastSeq(log) < log.lastSeq;
/** A newer message exists that is not loaded. */
export const isBehind = (log: MessageLog): boolean => log.followsEnd && hasNewer(log);

const asRemoved = (message: ChatMessage): ChatMessage =>
  message.removed
    ? message
    : { ...message, removed: true, content: '', html: '', image: null, essay: null, replyTo: null };

/** A removed message stays removed, even if an older response arrives late. */
const mergeMessage = (known: ChatMessage | undefined, received: ChatMessage): ChatMessage =>
  known?.removed ? asRemoved(received) : received;

/** Joins two ranges that touch or overlap; otherwise returns the received one. */
function joinRanges(known: readonly ChatMessage[], received: readonly ChatMessage[]): readonly ChatMessage[] {
  const [firstKnown, firstReceived] = [known[0], received[0]];
  if (firstReceived === undefined) return known;
  if (firstKnown === undefined) return received;
  const lastKnown = firstKnown.seq + known.length - 1;
  const lastReceived = firstReceived.seq + received.length - 1;
  if (firstReceived.seq > lastKnown + 1 || lastReceived < firstKnown.seq - 1) return received;
  const joined = known.filter(({ seq }) => seq < firstReceived.seq);
  for (const message of received) joined.push(mergeMessage(known[message.seq - firstKnown.seq], message));
  return [...joined, ...known.filter(({ seq }) => seq > lastReceived)];
}

export function mergeResponse(log: MessageLog, response: ChatMessages): MessageLog {
  const removed = new Set(response.removed);
  const messages = joinRanges(log.messages, response.list).map((message) =>
    removed.has(message.seq) ? asRemoved(message) : message,
  );
  const lastLoaded = messages.at(-1)?.seq ?? 0;
  const lastSeq = Math.max(log.lastSeq, response.lastSeq, lastLoaded);
  return {
    messages,
    lastSeq,
    readSeq: Math.max(log.readSeq, response.readSeq),
    otherReadSeq: Math.max(log.otherReadSeq, response.otherReadSeq),
    canSend: response.canSend,
    denialReason: response.why,
    mutedUntil: response.mutedUntil,
    followsEnd: log.followsEnd || lastLoaded === lastSeq,
  };
}

/** Restarts the log at a message outside of the loaded range. */
export const restartAt = (log: MessageLog, response: ChatMessages): MessageLog =>
  mergeResponse({ ...log, messages: [], followsEnd: false }, response);

/** Applies a new, own or removed message. */
export function applyMessage(log: MessageLog, message: ChatMessage): MessageLog {
  const newest = Math.max(log.lastSeq, message.seq);
  if (message.seq === lastSeq(log) + 1)
    return { ...log, messages: [...log.messages, message], lastSeq: newest };
  const known = log.messages[message.seq - firstSeq(log)];
  if (known === undefined) return newest === log.lastSeq ? log : { ...log, lastSeq: newest };
  const messages = log.messages.map((each) => (each === known ? mergeMessage(known, message) : each));
  return { ...log, messages, lastSeq: newest };
}

/** The end of a mute is checked by the server, so the log stays closed until its next response. */
export const applyMute = (log: MessageLog, mutedUntil: string | null): MessageLog => ({
  ...log,
  mutedUntil,
  canSend: mutedUntil === null && log.canSend,
});

/** Read positions never decrease. */
export const markRead = (log: MessageLog, by: 'me' | 'other', seq: number): MessageLog =>
  by === 'me'
    ? { ...log, readSeq: Math.max(log.readSeq, seq) }
    : { ...log, otherReadSeq: Math.max(log.otherReadSeq, seq) };
