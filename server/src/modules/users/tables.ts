import {
  bigint,
  boolean,
  customType,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core';
import type { Scope } from '#contract/define.ts';
import type { CurrentUser } from '#contract/users.ts';

const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });
const time = (name: string) => timestamp(name, { withTimezone: true });

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
  curIdentity: smallint('cur_identity').$type<1 | 2>().notNull().default(1),
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
  readCount: bigint('read_count', { mode: 'number' }).notNull().default(0),
  likeCount: bigint('like_count', { mode: 'number' }).notNull().default(0),
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
  /** A mainland number; a code by text message has shown that it is theirs. */
  phone: text(),
  passwordHash: text('password_hash').notNull(),
  enabled: boolean().notNull().default(true),
  mustChangePassword: boolean('must_change_password').notNull().default(false),
  totpSecret: text('totp_secret'),
  totpOn: boolean('totp_on').notNull().default(false),
  /** The last time step a code was taken for: a code works once. */
  totpStep: bigint('totp_step', { mode: 'number' }).notNull().default(0),
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
    purpose: text({ enum: ['reset', 'bind', 'login'] }).notNull(),
    target: text().notNull(),
    userId: uuid('user_id'),
    hash: bytes().notNull(),
    attempts: smallint().notNull().default(0),
    expiresAt: time('expires_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.purpose, table.target] })],
);

/** When codes were asked for by text message, of the last day. */
export const smsAsks = pgTable('sms_asks', {
  phone: text().primaryKey(),
  askedAt: time('asked_at').array().notNull(),
  expiresAt: time('expires_at').notNull(),
});

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
