import type { Page } from '@mozhan/contract/common.ts';
import { and, desc, eq, inArray, isNotNull, sql } from 'drizzle-orm';
import type { Db } from '../../../../db/client.ts';
import { type PageQuery, readPage } from '../../../../db/page.ts';
import { countRow, idRow, parseRow, parseRows } from '../../../../db/rows.ts';
import { users } from '../../../accounts/users/tables.ts';
import { toPairKey, toQueryTokens } from '../rules/chats.ts';
import { chatMessages, conversationMembers, conversations } from '../tables.ts';
import { type MessageDetails, selectMessages } from './messages.ts';
import { type CardUser, userCardColumns } from './users.ts';

/** A search covers only this many pairs, the most recently active. */
const MAX_PAIRS = 1000;

export interface SearchScope {
  conversationId: string;
  user: CardUser | null;
  essay: { id: string; title: string } | null;
}

/** Lists the pairs of a user: all of them, or only the one with `otherId`. */
export async function listPairScopes(
  db: Db,
  userId: string,
  otherId: string | undefined,
): Promise<SearchScope[]> {
  const other = sql`case when ${conversations.userA} = ${userId} then ${conversations.userB} else ${conversations.userA} end`;
  const only = otherId === undefined ? undefined : toPairKey(userId, otherId);
  const rows = await db
    .select({ conversationId: conversations.id, user: userCardColumns })
    .from(conversationMembers)
    .innerJoin(conversations, eq(conversations.id, conversationMembers.conversationId))
    .innerJoin(users, eq(users.id, other))
    .where(
      and(
        eq(conversationMembers.userId, userId),
        isNotNull(conversationMembers.listedAt),
        only && and(eq(conversations.userA, only.userA), eq(conversations.userB, only.userB)),
      ),
    )
    .orderBy(desc(conversationMembers.listedAt), desc(conversationMembers.conversationId))
    .limit(MAX_PAIRS);
  return rows.map((row) => ({ ...row, essay: null }));
}

/** Limits the matches per conversation, and so the total too. */
const MAX_MATCHES_PER_CONVERSATION = 1000;

/** Finds messages with the keyword, newest first, without those of users whom the viewer has blocked. */
export async function searchMessages(
  db: Db,
  query: PageQuery & { scopes: SearchScope[]; folded: string; blocked: string[] },
): Promise<Page<MessageDetails>> {
  const { scopes, folded, blocked } = query;
  const ids = scopes.map((scope) => scope.conversationId);
  // PostgreSQL requires nested arrays of equal length; the same keyword has equally many tokens everywhere.
  const queryTokens = ids.map((id) => `{${toQueryTokens(id, folded).join()}}`);
  const found = sql`(
    select matches.id from unnest(${sql.param(ids)}::uuid[], ${sql.param(queryTokens)}::text[]) as scope (id, tokens)
    cross join lateral (
      select id from (
        -- The index on tokens finds candidates; hash collisions with other conversations are filtered below.
        select id, conversation_id, seq, from_id, folded from chat_messages
        where tokens @> scope.tokens::int[] offset 0
      ) as candidates
      where conversation_id = scope.id and strpos(folded, ${folded}) > 0
        and (from_id is null or from_id <> all(${sql.param(blocked)}::uuid[]))
      order by seq desc limit ${MAX_MATCHES_PER_CONVERSATION}
    ) as matches
  )`;
  const page = await readPage(query, {
    rows: async ({ after, offset, limit }) => {
      const result = await db.execute(sql`
        select id from ${found} as found
        where ${after === null ? sql`true` : sql`id < ${after.at(-1)}::uuid`}
        order by id desc offset ${offset} limit ${limit}`);
      return parseRows(idRow, result);
    },
    total: async () => {
      const result = await db.execute(sql`select count(*)::int as count from ${found} as found`);
      return parseRow(countRow, result).count;
    },
    key: ({ id }) => [id],
  });
  if (page.list.length === 0) return { ...page, list: [] };
  const rows = await selectMessages(db)
    .where(
      inArray(
        chatMessages.id,
        page.list.map(({ id }) => id),
      ),
    )
    .orderBy(desc(chatMessages.id));
  return { ...page, list: rows };
}
