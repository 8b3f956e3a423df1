import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { WITHDRAWAL_STATUS } from '@mozhan/contract/enums.ts';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPool } from '../../../db/client.ts';
import { migrate } from '../../../db/migrate.ts';
import { systemCtx } from '../../../jobs.ts';
import { startTestApp } from '../../../testing/app.ts';
import { createTestDatabase } from '../../../testing/database.ts';
import { loadDump } from '../../../testing/dump.ts';
import { jobs } from './jobs.ts';

/*
 * Accounts of a site with rows in every table are closed, each in its own copy. A column that is newer than the fixture
 * has no id yet: add it to `testing/populate` and create the fixture again.
 */
const fixtures = join(import.meta.dirname, '../../../db/fixtures');

/** Together they have rows in all tables of users. The auditor has handled reports and comments. */
const CLOSED = [
  'first-writer',
  'second-writer',
  'first-reader',
  'friend@example.com',
  'the-offender',
  'auditor',
];

/** Columns of user ids that need not contain the id of an account that is closed, by reason. */
const NEVER_CLOSED = {
  'a name that only closed accounts have': ['accounts.name'],
  'who did something for the site, as staff': [
    'backups.user_id',
    'bans.user_id',
    'expert_applications.decided_by',
    'member_terms.by_id',
    'orders.refunded_by',
    'page_versions.user_id',
    'reindex_runs.started_by',
    'webhook_endpoints.created_by',
    'withdrawals.decided_by',
  ],
  'staff who edited the essay of a writer': ['essay_revisions.editor_id'],
};

/** Columns that may still contain the id of a closed account, by reason. */
const KEPT = {
  'the cleared profile': ['users.id', 'accounts.user_id', 'accounts.name', 'unindexed_people.user_id'],
  'money that has to be accounted for': [
    'ledger_accounts.key',
    'ledger_accounts.user_id',
    'ledger_lines.user_id',
    'member_terms.invitee_id',
    'member_terms.user_id',
    'orders.payee_id',
    'orders.user_id',
    'purchases.user_id',
    'rewards.user_id',
    'withdrawals.user_id',
  ],
  'essays and columns off the shelf, which others may have bought, with their files and audits': [
    'attachments.user_id',
    'columns.author_id',
    'essay_records.user_id',
    'essays.author_id',
    'upload_totals.user_id',
    'uploads.user_id',
  ],
  'messages that their recipients keep': [
    'chat_messages.from_id',
    'chat_messages.removed_by',
    'contacts.from_id',
    'contacts.user_a',
    'contacts.user_b',
    'conversation_members.user_id',
    'conversations.started_by',
    'conversations.user_a',
    'conversations.user_b',
    'letter_places.user_id',
    'letter_threads.user_a',
    'letter_threads.user_b',
    'letters.from_id',
  ],
  'empty comments that others answered, and words of others': [
    'comments.html',
    'comments.mentions',
    'comments.reply_to_user_id',
    'comments.user_id',
  ],
  'counters of content of others': ['comment_likes.user_id', 'essay_likes.user_id', 'shares.user_id'],
  'what others did': ['trends.target_id', 'users.invited_by'],
  'counters without content': ['notice_boxes.user_id', 'user_days.user_id'],
  'what staff decided, and the reports for it': [
    'operations.after',
    'operations.before',
    'operations.input',
    'operations.target',
    'reports.handled_by',
    'reports.owner_id',
    'reports.target_id',
    'reports.user_id',
    'transfers.author_id',
  ],
  'deleted after some days': ['stat_tops.writers', 'webhook_deliveries.body'],
};

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let clock: Date;
let users: { id: string; isClosed: boolean }[];
/** Columns that refer to users, or contain the id of any user. */
let columns: string[];
/** Those that contain the id of an account that is closed below. */
let covered: string[];

beforeAll(async () => {
  database = await createTestDatabase({ state: 'bare' });
  const pool = createPool(database.connection);
  const newest = readdirSync(fixtures).sort().at(-1) ?? '';
  clock = await loadDump(pool, join(fixtures, newest));
  await migrate(pool);
  ({ rows: users } = await pool.query(
    `select replace(user_id::text, '-', '') as id, name = any($1) as "isClosed" from accounts`,
    [CLOSED],
  ));
  const { rows } = await pool.query<{ column: string }>(
    `select relname || '.' || attname as column
     from pg_constraint join pg_class on pg_class.oid = conrelid
     join pg_attribute on attrelid = conrelid and attnum = any(conkey)
     where contype = 'f' and confrelid in ('users'::regclass, 'accounts'::regclass)`,
  );
  const found = await findColumnsWith(pool, users);
  columns = [...new Set([...rows.map(({ column }) => column), ...found])].sort();
  covered = await findColumnsWith(
    pool,
    users.filter(({ isClosed }) => isClosed),
  );
  await pool.end();
});
afterAll(() => database.drop());

/** Columns of all tables with an id of these users in any form, for example in JSON. */
async function findColumnsWith(pool: pg.Pool, users: readonly { id: string }[]): Promise<string[]> {
  const { rows: tables } = await pool.query<{ name: string; columns: string[] }>(
    `select relname as name, array_agg(attname::text) as columns
     from pg_class join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
     where relkind = 'r' and relnamespace = 'public'::regnamespace group by 1`,
  );
  const pattern = users.map(({ id }) => id).join('|');
  const found: string[] = [];
  for (const { name, columns } of tables) {
    const matches = columns.map((column) => `bool_or(replace("${column}"::text, '-', '') ~ $1)`);
    const { rows } = await pool.query<{ has: boolean[] }>(
      `select array[${matches.join(', ')}] as has from "${name}"`,
      [pattern],
    );
    found.push(...columns.filter((_, at) => rows[0]?.has[at]).map((column) => `${name}.${column}`));
  }
  return found.sort();
}

async function closeInCopy(userId: string): Promise<string[]> {
  const copy = await createTestDatabase({ copyOf: database.connection });
  const t = await startTestApp({ connection: copy.connection, startAt: clock });
  try {
    await t.query('delete from account_roles where user_id = $1', [userId]);
    await t.query(
      'update withdrawals set status = $1, decided_at = created_at where user_id = $2 and status = any($3)',
      [WITHDRAWAL_STATUS.refused, userId, [WITHDRAWAL_STATUS.waiting, WITHDRAWAL_STATUS.approved]],
    );
    await t.query('update accounts set closing_at = $1 where user_id = $2', [clock, userId]);
    await jobs['close-account']?.(systemCtx(t.app.services), { userId });
    expect(await t.query('select from users where id = $1 and closed_at is not null', [userId])).toHaveLength(
      1,
    );
    return await findColumnsWith(t.app.services.pool, [{ id: userId }]);
  } finally {
    await t.close();
    await copy.drop();
  }
}

test('every column that refers to users has the id of an account that is closed', () => {
  expect(users.filter(({ isClosed }) => isClosed)).toHaveLength(CLOSED.length);
  expect(columns.length).toBeGreaterThan(100);
  expect(columns.filter((column) => !covered.includes(column))).toEqual(
    Object.values(NEVER_CLOSED).flat().sort(),
  );
});

test('only the listed columns contain the id of a closed account', async () => {
  const kept = new Set<string>();
  for (const { id, isClosed } of users)
    if (isClosed) for (const column of await closeInCopy(id)) kept.add(column);
  expect([...kept].sort()).toEqual(Object.values(KEPT).flat().sort());
});
