import type { Page } from '@mozhan/contract/common.ts';
import { and, desc, eq, inArray, isNotNull, sql } from 'drizzle-orm';
import type { Db } from '../../../../db/client.ts';
import { type PageQuery, readPage } from '../../../../db/page.ts';
import { countRow, idRow, parseRow, parseRows } from '../../../../db/rows.ts';
import { users } from '../../../accounts/users/tables.ts';
import { pairOf, wantedOf } from '../rules/chats.ts';
import { chatMessages, conversationMembers, conversations } from '../tables.ts';
import { type SaidRow, selectSaid } from './messages.ts';
import { type CardUser, person } from './people.ts';

/** As many as anybody talks with; of more, the last. */
const MOST_PAIRS = 1000;

export interface Place {
  conversationId: string;
  user: CardUser | null;
  essay: { id: string; title: string } | null;
}

/** The conversations of two that somebody takes part in: all of them, or the one with somebody. */
export async function listPairPlaces(db: Db, userId: string, otherId: string | undefined): Promise<Place[]> {
  const other = sql`case when ${conversations.userA} = ${userId} then ${conversations.userB} else ${conversations.userA} end`;
  const only = otherId === undefined ? undefined : pairOf(userId, otherId);
  const rows = await db
    .select({ conversationId: conversations.id, user: person })
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
    .limit(MOST_PAIRS);
  return rows.map((row) => ({ ...row, essay: null }));
}

/** Of one conversation, as many as are looked through; what is counted is no more. */
const MOST_FOUND = 1000;

/** Texts of these conversations that contain the keyword, the newest first; not those of whom the viewer has blocked. */
export async function searchMessages(
  db: Db,
  query: PageQuery & { places: Place[]; folded: string; blocked: string[] },
): Promise<Page<SaidRow>> {
  const { places, folded, blocked } = query;
  const ids = places.map((place) => place.conversationId);
  // An array of arrays has to be a rectangle, which it is: all are asked for the same characters.
  const wanted = ids.map((id) => `{${wantedOf(id, folded).join()}}`);
  const found = sql`(
    select one.id from unnest(${sql.param(ids)}::uuid[], ${sql.param(wanted)}::text[]) as place (id, tokens)
    cross join lateral (
      select id from (
        -- By the tokens alone, which are this conversation's but for a chance in billions.
        select id, conversation_id, seq, from_id, folded from chat_messages
        where tokens @> place.tokens::int[] offset 0
      ) as likely
      where conversation_id = place.id and strpos(folded, ${folded}) > 0
        and (from_id is null or from_id <> all(${sql.param(blocked)}::uuid[]))
      order by seq desc limit ${MOST_FOUND}
    ) as one
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
  const rows = await selectSaid(db)
    .where(
      inArray(
        chatMessages.id,
        page.list.map(({ id }) => id),
      ),
    )
    .orderBy(desc(chatMessages.id));
  return { ...page, list: rows };
}
