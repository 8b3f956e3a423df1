import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Db } from '../../../../db/client.ts';
import { parseRow } from '../../../../db/rows.ts';
import { accounts, blocks, follows } from '../../../accounts/users/tables.ts';
import { type ContactState, MAX_UNANSWERED } from '../rules/contacts.ts';

const pair = (fromId: string, toId: string) =>
  sql`least(${fromId}::uuid, ${toId}::uuid), greatest(${fromId}::uuid, ${toId}::uuid)`;

const contactStateRow = z.object({
  isEnabled: z.boolean(),
  isBlocked: z.boolean(),
  hasBlocked: z.boolean(),
  isFollowed: z.boolean(),
  unanswered: z.int(),
});

export async function getContactState(db: Db, fromId: string, toId: string): Promise<ContactState> {
  const result = await db.execute(sql`
    select
      exists (select 1 from ${accounts} where user_id = ${toId} and enabled) as "isEnabled",
      exists (select 1 from ${blocks} where user_id = ${toId} and blocked_id = ${fromId}) as "isBlocked",
      exists (select 1 from ${blocks} where user_id = ${fromId} and blocked_id = ${toId}) as "hasBlocked",
      exists (select 1 from ${follows} where follower_id = ${toId} and user_id = ${fromId}) as "isFollowed",
      coalesce((
        select unanswered from contacts
        where (user_a, user_b) = (${pair(fromId, toId)}) and from_id = ${fromId}
      ), 0) as unanswered`);
  return parseRow(contactStateRow, result);
}

/**
 * Counts one message and returns false when the limit is exceeded; after a reply nothing is counted any more.
 * A pair has one row, so concurrent messages in both directions wait for each other there.
 */
export async function tryAddUnanswered(db: Db, fromId: string, toId: string): Promise<boolean> {
  const { rowCount } = await db.execute(sql`
    insert into contacts (user_a, user_b, from_id, unanswered)
    select ${pair(fromId, toId)}, ${fromId}, case
      when exists (select 1 from ${follows} where follower_id = ${toId} and user_id = ${fromId}) then 0 else 1 end
    on conflict (user_a, user_b) do update set
      from_id = excluded.from_id,
      answered = contacts.answered or contacts.from_id <> excluded.from_id,
      unanswered = case when contacts.answered or contacts.from_id <> excluded.from_id then 0
        else contacts.unanswered + excluded.unanswered end
    where contacts.answered or contacts.from_id <> excluded.from_id
      or contacts.unanswered + excluded.unanswered <= ${MAX_UNANSWERED}
    returning 1`);
  return rowCount !== 0;
}
