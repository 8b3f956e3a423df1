import type { UnreadCounts } from './notices.ts';

/** Events the server sends over `/api/live`. */
export interface LiveEvents {
  unread: (counts: UnreadCounts) => void;
}

export const LIVE_PATH = '/api/live';
