import type { ChatMessage, ConversationCounts } from './chats.ts';
import type { UnreadCounts } from './notices.ts';
import type { OrderKind, OrderStatus } from './orders.ts';

/** Identifies a conversation for its recipient: the other user, or the essay of the room. */
export type ConversationKey =
  | { userId: string; essayId?: undefined }
  | { userId?: undefined; essayId: string };

export interface LiveEvents {
  unread: (counts: UnreadCounts) => void;
  /** The user's order was paid, closed or refunded: refetch what depends on it. */
  order: (order: { id: string; kind: OrderKind; status: OrderStatus; targetId: string | null }) => void;
  /** Somebody else changed the account (identity, roles, membership, application): refetch the user. */
  account: () => void;
  talks: (counts: ConversationCounts) => void;
  /** A new message, or, when its `seq` is already known, a removed one. */
  chat: (event: { talk: ConversationKey; message: ChatMessage }) => void;
  /** The other user has read up to `seq`, or the same user on another page. */
  chatRead: (read: { talk: ConversationKey; byId: string; seq: number }) => void;
  /** A letter arrived or was read: refetch the threads. */
  letter: (letter: { threadId: string }) => void;
  /** Somebody entered or left the room that this page has joined. */
  online: (room: { essayId: string; online: number }) => void;
  /** The author muted the user in a room, or ended it (null). */
  muted: (mute: { essayId: string; mutedUntil: string | null }) => void;
  /** The user lost access to the room and gets no more of its events. */
  roomLost: (room: { essayId: string }) => void;
  /** The account has too many connections: the server closes this one, the oldest, and it must not reconnect. */
  crowded: () => void;
}

/** Events from the browser to the server over `/api/live`. */
export interface LiveRequests {
  /** Subscribes to rooms; `answer` gets the permitted ones and the number of users online in each. */
  join: (essayIds: string[], answer: (heard: { essayId: string; online: number }[]) => void) => void;
  leave: (essayIds: string[]) => void;
  /** Subscribes to the messages of rooms in a list, without being online in them; `answer` gets the permitted ones. */
  watch: (essayIds: string[], answer: (watched: string[]) => void) => void;
  unwatch: (essayIds: string[]) => void;
}

/** Maximum per account, across all processes. */
export const MAX_LIVE_CONNECTIONS = 20;

export const LIVE_PATH = '/api/live';
