import { sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import type { Db } from '../../../../db/client.ts';
import { parseRows } from '../../../../db/rows.ts';
import { trends } from '../../../accounts/activity/tables.ts';
import { apiTokens, blocks, follows, notices, sessions } from '../../../accounts/users/tables.ts';
import { comments } from '../../../content/comments/tables.ts';
import { expertApplications, farmers } from '../../../content/directory/tables.ts';
import {
  collections,
  columnFollows,
  essayHistory,
  essayLikes,
  folders,
  followingVisits,
  highlights,
  tagFollows,
} from '../../../content/essays/tables.ts';
import { shares } from '../../../content/shares/tables.ts';
import { chatMessages, letters } from '../../../messaging/chats/tables.ts';
import { memberTerms } from '../../../payments/members/tables.ts';
import { orders } from '../../../payments/orders/tables.ts';
import { withdrawals } from '../../../payments/wallet/tables.ts';
import { ledgerLines } from '../../../platform/ledger/tables.ts';
import { attachments, uploads } from '../../../platform/uploads/tables.ts';
import { reports } from '../../reports/tables.ts';

const NO_ID = '0'.repeat(32);

interface OwnDataSource {
  table: PgTable;
  columns: string;
  /** The column of the owner; default `user_id`. */
  owner?: string;
  /** The unique column for paging; default `id`. */
  key?: string;
}

/** The stored data of a user by file name; of messages only those that the user sent. */
const sources = {
  comments: { table: comments, columns: 'id essay_id root_id content status created_at edited_at' },
  likes: { table: essayLikes, columns: 'id essay_id created_at' },
  folders: { table: folders, columns: 'id name is_public created_at' },
  collections: { table: collections, columns: 'id essay_id folder_id created_at' },
  highlights: {
    table: highlights,
    // Without the current words, which the user may have lost the right to read.
    columns: 'id essay_id color quote state note comment_id created_at updated_at',
  },
  history: { table: essayHistory, columns: 'essay_id progress read_at', key: 'essay_id' },
  following: { table: follows, columns: 'id user_id created_at', owner: 'follower_id' },
  followedColumns: { table: columnFollows, columns: 'column_id created_at', key: 'column_id' },
  followedTags: { table: tagFollows, columns: 'tag_id created_at', key: 'tag_id' },
  followingVisits: { table: followingVisits, columns: 'user_id visited_at', key: 'user_id' },
  blocked: { table: blocks, columns: 'id blocked_id created_at' },
  letters: { table: letters, columns: 'id thread_id content created_at', owner: 'from_id' },
  messages: {
    table: chatMessages,
    columns: 'id conversation_id kind content image created_at',
    owner: 'from_id',
  },
  shares: { table: shares, columns: 'id essay_id channel read_count created_at' },
  deeds: { table: trends, columns: 'id type target_kind target_id keyword created_at' },
  notices: { table: notices, columns: 'id kind text target_title created_at read_at' },
  orders: {
    table: orders,
    columns: 'id no kind target_id title amount pay_by status message invoice created_at paid_at refunded_at',
  },
  bookings: { table: ledgerLines, columns: 'id entry_id amount balance_after created_at' },
  withdrawals: { table: withdrawals, columns: 'id no amount account real_name status created_at paid_at' },
  membership: { table: memberTerms, columns: 'id source days until reason created_at' },
  applications: {
    table: expertApplications,
    columns: 'id real_name field intro works contact status reason created_at',
  },
  directory: {
    table: farmers,
    columns: 'user_id skills years city homepage open_to_work intro updated_at',
    key: 'user_id',
  },
  reports: { table: reports, columns: 'id kind target_id reason detail status result created_at' },
  sessions: { table: sessions, columns: 'id via device address region created_at used_at' },
  tokens: { table: apiTokens, columns: 'id name scopes expires_at used_at created_at' },
  pictures: { table: uploads, columns: 'id path width height bytes created_at' },
  attachments: { table: attachments, columns: 'id name type bytes created_at' },
} satisfies Record<string, OwnDataSource>;

export type OwnKind = keyof typeof sources;
export const ownKinds = Object.keys(sources) as OwnKind[];

const toCamelCase = (name: string): string =>
  name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

const ownRecord = z.object({ key: z.string(), record: z.record(z.string(), z.unknown()) });
export type OwnRecord = z.output<typeof ownRecord>;

/** Formats ids like the API, without hyphens. */
const selectColumn = (name: string) => {
  const column = sql.identifier(name);
  const isId = /(?:^|_)id$/.test(name);
  return sql`${isId ? sql`replace(${column}::text, '-', '')` : column} as ${sql.identifier(toCamelCase(name))}`;
};

export async function listOwnRecords(
  db: Db,
  kind: OwnKind,
  { userId, after, limit }: { userId: string; after: string | null; limit: number },
): Promise<OwnRecord[]> {
  const { table, columns, owner = 'user_id', key = 'id' }: OwnDataSource = sources[kind];
  const keyColumn = sql.identifier(key);
  const result = await db.execute(sql`
    select own.place as key, to_jsonb(own) - 'place' as record from (
      select ${keyColumn} as place, ${sql.join(columns.split(' ').map(selectColumn), sql`, `)}
      from ${table}
      where ${sql.identifier(owner)} = ${userId} and ${keyColumn} > ${after ?? NO_ID}::uuid
      order by ${keyColumn} limit ${limit}) as own
    order by own.place`);
  return parseRows(ownRecord, result);
}
