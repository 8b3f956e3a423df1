/** The values of numeric fields of calls and columns. Browsers run this file, so it must not import zod. */

export const ESSAY_STATUS = {
  draft: 0,
  waiting: 1,
  approved: 2,
  onShelf: 3,
  offShelf: 4,
  rejected: 5,
} as const;

export const ORDER_STATUS = { waiting: 0, paid: 1, cancelled: 2, refunded: 3 } as const;

export const WITHDRAWAL_STATUS = { waiting: 0, approved: 1, refused: 2, paid: 3 } as const;

/** `deleted` stays in the database: only the place of the comment is left, for the sake of its replies. */
export const COMMENT_STATUS = { shown: 0, held: 1, removed: 2, deleted: 3 } as const;

/** Of somebody who wants to become a writer. */
export const APPLICATION_STATUS = { waiting: 0, approved: 1, refused: 2 } as const;

export const REPORT_STATUS = { waiting: 0, upheld: 1, dismissed: 2 } as const;

export const IDENTITY = { reader: 1, writer: 2 } as const;

/** A switch, such as `enabled`. */
export const FLAG = { off: 0, on: 1 } as const;
export type Flag = (typeof FLAG)[keyof typeof FLAG];

export const toFlag = (isOn: boolean): Flag => (isOn ? FLAG.on : FLAG.off);

export const SORT_ORDER = { ascending: 0, descending: 1 } as const;
export type SortOrder = (typeof SORT_ORDER)[keyof typeof SORT_ORDER];

export const TREND_TYPE = {
  read: 0,
  like: 1,
  share: 2,
  shareRead: 3,
  comment: 4,
  reply: 5,
  collect: 6,
  download: 7,
  register: 8,
  follow: 9,
  reward: 10,
  rewardReply: 11,
  buy: 12,
  letter: 13,
  letterReply: 14,
  chat: 15,
  chatReply: 16,
  room: 17,
  roomReply: 18,
  search: 19,
} as const;

/** What a trend is about: an essay, or somebody's page. */
export const TREND_TARGET = { essay: 0, home: 1 } as const;
