import type { UnreadCounts } from './notices.ts';
import type { OrderKind, OrderStatus } from './orders.ts';

/** Events the server sends over `/api/live`. */
export interface LiveEvents {
  unread: (counts: UnreadCounts) => void;
  /** An order of one's own was paid, closed or paid back: what it opens or shuts is to be asked for anew. */
  order: (order: { id: string; kind: OrderKind; status: OrderStatus; targetId: string | null }) => void;
}

export const LIVE_PATH = '/api/live';
