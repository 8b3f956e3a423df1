import type { ChatMessage, ChatMessages } from '@mozhan/contract/chats.ts';

/**
 * What is known of a conversation: a run of messages without gaps, somewhere in it. The server numbers from 1 without
 * leaving one out, so a gap is seen by the numbers alone.
 */
export interface Log {
  /** Each once, in order. */
  messages: readonly ChatMessage[];
  /** The newest that is known to exist. */
  lastSeq: number;
  /** How far one has read oneself, and the other of two. */
  readSeq: number;
  otherReadSeq: number;
  canSend: boolean;
  why: string;
  /** It has reached the end once and is to stay there: what is newer is asked for at once. */
  follows: boolean;
}

export const emptyLog: Log = {
  messages: [],
  lastSeq: 0,
  readSeq: 0,
  otherReadSeq: 0,
  canSend: false,
  why: '',
  follows: false,
};

export const firstSeq = ({ messages }: Log): number => messages[0]?.seq ?? 1;
export const lastSeq = ({ messages }: Log): number => messages.at(-1)?.seq ?? 0;

export const hasOlder = (log: Log): boolean => firstSeq(log) > 1;
export const hasNewer = (log: Log): boolean => lastSeq(log) < log.lastSeq;
/** Something was said that did not arrive. */
export const isBehind = (log: Log): boolean => log.follows && hasNewer(log);

const asRemoved = (message: ChatMessage): ChatMessage =>
  message.removed
    ? message
    : { ...message, removed: true, content: '', html: '', image: null, essay: null, replyTo: null };

/** What was taken away stays away, even when an answer from before comes in late. */
const newerOf = (known: ChatMessage | undefined, told: ChatMessage): ChatMessage =>
  known?.removed ? asRemoved(told) : told;

/** One run out of two that touch; of two that do not, the second. */
function join(known: readonly ChatMessage[], told: readonly ChatMessage[]): readonly ChatMessage[] {
  const [firstKnown, firstTold] = [known[0], told[0]];
  if (firstTold === undefined) return known;
  if (firstKnown === undefined) return told;
  const lastKnown = firstKnown.seq + known.length - 1;
  const lastTold = firstTold.seq + told.length - 1;
  if (firstTold.seq > lastKnown + 1 || lastTold < firstKnown.seq - 1) return told;
  const joined = known.filter(({ seq }) => seq < firstTold.seq);
  for (const message of told) joined.push(newerOf(known[message.seq - firstKnown.seq], message));
  return [...joined, ...known.filter(({ seq }) => seq > lastTold)];
}

/** Takes in what the server answered, wherever in the conversation it was asked for. */
export function merge(log: Log, answer: ChatMessages): Log {
  const gone = new Set(answer.removed);
  const messages = join(log.messages, answer.list).map((message) =>
    gone.has(message.seq) ? asRemoved(message) : message,
  );
  const reached = messages.at(-1)?.seq ?? 0;
  const lastSeq = Math.max(log.lastSeq, answer.lastSeq, reached);
  return {
    messages,
    lastSeq,
    readSeq: Math.max(log.readSeq, answer.readSeq),
    otherReadSeq: Math.max(log.otherReadSeq, answer.otherReadSeq),
    canSend: answer.canSend,
    why: answer.why,
    follows: log.follows || reached === lastSeq,
  };
}

/** The place of a message far from what was shown: the log begins anew there. */
export const startAt = (log: Log, answer: ChatMessages): Log =>
  merge({ ...log, messages: [], follows: false }, answer);

/** Takes in one message as it was said, sent, or taken away. */
export function receive(log: Log, message: ChatMessage): Log {
  const newest = Math.max(log.lastSeq, message.seq);
  if (message.seq === lastSeq(log) + 1)
    return { ...log, messages: [...log.messages, message], lastSeq: newest };
  const known = log.messages[message.seq - firstSeq(log)];
  if (known === undefined) return newest === log.lastSeq ? log : { ...log, lastSeq: newest };
  const messages = log.messages.map((each) => (each === known ? newerOf(known, message) : each));
  return { ...log, messages, lastSeq: newest };
}

/** Somebody has read so far; reading goes forward only. */
export const markRead = (log: Log, by: 'me' | 'other', seq: number): Log =>
  by === 'me'
    ? { ...log, readSeq: Math.max(log.readSeq, seq) }
    : { ...log, otherReadSeq: Math.max(log.otherReadSeq, seq) };
