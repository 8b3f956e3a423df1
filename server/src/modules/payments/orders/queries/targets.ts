import { essayStatus } from '@mozhan/contract/essays.ts';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Db } from '../../../../db/client.ts';
import { parseRows } from '../../../../db/rows.ts';
import { columns, purchases } from '../../../content/essays/tables.ts';

const essayTarget = z.object({
  title: z.string(),
  price: z.int(),
  authorId: z.string(),
  status: essayStatus,
  /** Whether it was ever on the shelf. */
  wasShown: z.boolean(),
  isGone: z.boolean(),
  /** Whether they bought it, or the column that it is in. */
  isOwned: z.boolean(),
  /** Whether its author wants nothing of them. */
  isBlocked: z.boolean(),
});
export type EssayTarget = z.output<typeof essayTarget>;

/** What somebody wants to buy or reward; it cannot be deleted until the transaction ends. */
export async function findEssayTarget(db: Db, userId: string, essayId: string): Promise<EssayTarget | null> {
  const result = await db.execute(sql`
    select title, price, author_id as "authorId", status, was_shown as "wasShown", is_gone as "isGone",
      is_owned as "isOwned", is_blocked as "isBlocked"
    from order_target(${userId}, ${essayId})`);
  return parseRows(essayTarget, result)[0] ?? null;
}

const columnTarget = z.object({
  name: z.string(),
  price: z.int(),
  authorId: z.string(),
  essayCount: z.int(),
  isOwned: z.boolean(),
});
export type ColumnTarget = z.output<typeof columnTarget>;

export async function findColumnTarget(
  db: Db,
  userId: string,
  columnId: string,
): Promise<ColumnTarget | null> {
  const result = await db.execute(sql`
    select name, price, author_id as "authorId", essay_count as "essayCount",
      exists (
        select 1 from ${purchases} where ${purchases.userId} = ${userId} and target_id = columns.id
      ) as "isOwned"
    from ${columns} where id = ${columnId} for key share`);
  return parseRows(columnTarget, result)[0] ?? null;
}
