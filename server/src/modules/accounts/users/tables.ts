import type { ChangeKind } from '@mozhan/contract/account-changes.ts';
import type { TokenScope } from '@mozhan/contract/define.ts';
import { IDENTITY } from '@mozhan/contract/enums.ts';
import type { Notice } from '@mozhan/contract/notices.ts';
import { signInReasons, signInWays } from '@mozhan/contract/sign-ins.ts';
import type { CurrentUser, Identity } from '@mozhan/contract/users.ts';
import {
  bigint,
  boolean,
  customType,
  date,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import { bigintNumber, time } from '../../../db/columns.ts';

const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });
export const users = pgTable('users', {
  id: uuid().primaryKey(),
  displayName: text('display_name').notNull(),
  headImg: text('head_img').notNull().default(''),
  title: text().notNull().default(''),
  bio: text().notNull().default(''),
  gender: text({ enum: ['unknown', 'male', 'female'] })
    .notNull()
    .default('unknown'),
  city: text().notNull().default(''),
  company: text().notNull().default(''),
  position: text().notNull().default(''),
  homepage: text().notNull().default(''),
  github: text().notNull().default(''),
  curIdentity: smallint('cur_identity').$type<Identity>().notNull().default(IDENTITY.reader),
  region: text().notNull().default(''),
  inviteCode: text('invite_code').notNull(),
  invitedBy: uuid('invited_by'),
  memberUntil: time('member_until'),
  /** Stores only values that differ from the default. */
  notify: jsonb().$type<Partial<CurrentUser['notify']>>().notNull().default({}),
  privacy: jsonb().$type<Partial<CurrentUser['privacy']>>().notNull().default({}),
  digest: boolean().notNull().default(true),
  essayCount: integer('essay_count').notNull().default(0),
  readCount: bigintNumber('read_count').notNull().default(0),
  likeCount: bigintNumber('like_count').notNull().default(0),
  followerCount: integer('follower_count').notNull().default(0),
  followingCount: integer('following_count').notNull().default(0),
  demo: boolean().notNull().default(false),
  /** Set when the personal data was erased. */
  closedAt: time('closed_at'),
  createdAt: time('created_at').notNull(),
  updatedAt: time('updated_at').notNull(),
});
export type User = typeof users.$inferSelect;

/** A queue: a trigger adds users who are new, renamed or removed, and the job `index-people` indexes them. */
export const unindexedPeople = pgTable('unindexed_people', {
  userId: uuid('user_id').primaryKey(),
  renamed: boolean().notNull().default(false),
});

export const follows = pgTable('follows', {
  id: uuid().primaryKey(),
  followerId: uuid('follower_id').notNull(),
  /** The user who is followed. */
  userId: uuid('user_id').notNull(),
  createdAt: time('created_at').notNull(),
});

export const blocks = pgTable('blocks', {
  id: uuid().primaryKey(),
  userId: uuid('user_id').notNull(),
  blockedId: uuid('blocked_id').notNull(),
  createdAt: time('created_at').notNull(),
});

export const accounts = pgTable('accounts', {
  userId: uuid('user_id').primaryKey(),
  /** The user name or e-mail given at registration, in lower case. */
  name: text().notNull(),
  email: text(),
  /** True once a mailed code proved that the user owns the address. */
  emailVerified: boolean('email_verified').notNull().default(false),
  /** When the e-mail was added later; null when it was given at registration. */
  emailAddedAt: time('email_added_at'),
  /** Why mails to the address were refused; null: they were not. */
  emailBounce: text('email_bounce'),
  phone: text(),
  phoneAddedAt: time('phone_added_at'),
  passwordHash: text('password_hash').notNull(),
  enabled: boolean().notNull().default(true),
  mustChangePassword: boolean('must_change_password').notNull().default(false),
  /** Encrypted. */
  totpSecret: text('totp_secret'),
  totpOn: boolean('totp_on').notNull().default(false),
  /** The time step of the last accepted code, so that a code works once. */
  totpStep: bigintNumber('totp_step').notNull().default(0),
  /** When the account will be closed, unless its owner signs in before. */
  closingAt: time('closing_at'),
  updatedAt: time('updated_at').notNull(),
});
export type Account = typeof accounts.$inferSelect;

