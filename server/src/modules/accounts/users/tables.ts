import type { ChangeKind } from '@mozhan/contract/account-changes.ts';
import type { Scope } from '@mozhan/contract/define.ts';
import { IDENTITY } from '@mozhan/contract/enums.ts';
import type { Notice } from '@mozhan/contract/notices.ts';
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
import { time, wholeNumber } from '../../../db/columns.ts';

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
  /** 1 reader, 2 writer. */
  curIdentity: smallint('cur_identity').$type<Identity>().notNull().default(IDENTITY.reader),
  region: text().notNull().default(''),
  inviteCode: text('invite_code').notNull(),
  invitedBy: uuid('invited_by'),
  memberUntil: time('member_until'),
  /** Only what differs from the default. */
  notify: jsonb().$type<Partial<CurrentUser['notify']>>().notNull().default({}),
  privacy: jsonb().$type<Partial<CurrentUser['privacy']>>().notNull().default({}),
  /** Whether unread notices are mailed, once a day. */
  digest: boolean().notNull().default(true),
  essayCount: integer('essay_count').notNull().default(0),
  readCount: wholeNumber('read_count').notNull().default(0),
  likeCount: wholeNumber('like_count').notNull().default(0),
  followerCount: integer('follower_count').notNull().default(0),
  followingCount: integer('following_count').notNull().default(0),
  demo: boolean().notNull().default(false),
  /** Since then nothing of the person is left. */
  closedAt: time('closed_at'),
  createdAt: time('created_at').notNull(),
  updatedAt: time('updated_at').notNull(),
});
export type User = typeof users.$inferSelect;

/** A trigger adds whoever is new, renamed or removed; the job `index-people` takes them. */
export const unindexedPeople = pgTable('unindexed_people', {
  userId: uuid('user_id').primaryKey(),
});

export const follows = pgTable('follows', {
  id: uuid().primaryKey(),
  followerId: uuid('follower_id').notNull(),
  /** Who is followed. */
  userId: uuid('user_id').notNull(),
  createdAt: time('created_at').notNull(),
});

export const blocks = pgTable('blocks', {
  id: uuid().primaryKey(),
  userId: uuid('user_id').notNull(),
  /** Of whom this user wants to hear nothing. */
  blockedId: uuid('blocked_id').notNull(),
  createdAt: time('created_at').notNull(),
});

export const accounts = pgTable('accounts', {
  userId: uuid('user_id').primaryKey(),
  /** What one registered with: a user name or an e-mail, lower case. */
  name: text().notNull(),
  email: text(),
  /** Whether a mailed code has shown that it is theirs. */
  emailVerified: boolean('email_verified').notNull().default(false),
  /** When the e-mail was added to an account that existed already; null: given at registration. */
  emailAddedAt: time('email_added_at'),
  /** A mainland number; a code by text message has shown that it is theirs. */
  phone: text(),
  phoneAddedAt: time('phone_added_at'),
  passwordHash: text('password_hash').notNull(),
  enabled: boolean().notNull().default(true),
  mustChangePassword: boolean('must_change_password').notNull().default(false),
  /** Encrypted. */
  totpSecret: text('totp_secret'),
  totpOn: boolean('totp_on').notNull().default(false),
  /** The last time step a code was taken for: a code works once. */
  totpStep: wholeNumber('totp_step').notNull().default(0),
  /** When it is to be closed, unless its owner signs in before. */
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
  /** Coarse: written once in a while. */
  usedAt: time('used_at').notNull(),
  /** Until then it may change what signs its owner in. */
  reauthUntil: time('reauth_until'),
});

/** A session's tokens, hashed. One that was replaced ends five minutes after its successor is first used. */
export const sessionTokens = pgTable('session_tokens', {
  hash: bytes().primaryKey(),
  sessionId: uuid('session_id').notNull(),
  issuedAt: time('issued_at').notNull(),
  usedAt: time('used_at'),
  expiresAt: time('expires_at').notNull(),
});

/** Of a writer, for the command line; hashed. */
export const apiTokens = pgTable('api_tokens', {
  id: uuid().primaryKey(),
  userId: uuid('user_id').notNull(),
  name: text().notNull(),
  hash: bytes().notNull(),
  scopes: text().array().$type<Scope[]>().notNull(),
  expiresAt: time('expires_at'),
  /** Coarse: written once in a while. */
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

/** Codes by mail or text message, one per purpose and address. */
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

/** Recent guesses; see decision 0027. */
export const guesses = pgTable('guesses', {
  key: text().primaryKey(),
  /** When all of them are forgotten. */
  emptyAt: time('empty_at').notNull(),
});

/** From where an account has signed in. */
export const signInNetworks = pgTable(
  'sign_in_networks',
  {
    userId: uuid('user_id').notNull(),
    network: text().notNull(),
    seenAt: time('seen_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.network] })],
);

/** When codes were asked for or sent, of the last day. */
export const codeAsks = pgTable('code_asks', {
  /** A hash of the e-mail or number, and of who asks. */
  key: bytes().primaryKey(),
  askedAt: time('asked_at').array().notNull(),
  expiresAt: time('expires_at').notNull(),
});

/** Codes that the site has sent on a day. */
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

/** Changes of what signs an account in, for as long as the owner can undo them by a link. */
export const accountChanges = pgTable('account_changes', {
  id: uuid().primaryKey(),
  userId: uuid('user_id').notNull(),
  /** The order in which the changes of an account were made. */
  position: bigint({ mode: 'number' }).generatedAlwaysAsIdentity(),
  kind: text().$type<ChangeKind>().notNull(),
  /** Of the token in the link. */
  hash: bytes().notNull(),
  /** By which it was made, when its owner's: undoing one change of a session undoes them all. */
  sessionId: uuid('session_id'),
  /** The e-mail or phone before the change, as the account had it. */
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

const position = (name: string) => wholeNumber(name).notNull();

/** Everything that changes a user's notices holds the row of their box. */
export const noticeBoxes = pgTable('notice_boxes', {
  userId: uuid('user_id').primaryKey(),
  /** Of the newest thing told. */
  position: position('position').default(0),
  /** What is not newer has been read, whether marked or not. */
  readTo: position('read_to').default(0),
  /** What is not newer has been mailed, or was of no interest then. */
  digestTo: position('digest_to').default(0),
});

export const notices = pgTable('notices', {
  id: uuid().primaryKey(),
  userId: uuid('user_id').notNull(),
  kind: text().$type<Notice['kind']>().notNull(),
  /** By the system the whole sentence, else what they did. */
  text: text().notNull(),
  readAt: time('read_at'),
  createdAt: time('created_at').notNull(),
  /** In the box: the newest deed of those told of. */
  position: position('position'),
  /** What it is about; where it is about nothing else, the user. */
  targetId: uuid('target_id').notNull(),
  targetTitle: text('target_title').notNull().default(''),
  targetUrl: text('target_url').notNull().default(''),
  excerpt: text().notNull().default(''),
  /** How many did it; none: the system. */
  actors: integer().notNull().default(0),
  /** When somebody last did it. */
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

/** How many followed a writer on each day. */
export const userDays = pgTable(
  'user_days',
  {
    userId: uuid('user_id').notNull(),
    day: date({ mode: 'string' }).notNull(),
    followers: integer().notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.userId, table.day] })],
);
