import type { Demo } from '@mozhan/contract/demo.ts';
import { ORDER_STATUS } from '@mozhan/contract/enums.ts';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Db } from '../../../db/client.ts';
import { parseRow } from '../../../db/rows.ts';
import { users } from '../../accounts/users/tables.ts';
import { comments } from '../../content/comments/tables.ts';
import { essays } from '../../content/essays/tables.ts';
import { conversations, letterThreads } from '../../messaging/chats/tables.ts';
import { orders } from '../../payments/orders/tables.ts';

const demoRow = z.object({
  users: z.int(),
  essays: z.int(),
  comments: z.int(),
  conversations: z.int(),
  orders: z.int(),
});

/** Counts the demo, and what other users wrote or paid that is removed with it. Reads only rows of demo users. */
export async function countDemo(db: Db): Promise<Omit<Demo, 'removal'>> {
  const pairWithOther = (table: typeof conversations | typeof letterThreads) => sql`
    select count(*)::int from ${table} as pair
    where (pair.user_a = any(array(select id from demo)) or pair.user_b = any(array(select id from demo)))
      and not (pair.user_a = any(array(select id from demo)) and pair.user_b = any(array(select id from demo)))`;
  const result = await db.execute(sql`
    with demo as materialized (select id from ${users} where demo),
      texts as materialized (
        select id from ${essays} where author_id = any(array(select id from demo)) and deleted_at is null),
      roots as materialized (
        select id from ${comments} where user_id = any(array(select id from demo)) and root_id is null),
      written as (
        select id, user_id from ${comments} where essay_id = any(array(select id from texts))
        union select id, user_id from ${comments} where root_id = any(array(select id from roots)))
    select (select count(*)::int from demo) as users, (select count(*)::int from texts) as essays,
      (select count(*)::int from written
        where user_id is null or not user_id = any(array(select id from demo))) as comments,
      (${pairWithOther(conversations)}) + (${pairWithOther(letterThreads)}) as conversations,
      (select count(*)::int from ${orders} where payee_id = any(array(select id from demo))
        and not user_id = any(array(select id from demo)) and status = ${ORDER_STATUS.paid}) as orders`);
  const { users: userCount, essays: essayCount, ...others } = parseRow(demoRow, result);
  return { users: userCount, essays: essayCount, others };
}
