import type { ChatMessage, TalkCounts } from './chats.ts';
import type { UnreadCounts } from './notices.ts';
import type { OrderKind, OrderStatus } from './orders.ts';

/** Which conversation, as the listener knows it: with whom, or about which essay. */
export type TalkKey = { userId: string; essayId?: undefined } | { userId?: undefined; essayId: string };

/** Events the server sends over `/api/live`. */
export interface LiveEvents {
  unread: (counts: UnreadCounts) => void;
  /** An order of one's own was paid, closed or paid back: what it opens or shuts is to be asked for anew. */
  order: (order: { id: string; kind: OrderKind; status: OrderStatus; targetId: string | null }) => void;
  /** Unread letters and chats. */
  talks: (counts: TalkCounts) => void;
  /** A message was said, or, with a `seq` known before, taken away. */
  chat: (said: { talk: TalkKey; message: ChatMessage }) => void;
  /** Somebody has read so far: the other one, or oneself on another page. */
  chatRead: (read: { talk: TalkKey; byId: string; seq: number }) => void;
  /** A letter came or was read: threads are to be asked for anew. */
  letter: (letter: { threadId: string }) => void;
  /** One hears no more of this room: the access is lost. */
  roomLost: (room: { essayId: string }) => void;
  /** Too many pages of this account are connected: this one, the oldest, is cut, and must not come back by itself. */
  crowded: () => void;
}

/** What a page says over `/api/live`. */
export interface LiveWishes {
  /** Wants to hear these rooms; answers with those it may hear, and how many listen to each. */
  join: (essayIds: string[], answer: (heard: { essayId: string; online: number }[]) => void) => void;
  leave: (essayIds: string[]) => void;
}

/** Live connections of one account, over all processes. */
export const MAX_CONNECTIONS = 20;

export const LIVE_PATH = '/api/live';