export const sessions = pgTable('sessions', {
  id: uuid().primaryKey(),
  userId: uuid('user_id').notNull(),
  via: text({ enum: ['register', 'password', 'code', 'qrcode'] }).notNull(),
  device: text().notNull(),
  address: text().notNull(),
  region: text().notNull(),
  createdAt: time('created_at').notNull(),
  renewedAt: time('renewed_at').notNull(),
  /** Approximate: updated at most every few minutes. */
  usedAt: time('used_at').notNull(),
  reauthUntil: time('reauth_until'),
});

/** Hashed session tokens. A replaced token expires five minutes after its successor is first used. */
export const sessionTokens = pgTable('session_tokens', {
  hash: bytes().primaryKey(),
  sessionId: uuid('session_id').notNull(),
  issuedAt: time('issued_at').notNull(),
  usedAt: time('used_at'),
  expiresAt: time('expires_at').notNull(),
});

/** Hashed tokens with which other programs act for a writer. */
export const apiTokens = pgTable('api_tokens', {
  id: uuid().primaryKey(),
  userId: uuid('user_id').notNull(),
  name: text().notNull(),
  hash: bytes().notNull(),
  scopes: text().array().$type<TokenScope[]>().notNull(),
  expiresAt: time('expires_at'),
  /** Approximate: updated at most every ten minutes. */
  usedAt: time('used_at'),
  usedAddress: text('used_address').notNull().default(''),
  createdAt: time('created_at').notNull(),
});
export type ApiTokenRow = typeof apiTokens.$inferSelect;

export const signInFailures = pgTable(
  'sign_in_failures',
  {
    account: text().notNull(),
    address: text().notNull(),
    failures: integer().notNull(),
    lastAt: time('last_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.account, table.address] })],
);

/** The sign-in log; `userId` is null if what was typed names no account. */
export const signIns = pgTable('sign_ins', {
  id: uuid().primaryKey(),
  userId: uuid('user_id'),
  account: text().notNull(),
  succeeded: boolean().notNull(),
  via: text({ enum: signInWays }).notNull(),
  reason: text({ enum: signInReasons }),
  address: text().notNull(),
  region: text().notNull(),
  device: text().notNull(),
  createdAt: time('created_at').notNull(),
});

/** Codes sent by mail or text message, one per purpose and target. */
export const codes = pgTable(
  'codes',
  {
    purpose: text({ enum: ['reset', 'bind', 'login', 'reauth'] }).notNull(),
    target: text().notNull(),
    userId: uuid('user_id'),
    hash: bytes().notNull(),
    attempts: smallint().notNull().default(0),
    expiresAt: time('expires_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.purpose, table.target] })],
);

/** Attempt counters that decay over time; see decision 0027. */
export const guesses = pgTable('guesses', {
  key: text().primaryKey(),
  emptyAt: time('empty_at').notNull(),
});

export const signInNetworks = pgTable(
  'sign_in_networks',
  {
    userId: uuid('user_id').notNull(),
    network: text().notNull(),
    seenAt: time('seen_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.network] })],
);

/** The times of requested or sent codes within the last day. */
export const codeAsks = pgTable('code_asks', {
  /** A hash of the e-mail or phone and the requester. */
  key: bytes().primaryKey(),
  askedAt: time('asked_at').array().notNull(),
  expiresAt: time('expires_at').notNull(),
});

export const codeBudgets = pgTable(
  'code_budgets',
  {
    day: date().notNull(),
    way: text({ enum: ['mail', 'sms'] }).notNull(),
    sent: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.way] })],
);

export const spentChallenges = pgTable('spent_challenges', {
  signature: text().primaryKey(),
  expiresAt: time('expires_at').notNull(),
});

export const qrTickets = pgTable('qr_tickets', {
  hash: bytes().primaryKey(),
  secretHash: bytes('secret_hash').notNull(),
  status: text({ enum: ['waiting', 'scanned', 'confirmed', 'cancelled'] })
    .notNull()
    .default('waiting'),
  userId: uuid('user_id'),
  claimed: boolean().notNull().default(false),
  device: text().notNull(),
  address: text().notNull(),
  region: text().notNull(),
  expiresAt: time('expires_at').notNull(),
});
export type QrTicket = typeof qrTickets.$inferSelect;

/** Changes of credentials, kept while the owner can undo them by a link. */
export const accountChanges = pgTable('account_changes', {
  id: uuid().primaryKey(),
  userId: uuid('user_id').notNull(),
  position: bigint({ mode: 'number' }).generatedAlwaysAsIdentity(),
  kind: text().$type<ChangeKind>().notNull(),
  hash: bytes().notNull(),
  /** The owner's session that made the change; undoing one change of a session undoes all of them. */
  sessionId: uuid('session_id'),
  oldValue: text('old_value'),
  oldVerified: boolean('old_verified').notNull(),
  oldAddedAt: time('old_added_at'),
  newValue: text('new_value').notNull(),
  device: text().notNull(),
  region: text().notNull(),
  createdAt: time('created_at').notNull(),
  expiresAt: time('expires_at').notNull(),
  undoneAt: time('undone_at'),
});
export type AccountChange = typeof accountChanges.$inferSelect;

const position = (name: string) => bigintNumber(name).notNull();

/** The inbox of a user; every change of the user's notices locks this row. */
export const noticeBoxes = pgTable('notice_boxes', {
  userId: uuid('user_id').primaryKey(),
  position: position('position').default(0),
  /** Notices up to this position are read, whatever their own mark. */
  readTo: position('read_to').default(0),
  /** Notices up to this position were mailed or skipped by the digest. */
  digestTo: position('digest_to').default(0),
});

export const notices = pgTable('notices', {
  id: uuid().primaryKey(),
  userId: uuid('user_id').notNull(),
  kind: text().$type<Notice['kind']>().notNull(),
  /** The full text of a system notice, otherwise the action of the actors. */
  text: text().notNull(),
  readAt: time('read_at'),
  createdAt: time('created_at').notNull(),
  /** The position in the inbox, taken from the newest grouped action. */
  position: position('position'),
  /** The id of the target or of the group, or the user's own id without one. */
  targetId: uuid('target_id').notNull(),
  targetTitle: text('target_title').notNull().default(''),
  targetUrl: text('target_url').notNull().default(''),
  excerpt: text().notNull().default(''),
  /** The number of actors; 0 for a system notice. */
  actors: integer().notNull().default(0),
  toldAt: time('told_at').notNull(),
});

export const noticeActors = pgTable(
  'notice_actors',
  {
    noticeId: uuid('notice_id').notNull(),
    userId: uuid('user_id').notNull(),
    position: position('position'),
  },
  (table) => [primaryKey({ columns: [table.noticeId, table.userId] })],
);

/** What a grouped notice consists of, when each action has a place and words of its own. */
export const noticeEvents = pgTable(
  'notice_events',
  {
    noticeId: uuid('notice_id').notNull(),
    /** The id of the comment, reward or order. */
    eventId: uuid('event_id').notNull(),
    userId: uuid('user_id').notNull(),
    position: position('position'),
    url: text().notNull(),
    excerpt: text().notNull(),
    toldAt: time('told_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.noticeId, table.eventId] })],
);

export const noticeCounts = pgTable(
  'notice_counts',
  {
    userId: uuid('user_id').notNull(),
    kind: text().$type<Notice['kind']>().notNull(),
    total: integer().notNull().default(0),
    unread: integer().notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.userId, table.kind] })],
);

export const userDays = pgTable(
  'user_days',
  {
    userId: uuid('user_id').notNull(),
    day: date({ mode: 'string' }).notNull(),
    followers: integer().notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.userId, table.day] })],
);
